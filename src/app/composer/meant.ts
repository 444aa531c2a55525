// Works out what a draft would be as a message, with the texts that would go beside it.

import { graphFor } from '../../core/abilities/abilities.ts';
import { answering } from '../../core/agent/graph.ts';
import { intentOf } from '../../core/agent/intent.ts';
import { dayInMessage, modelAgent } from '../../core/agent/modelAgent.ts';
import { datedText, dayOf, saidOn } from '../../core/dialog/day.ts';
import { filesAmong } from '../../core/dialog/filesNamed.ts';
import type { Signal } from '../../core/dialog/tool.ts';
import { type Pace, predicted } from '../../core/kv/pace.ts';
import { type Budget, budgetFor } from '../../core/prompt/budget.ts';
import type { TokenCounter } from '../../core/prompt/counter.ts';
import type { FittedPassages } from '../../core/prompt/fitFound.ts';
import { attachedTexts, nothingFound } from '../../core/prompt/found.ts';
import type { Layer } from '../../core/prompt/prompt.ts';
import { amountFor } from '../../core/turn/amount.ts';
import type { Attachment } from '../../core/turn/turnPorts.ts';
import type { ViewState } from '../../protocol/view.ts';
import type { ChangedFiles } from '../ports/changedFiles.ts';
import type { ShownView } from '../ports/shownView.ts';
import type { Conversation, ConversationNow } from '../session/conversation.ts';
import { besideNext } from '../turn/besideNext.ts';
import {
  attachmentOf,
  type DraftChoice,
  findingState,
  foundFor,
  foundViews,
  groundOf,
  sentOf,
  standsInFront,
} from '../turn/finding.ts';
import { attach, spoken, withoutMentions } from '../turn/mentions.ts';
import type { AgentContext } from '../turn/planTurn.ts';
import type { Turns } from '../turn/turns.ts';
import { Draft, type Meant } from './draft.ts';
import type { Prompts } from './prompts.ts';

/** The conversation that a draft is written for. */
export interface DraftParts {
  readonly conversation: Conversation;
  readonly view: ShownView;
  readonly turns: Turns;
  readonly prompts: Prompts;
  readonly changedFiles: ChangedFiles | null;
}

export function draftOf(parts: DraftParts, context: AgentContext): Draft {
  const { conversation, view, turns } = parts;
  const { engines, counter } = context;
  return new Draft(
    view,
    (text, choice, signal) => meantBy(text, choice, parts, context, signal),
    async (meant) => (engines.life.loaded === null ? null : forecastOf(meant, conversation.now, counter, turns.pace)),
  );
}

async function meantBy(
  draft: string,
  choice: DraftChoice,
  parts: DraftParts,
  context: AgentContext,
  signal: Signal,
): Promise<Meant> {
  const words = draft.startsWith('/') ? await parts.prompts.expand(draft) : { ok: true as const, text: draft };
  if (!words.ok || words.text.startsWith('/')) return null;
  const { engines, project, counter } = context;
  const { wantedWindow, agent } = context.settings();
  // The passages must fit into the smallest window of all that read it.
  const budget = budgetFor(engines.window ?? wantedWindow, agent.policy);
  const attached = await attach(words.text, project.mentions, counter, budget.high, signal);
  const again = besideNext(parts.conversation.session, parts.changedFiles, context.project);
  const given = attached.map(({ attachment }) => attachment);
  const named = await project.finding.named(withoutMentions(words.text));
  const { edits } = agent;
  const intent = intentOf({ edits, named, pointed: filesAmong(given), choice: choice.intent });
  const choices = { edits, commands: named.tasks.map(({ command }) => command) };
  const drafted = { text: words.text, choice, beside: [...again, ...given] };
  const { fitted, ...found } = await foundBy({ ...drafted, meaning: false }, parts, context, budget, signal);
  const ahead: NonNullable<Meant>['ahead'] = async (stop) => {
    if (agent.retrieval === null || !standsInFront(agent.retrieval)) return { beside: given, passages: [] };
    const { embeds } = project.finding;
    const latest = embeds
      ? (await foundBy({ ...drafted, meaning: true }, parts, context, budget, stop)).fitted
      : fitted;
    const passages = sentOf(latest, choice);
    return { beside: [...given, ...passages.map(attachmentOf)], passages };
  };
  const restored = again.flatMap(attachedTexts);
  const mentions = attached.map(({ shown }) => shown);
  const sent = asSent(spoken(words.text), parts, context);
  return { text: sent, said: draft, intent, choices, mentions, restored, ...found, ahead };
}

/** With the day, where the message is one that tells it. */
function asSent(text: string, { conversation }: DraftParts, { engines, clock }: AgentContext): string {
  const day = dayInMessage(modelAgent(engines.life.loaded?.name), dayOf(clock.now()));
  return datedText(saidOn({ text, ...day }, conversation.session.state.dialog.path));
}

interface FoundPart extends Pick<NonNullable<Meant>, 'found' | 'weak' | 'goesOn' | 'foundTokens'> {
  readonly fitted: Pick<FittedPassages, 'passages' | 'weak'>;
}

const nothing: FoundPart = {
  found: [],
  weak: '',
  goesOn: false,
  foundTokens: { least: 0, most: 0 },
  fitted: nothingFound,
};

interface Drafted {
  readonly text: string;
  readonly choice: DraftChoice;
  readonly beside: readonly Attachment[];
  readonly meaning: boolean;
}

/** The search goes by words alone while the user writes, and by meaning once something is read ahead or the message is sent. */
async function foundBy(
  { text, choice, beside, meaning }: Drafted,
  { conversation, turns }: DraftParts,
  { engines, project: { finding }, counter, settings }: AgentContext,
  { high }: Budget,
  signal: Signal,
): Promise<FoundPart> {
  const { agent } = settings();
  if (agent.retrieval === null || modelAgent(engines.life.loaded?.name)?.looksUp === false) return nothing;
  const talked = findingState(conversation.session.state, answering(graphFor(agent, null)).slot);
  const amount = amountFor(engines.life.loaded?.parameters, turns.pace, Math.floor(high * agent.retrieval.share));
  const ground = groundOf(finding, counter, amount, { meaning, choice, beside, edits: agent.edits });
  const fitted = await foundFor(text, talked, ground, signal);
  const texts = sentOf(fitted, choice).map(attachmentOf).flatMap(attachedTexts);
  const counts = texts.length === 0 ? [] : (await counter.count(texts)).tokens;
  const least = counts.reduce((a, b) => a + b, 0);
  const most = finding.embeds ? Math.max(least, amount.most) : least;
  const { weak, goesOn = false } = fitted;
  return { found: foundViews(fitted, choice), weak, goesOn, foundTokens: { least, most }, fitted };
}

// Forecasts what a draft costs once it is sent, as the conversation and its slot are now.
const head: ReadonlySet<Layer> = new Set(['system', 'tools', 'workspace']);

/** Gives null where the cost cannot be said: while an answer is written, or before the prompt was counted with the model. */
export async function forecastOf(
  { text, mentions, restored, foundTokens }: NonNullable<Meant>,
  { stack, warm, warming, ahead, running, resting, turns }: ConversationNow,
  counter: TokenCounter,
  pace: Pace,
): Promise<ViewState['forecast']> {
  // A prompt that was estimated before the model was there is counted at once.
  const isCounted = stack?.exact === true || stack?.margin !== undefined;
  if (running || stack === null || !isCounted) return null;
  const count = await counter.count([text, ...restored]).catch(() => null);
  if (count === null) return null;
  const said = [...count.tokens, ...mentions.map(({ tokens }) => tokens)].reduce((a, b) => a + b, 0);
  const own = said + foundTokens.least;
  // A prompt that is being prefilled is another one than the shown one where the mode has changed; a message ends the prefill.
  const left = warming === null ? stack.total - (warm?.warmed ?? 0) - (ahead ?? 0) : warming.of - warming.done;
  const tokens = left + own;
  const { high } = stack.budget;
  const pinned = stack.layers.reduce((sum, { layer, tokens: size }) => sum + (head.has(layer) ? size : 0), 0);
  const fits = stack.total + own <= high ? 'enough' : pinned + own <= high ? 'crossing' : 'none';
  // Nobody knows what of the slot will serve while idle work rests.
  if (resting && fits !== 'none') return null;
  const most = said + foundTokens.most;
  const milliseconds = predicted(pace, tokens);
  return { tokens, own, most, later: laterOf(turns), milliseconds, fits, exact: stack.exact && count.exact };
}

/** So many turns count: what a conversation is about changes. */
const lookBack = 4;

/** Tokens that calls behind the first decoded, in the mean of the last turns that ended well. */
function laterOf(turns: ViewState['turns']): number {
  const last = turns.filter(({ end }) => end === 'done').slice(-lookBack);
  return last.length === 0 ? 0 : Math.round(last.reduce((sum, { later }) => sum + later, 0) / last.length);
}
