// Finds the passages with which a turn begins, besides its message.
import { answering } from '../../core/agent/graph.ts';
import { modelAgent } from '../../core/agent/modelAgent.ts';
import type { Signal } from '../../core/dialog/tool.ts';
import type { Pace } from '../../core/kv/pace.ts';
import { amountFor } from '../../core/turn/amount.ts';
import type { BegunAnswer } from '../../core/turn/continuing.ts';
import type { Retrieved, UserMessage } from '../../core/turn/turnPorts.ts';
import type { Session } from '../session/session.ts';
import { findingState, foundFor, groundOf, retrieved, sentOf } from './finding.ts';
import type { MeantMessage } from './meantNow.ts';
import type { AgentContext, TurnPlan } from './planTurn.ts';

/** Nothing for a model that was trained without. Never rejects. */
export async function retrieve(
  { text, choice, opening }: Pick<MeantMessage, 'text' | 'choice'> & { readonly opening: UserMessage | BegunAnswer },
  session: Session,
  { settings, setup: { graph }, main, least }: TurnPlan,
  { project, counter, pace }: Pick<AgentContext, 'project' | 'counter'> & { readonly pace: Pace },
  signal: Signal,
): Promise<Retrieved> {
  const { retrieval, edits } = settings.agent;
  const looksUp = retrieval !== null && modelAgent(main.info.name)?.looksUp !== false;
  if (!looksUp || choice.none === true) return { knowledge: null, passages: [] };
  const talked = findingState(session.state, answering(graph).slot);
  const amount = amountFor(main.info.parameters, pace, Math.floor(least.high * retrieval.share));
  const beside = 'attachments' in opening ? opening.attachments : [];
  const ground = groundOf(project.finding, counter, amount, { choice, beside, edits });
  const passages = sentOf(await foundFor(text, talked, ground, signal), choice);
  return retrieved(passages, text, retrieval, graph.nodes);
}
