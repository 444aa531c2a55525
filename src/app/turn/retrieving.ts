// What a turn begins with besides the message: the passages that are found for it.
import { answering } from '../../core/agent/graph.ts';
import { modelAgent } from '../../core/agent/modelAgent.ts';
import type { Signal } from '../../core/dialog/tool.ts';
import { amountFor } from '../../core/turn/amount.ts';
import type { BegunAnswer } from '../../core/turn/continuing.ts';
import { askForWords, mostWordTokens, searchWords } from '../../core/turn/otherWords.ts';
import { setupFor } from '../../core/turn/setupFor.ts';
import type { Retrieved, UserMessage } from '../../core/turn/turnPorts.ts';
import type { Session } from '../session/session.ts';
import { slotModel } from '../slots/slotModel.ts';
import { findingState, foundFor, groundOf, retrieved } from './finding.ts';
import { fitNext, type PacedContext } from './fitNext.ts';
import { setupNow, type TurnPlan } from './planTurn.ts';
import type { MeantMessage } from './userMessage.ts';

/**
 * Words that the model would search for besides those of a message, asked behind what its slot holds. '' where the slot cannot take the
 * question back, and where the model has none. Never rejects but for a stop.
 */
export async function otherWords(
  context: PacedContext,
  session: Session,
  plan: TurnPlan,
  message: string,
  asker: 'answer' | 'warm',
  signal: Signal,
): Promise<string> {
  const { ahead } = session;
  if (ahead.words.of === message) return ahead.words.are;
  const node = answering(plan.setup.graph);
  const { cache } = setupFor(setupNow(plan, session), node.slot);
  if (!cache.erases) return '';
  const { prompt } = await fitNext(context, session, plan, node);
  const { engine, snapshots } = plan.at(node.slot);
  const asked = { asker, prompt: askForWords(prompt, message), maxTokens: mostWordTokens, toolCalls: 'none' } as const;
  const model = slotModel(engine, snapshots, session, node.slot, { temperature: 0, seed: 0 });
  const said = await model.generate({ ...asked, reuse: cache.reuse }, () => undefined, signal);
  session.tally.warmed(said.prefill.decoded);
  if (said.stop !== 'cancelled') ahead.words = { of: message, are: searchWords(said.raw) };
  return ahead.words.of === message ? ahead.words.are : '';
}

/** Nothing for a model that was trained without. Never rejects. */
export async function retrieve(
  { text, choice, opening }: Pick<MeantMessage, 'text' | 'choice'> & { readonly opening: UserMessage | BegunAnswer },
  session: Session,
  plan: TurnPlan,
  context: PacedContext,
  signal: Signal,
): Promise<Retrieved> {
  const { settings, main, least } = plan;
  const { graph, cache } = plan.setup;
  const { project, counter, pace } = context;
  const { retrieval, edits } = settings.agent;
  const looksUp = retrieval !== null && modelAgent(main.info.name)?.looksUp !== false;
  if (!looksUp || choice.none === true) return { knowledge: null, passages: [] };
  const talked = findingState(session, answering(graph).slot, cache.erases);
  const amount = amountFor(main.info.parameters, pace, Math.floor(least.high * retrieval.share));
  const others = { others: (words: string) => otherWords(context, session, plan, words, 'answer', signal) };
  const beside = 'attachments' in opening ? opening.attachments : [];
  const ground = groundOf(project.finding, counter, amount, { choice, beside, edits, ...others });
  return retrieved(await foundFor(text, talked, ground, signal), text, retrieval);
}
