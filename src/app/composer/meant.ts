// What a draft would be as a message, with the texts that would go beside it.

import { graphFor } from '../../core/abilities/abilities.ts';
import { answering } from '../../core/agent/graph.ts';
import { dayInMessage, modelAgent } from '../../core/agent/modelAgent.ts';
import { datedText, dayOf, saidOn } from '../../core/dialog/day.ts';
import type { Signal } from '../../core/dialog/tool.ts';
import type { Pace } from '../../core/kv/pace.ts';
import { type Budget, budgetFor } from '../../core/prompt/budget.ts';
import { attachedTexts } from '../../core/prompt/found.ts';
import type { ViewState } from '../../protocol/view.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import type { Session } from '../session/session.ts';
import type { AgentEngines } from '../slots/windowEngines.ts';
import { besideNext } from '../turn/besideNext.ts';
import { attachmentsOf, type FoundChoice, findingState, foundFor, foundViews, groundOf } from '../turn/finding.ts';
import { attach } from '../turn/mentions.ts';
import { Draft, type Meant } from './draft.ts';
import type { Prompts } from './prompts.ts';

interface Talk {
  readonly snapshot: ViewState;
  readonly session: Session;
  readonly prompts: Prompts;
  readonly engines: Pick<AgentEngines, 'window'>;
}

/** The draft of a conversation. */
export function draftOf(
  chat: Talk & ConstructorParameters<typeof Draft>[0] & { readonly turns: { readonly pace: Pace } },
  ports: ConversationPorts,
): Draft {
  return new Draft(
    chat,
    ports.counter,
    () => chat.turns.pace,
    (text, choice, signal) => meantBy(text, choice, chat, ports, signal),
  );
}

async function meantBy(
  draft: string,
  choice: FoundChoice,
  chat: Talk,
  ports: ConversationPorts,
  signal: Signal,
): Promise<Meant> {
  const words = draft.startsWith('/') ? await chat.prompts.expand(draft) : { ok: true as const, text: draft };
  if (!words.ok || words.text.startsWith('/')) return null;
  const { mentions, counter, wantedWindow, settings } = ports;
  // What is brought must fit into the smallest window of all that read it.
  const budget = budgetFor(chat.engines.window ?? wantedWindow(), settings().agent.policy);
  const [attached, found] = await Promise.all([
    attach(words.text, mentions, counter, budget.high, signal),
    foundBy(words.text, choice, chat, ports, budget, signal),
  ]);
  const restored = besideNext(chat.session, ports.changedFiles).flatMap(attachedTexts);
  return { text: asSent(words.text, chat, ports), mentions: attached.map(({ shown }) => shown), restored, ...found };
}

/** With the day, where the message is one that tells it. */
function asSent(text: string, { session, snapshot }: Talk, { now }: ConversationPorts): string {
  const day = dayInMessage(modelAgent(snapshot.engine.model?.name), dayOf(now()));
  return datedText(saidOn({ text, ...day }, session.state.dialog.path));
}

type FoundPart = Pick<NonNullable<Meant>, 'found' | 'weak' | 'foundTokens'>;
const nothing: FoundPart = { found: [], weak: '', foundTokens: { least: 0, most: 0 } };

/** By words alone, while the user writes: meaning is asked for once the message is sent. */
async function foundBy(
  text: string,
  choice: FoundChoice,
  { session, snapshot }: Talk,
  ports: ConversationPorts,
  { high }: Budget,
  signal: Signal,
): Promise<FoundPart> {
  const { agent } = ports.settings();
  if (agent.retrieval === null || snapshot.engine.model?.pocket === true) return nothing;
  const talked = findingState(session.state, answering(graphFor(agent, null)).slot, true);
  const ground = groundOf(ports, agent.retrieval, high, { meaning: false, choice });
  const fitted = await foundFor(text, talked, ground, signal);
  const texts = attachmentsOf(fitted).flatMap(attachedTexts);
  const counts = texts.length === 0 ? [] : (await ports.counter.count(texts)).tokens;
  const least = counts.reduce((a, b) => a + b, 0);
  const most = ports.finding.embeds ? Math.max(least, ground.room) : least;
  return { found: foundViews(fitted, choice), weak: fitted.weak, foundTokens: { least, most } };
}
