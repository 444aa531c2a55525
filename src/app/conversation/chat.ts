// A chat: one conversation with its view and all that works on it, put together.

import { isUndecided } from '../../core/agent/intent.ts';
import { faultOf } from '../../core/faults/faults.ts';
import type { Attachment } from '../../core/turn/turnPorts.ts';
import { Commands } from '../commands/commands.ts';
import { Compactions } from '../compaction/compactions.ts';
import type { Draft, Meant } from '../composer/draft.ts';
import { draftOf } from '../composer/meant.ts';
import { Prompts } from '../composer/prompts.ts';
import { IdleWork } from '../idle/idleWork.ts';
import { Readiness } from '../idle/readiness.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import type { CheckedStorage } from '../ports/storage.ts';
import { Conversation, type ConversationEvent } from '../session/conversation.ts';
import { Sessions } from '../session/sessions.ts';
import type { EditorWindow } from '../slots/editorWindow.ts';
import { AgentEngines } from '../slots/windowEngines.ts';
import { Turns } from '../turn/turns.ts';
import { ChatSessions } from './chatSessions.ts';
import { ChatView } from './chatView.ts';
import { Sending } from './sending.ts';
import { sendingPorts } from './sendingPorts.ts';
import { showChangesIn } from './shownChanges.ts';

export interface Chat {
  readonly view: ChatView;
  readonly sessions: ChatSessions;
  readonly ready: Readiness;
  readonly sending: Sending;
  readonly draft: Draft;
  readonly commands: Commands;
  readonly turns: Turns;
}

/** Puts a chat together. `window`: what it shares with other chats. */
export function createChat(window: EditorWindow, storage: CheckedStorage | null, ports: ConversationPorts): Chat {
  const { clock, tokens, project, editor, changedFiles, holder } = ports;
  const notify = (notice: string) => view.set({ notice });
  const stored = new Sessions(storage, ports, window.writers, notify, (words) => sessions.beginInstead(words));
  const conversation = new Conversation(stored.fresh());
  const view: ChatView = new ChatView(conversation);
  const settings = () => ports.settings(conversation.session.state.choices.agent);
  const agent = () => settings().agent;
  const engines = new AgentEngines(window.engines, agent, () => ready.showModels());
  const [memory, counter] = [storage?.memory ?? null, engines.counterOr(tokens.counter)];
  const context = { engines, memory, settings, project, counter, clock };
  const turns = new Turns(context, tokens, changedFiles);
  const compactions = new Compactions(engines, clock, storage?.leases ?? null, holder);
  const prepared = () => {
    ready.showStale();
    return draft.again();
  };
  const work = new IdleWork(conversation, { open: () => ready.open(), prepared }, turns, compactions, window);
  const ready: Readiness = new Readiness(conversation, view, context, work);
  const prompts = new Prompts(project);
  const draft = draftOf({ conversation, view, turns, prompts, changedFiles }, context);
  readWhileWriting(draft, conversation, work, clock);
  const command = (line: string, typed: boolean) => answerCommand(commands, view, draft, line, typed);
  const sending = new Sending(
    conversation,
    sendingPorts({ conversation, draft, prompts, ready }, ports, command),
    turns,
    work,
  );
  const changes = showChangesIn(conversation, view, changedFiles, project.programs);
  const slots = window.engines;
  const sessions: ChatSessions = new ChatSessions({
    ...{ conversation, view, stored, ready, sending, changes, slots },
    left: (session) => project.programs?.end(session),
  });
  const forModel = (line: string) => sending.forModel(line);
  const own = { ownPrompts: () => prompts.own(), fix: () => sending.fix() };
  const asked = { conversation, turns, ready, sessions, forModel, ...own };
  const commands: Commands = new Commands(asked, storage, editor);
  return { view, sessions, ready, sending, draft, commands, turns };
}

// Answers a command in the transcript of a conversation.

/** Returns null for a message to the model. `typed`: the line is the user's own, and comes back where it could not be stored. */
function answerCommand(
  commands: Commands,
  view: ChatView,
  composer: Draft,
  line: string,
  typed: boolean,
): Promise<void> | null {
  const { draft } = view.snapshot;
  const answer = commands.answer(line);
  // The session that is open now, which the command may have opened.
  const { transcript } = view;
  // Words that came back because of it stay.
  if (answer !== null && view.snapshot.draft.id === draft.id) composer.take();
  return (
    answer?.then(
      async (said) => {
        if (said?.again === true) composer.giveBack(line);
        if (said !== null && said.text !== '') transcript.info(said.title, said.text, false);
        if (!view.snapshot.running) await said?.after?.();
      },
      (error: unknown) => {
        const fault = faultOf(error);
        transcript.failed(fault, false);
        // Words that could not be kept are the user's still; those of a button are nobody's.
        if (typed && fault.kind === 'storeUnavailable') composer.giveBack(line);
      },
    ) ?? null
  );
}

// Reads while the user writes: text that the draft shows as attached or found stands in front of its words, so it is decoded before they are
// sent, once it has stayed the same for a moment. Where nothing else tells what the words want, the model is asked: before that text is read,
// so that the chip comes at once, and behind it from then on, so that nothing is read twice.

/** Behind these events a draft costs more or less. */
const prices: ReadonlySet<ConversationEvent['type']> = new Set(['ahead', 'stack', 'warm', 'warming']);

/** Milliseconds for which the draft has to bring the same. */
const moment = 700;

function readWhileWriting(
  draft: Pick<Draft, 'understood' | 'priceAgain' | 'reads' | 'asked'>,
  conversation: Pick<Conversation, 'now' | 'subscribe'>,
  work: Pick<IdleWork, 'readAhead' | 'askAhead'>,
  clock: Pick<Clock, 'wait'>,
): void {
  const told = { texts: '', words: '' };
  let latest = new AbortController();
  let reads = false;
  const ask = async (meant: NonNullable<Meant>, bring: () => Promise<readonly Attachment[]>, signal: AbortSignal) => {
    if (signal.aborted || !isUndecided(meant.intent)) return true;
    const beside = await bring();
    const act = signal.aborted ? null : await work.askAhead(meant.text, beside, meant.intent);
    if (act !== null && !signal.aborted) await draft.asked(meant.said, act);
    return act !== null;
  };
  const read = async (meant: NonNullable<Meant>, isFirst: boolean, isRead: boolean, signal: AbortSignal) => {
    await clock.wait(moment);
    const isAsked = isFirst && (await ask(meant, async () => [], signal));
    if (!isRead && !signal.aborted)
      await work.readAhead(async (stop) => {
        const { beside, passages } = await meant.ahead(stop);
        if (!signal.aborted) draft.reads(passages);
        return beside;
      });
    if (!isAsked) await ask(meant, async () => (await meant.ahead(signal)).beside, signal);
  };
  draft.understood.subscribe((meant) => {
    const brings = meant === null ? [] : [...meant.mentions, ...meant.found.map(({ place }) => place)];
    const texts = brings.length === 0 ? '' : JSON.stringify(brings);
    const words = meant !== null && isUndecided(meant.intent) ? meant.said : '';
    // Text that was read and is gone is read again.
    const isRead = texts === told.texts && (reads || conversation.now.ahead !== null);
    if (isRead && (words === told.words || words === '')) return;
    const isFirst = told.texts === '';
    Object.assign(told, { texts, words });
    latest.abort();
    const own = new AbortController();
    latest = own;
    reads = meant !== null;
    if (meant === null) return;
    void read(meant, isFirst, isRead, own.signal).finally(() => {
      if (latest === own) reads = false;
    });
  });
  conversation.subscribe(({ type }) => {
    if (prices.has(type)) void draft.priceAgain();
  });
}
