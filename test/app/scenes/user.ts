// The acts of a user, and of the window around a conversation, for tests.

import { Completions } from '../../../src/app/composer/completions.ts';
import { Prompts } from '../../../src/app/composer/prompts.ts';
import type { Act } from '../../../src/core/agent/intent.ts';
import { ending } from '../../../src/host/system/ending.ts';
import type { ViewState } from '../../../src/protocol/view.ts';
import type { OpenedChat } from './openChat.ts';

/** Acts in the composer and on messages. Ids of messages are those that are shown. */
export function userOf({ chat, ports }: OpenedChat) {
  const { view, sessions, ready, sending, draft, commands } = chat;
  return {
    /** Sends a message or a command, and waits for all that follows from it. */
    say: (text: string) => sending.send(text),
    /** Sends a message without what would be found for it. */
    sayAlone: (text: string) => sending.sendAlone(text),
    /** Gives a command as the palette does; null for words to the model. */
    command: (line: string) => sending.command(line),
    /** Writes into the composer, and waits until the draft's cost is known. */
    write: (text: string) => draft.written(text),
    /** Decides about a passage that was found for the draft. */
    choosePassage: (at: string, as: 'removed' | 'pinned' | 'unpinned') => draft.choose(at, as),
    /** Runs the commands of a shell block. */
    chooseIntent: (act: Act, command = '', without = '') => draft.decide(act, command, without),
    runBlock: (command: string) => sending.runBlock(command),
    fix: (command?: string) => sending.fix(command),
    answerInstead: (item: string, text: string) => sending.answerInstead(item, text),
    /** Stops the answer. */
    stop: () => sending.cancel(),
    /** Goes on with the last answer; the words are sent where the engine cannot. */
    continueAnswer: (words = 'Continue.') => sending.continueAnswer(words),
    /** Ends the answer as the end of the window does. */
    interrupt: () => sending.interrupt(),
    /** Asks the last message again. */
    regenerate: () => sending.regenerate(),
    /** Replaces a message. */
    edit: (message: string, text: string) => sending.edit(message, text),
    /** Goes to a branch behind a message, from 1. */
    openBranch: (message: string, at: number) => sessions.openBranch(message, at),
    /** Takes a waiting message back, by its place in the queue. */
    takeBack: (at: number) => sending.unqueue(view.snapshot.queue[at]?.id ?? 0),
    /** Says yes or no to a call. */
    allow: (call: string, yes: boolean) => sending.approvals.answer(call, yes),
    /** Says yes or no to something that a compaction proposes to remember. */
    answerProposal: (compaction: string, proposal: string, keep: boolean) =>
      commands.answerProposal(sessions.session, view.transcript, { compaction, proposal, keep }),
    /** Marks an item at once, without what else a command does. */
    mark: (item: string, as: 'pinned' | 'evicted') => sessions.session.apply({ type: 'marked', item, as }),
    /** Looks up the names that may stand in the composer. */
    completions: new Completions(ports.project.mentions, new Prompts(ports.project)) as Pick<
      Completions,
      'complete' | 'mention'
    >,
    /** Chooses an agent for the conversation. */
    chooseAgent: (agent: string, atOnce = false) => sessions.choose({ agent, ...(atOnce ? { atOnce } : {}) }),
    /** Presses the button for thoughts. */
    think: (on: boolean) => sessions.think(on),
    /** Has files changed at once, and looks at them afterwards. */
    changeAtOnce: () => sessions.choose({ agent: null, atOnce: true }),
    /** Takes changed workspace texts into the next prompt. */
    refresh: () => ready.refreshWorkspace(),
  };
}

/** Conversations that come and go, and events of the window. */
export function windowOf({ chat, together }: OpenedChat) {
  const { view, sessions, ready, draft } = chat;
  return {
    /** Begins a new conversation. */
    newConversation: () => sessions.newSession(),
    /** Opens a stored conversation; words where it cannot be opened. */
    openConversation: (id: string) => sessions.openSession(id),
    /** Deletes a stored conversation; words where it cannot be deleted. */
    deleteConversation: (id: string) => sessions.deleteSession(id),
    /** Opens the latest conversation, as a window does when it begins. */
    resume: () => sessions.resume(),
    /** Opens the latest conversation unless one was begun. */
    resumeUnlessBegun: () => sessions.resumeUnlessBegun(),
    /** Loads the model and prepares the next prompt, as an opened view and a changed setting do. */
    ready: () => ready.open(),
    /** Tells that workspace files changed. */
    filesChanged: () => ready.showStale(),
    /** Tells that the index changed: what stands in the composer is looked at again. */
    indexChanged: () => draft.again(),
    /** Shows something in the conversation: a list, a notice. */
    show: (values: Partial<ViewState>) => view.set(values),
    /** Closes the place of the conversation while the window goes on. */
    close: () => sessions.close(),
    /** Closes the window at once. */
    dispose: () => sessions.dispose(),
    /** Prepares the end of the window, one step after the other; the end may be called twice. */
    ending: (below: () => void = () => undefined) =>
      ending({
        chats: () => [chat],
        snapshots: together.engines,
        engine: { close: async () => undefined },
        below: [below],
      }),
    /** Stores the state of the slots. */
    keepSlots: () => sessions.keepSlots(),
    /** Deletes stored slots that are of no use. */
    tidySlots: () => together.engines.tidy(),
  };
}
