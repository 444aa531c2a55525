// Works out what a draft would be as a message, with the texts that would go beside it.

import { graphFor } from '../../core/abilities/abilities.ts';
import { answering } from '../../core/agent/graph.ts';
import { intentOf } from '../../core/agent/intent.ts';
import { dayInMessage, modelAgent } from '../../core/agent/modelAgent.ts';
import { datedText, dayOf, saidOn } from '../../core/dialog/day.ts';
import { filesAmong } from '../../core/dialog/filesNamed.ts';
import type { Signal } from '../../core/dialog/tool.ts';
import { type Budget, budgetFor } from '../../core/prompt/budget.ts';
import type { FittedPassages } from '../../core/prompt/fitFound.ts';
import { attachedTexts, nothingFound } from '../../core/prompt/found.ts';
import { amountFor } from '../../core/turn/amount.ts';
import type { Attachment } from '../../core/turn/turnPorts.ts';
import type { ChangedFiles } from '../ports/changedFiles.ts';
import type { ShownView } from '../ports/shownView.ts';
import type { Conversation } from '../session/conversation.ts';
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
import { forecastOf } from './forecast.ts';
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
  const again = besideNext(parts.conversation.session, parts.changedFiles);
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

interface FoundPart extends Pick<NonNullable<Meant>, 'found' | 'weak' | 'foundTokens'> {
  readonly fitted: Pick<FittedPassages, 'passages' | 'weak'>;
}

const nothing: FoundPart = { found: [], weak: '', foundTokens: { least: 0, most: 0 }, fitted: nothingFound };

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
  return { found: foundViews(fitted, choice), weak: fitted.weak, foundTokens: { least, most }, fitted };
}
