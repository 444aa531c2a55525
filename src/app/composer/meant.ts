// What a draft would be as a message, with the texts that would go beside it.

import { graphFor } from '../../core/abilities/abilities.ts';
import { answering } from '../../core/agent/graph.ts';
import { dayInMessage, modelAgent } from '../../core/agent/modelAgent.ts';
import { datedText, dayOf, saidOn } from '../../core/dialog/day.ts';
import type { Signal } from '../../core/dialog/tool.ts';
import type { Pace } from '../../core/kv/pace.ts';
import { type Budget, budgetFor } from '../../core/prompt/budget.ts';
import { attachedTexts } from '../../core/prompt/found.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import type { Conversation } from '../session/conversation.ts';
import type { AgentEngines } from '../slots/windowEngines.ts';
import { besideNext } from '../turn/besideNext.ts';
import { attachmentsOf, type FoundChoice, findingState, foundFor, foundViews, groundOf } from '../turn/finding.ts';
import { attach } from '../turn/mentions.ts';
import { Draft, type Meant } from './draft.ts';
import { forecastOf } from './forecast.ts';
import type { Prompts } from './prompts.ts';

/** The conversation that a draft is written for. */
export interface DraftParts {
  readonly conversation: Conversation;
  readonly view: ConstructorParameters<typeof Draft>[0];
  readonly engines: Pick<AgentEngines, 'life' | 'window'>;
  readonly turns: { readonly pace: Pace };
  readonly prompts: Prompts;
}

export function draftOf(parts: DraftParts, ports: ConversationPorts): Draft {
  const { conversation, view, engines, turns } = parts;
  return new Draft(
    view,
    (text, choice, signal) => meantBy(text, choice, parts, ports, signal),
    async (meant) =>
      engines.life.loaded === null ? null : forecastOf(meant, conversation.now, ports.counter, turns.pace),
  );
}

async function meantBy(
  draft: string,
  choice: FoundChoice,
  parts: DraftParts,
  ports: ConversationPorts,
  signal: Signal,
): Promise<Meant> {
  const words = draft.startsWith('/') ? await parts.prompts.expand(draft) : { ok: true as const, text: draft };
  if (!words.ok || words.text.startsWith('/')) return null;
  const { mentions, counter, wantedWindow, settings } = ports;
  // What is brought must fit into the smallest window of all that read it.
  const budget = budgetFor(parts.engines.window ?? wantedWindow(), settings().agent.policy);
  const [attached, found] = await Promise.all([
    attach(words.text, mentions, counter, budget.high, signal),
    foundBy(words.text, choice, parts, ports, budget, signal),
  ]);
  const restored = besideNext(parts.conversation.session, ports.changedFiles).flatMap(attachedTexts);
  return { text: asSent(words.text, parts, ports), mentions: attached.map(({ shown }) => shown), restored, ...found };
}

/** With the day, where the message is one that tells it. */
function asSent(text: string, { conversation, engines }: DraftParts, { now }: ConversationPorts): string {
  const day = dayInMessage(modelAgent(engines.life.loaded?.name), dayOf(now()));
  return datedText(saidOn({ text, ...day }, conversation.session.state.dialog.path));
}

type FoundPart = Pick<NonNullable<Meant>, 'found' | 'weak' | 'foundTokens'>;
const nothing: FoundPart = { found: [], weak: '', foundTokens: { least: 0, most: 0 } };

/** By words alone, while the user writes: meaning is asked for once the message is sent. */
async function foundBy(
  text: string,
  choice: FoundChoice,
  { conversation, engines }: DraftParts,
  ports: ConversationPorts,
  { high }: Budget,
  signal: Signal,
): Promise<FoundPart> {
  const { agent } = ports.settings();
  if (agent.retrieval === null || modelAgent(engines.life.loaded?.name)?.looksUp === false) return nothing;
  const talked = findingState(conversation.session.state, answering(graphFor(agent, null)).slot, true);
  const ground = groundOf(ports, agent.retrieval, high, { meaning: false, choice, onlyNamed: agent.edits });
  const fitted = await foundFor(text, talked, ground, signal);
  const texts = attachmentsOf(fitted).flatMap(attachedTexts);
  const counts = texts.length === 0 ? [] : (await ports.counter.count(texts)).tokens;
  const least = counts.reduce((a, b) => a + b, 0);
  const most = ports.finding.embeds ? Math.max(least, ground.room) : least;
  return { found: foundViews(fitted, choice), weak: fitted.weak, foundTokens: { least, most } };
}
