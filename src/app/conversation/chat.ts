// A chat: one conversation with its view and all that works on it, put together.
import { Commands } from '../commands/commands.ts';
import { Compactions } from '../compaction/compactions.ts';
import type { Draft } from '../composer/draft.ts';
import { draftOf } from '../composer/meant.ts';
import { Prompts } from '../composer/prompts.ts';
import { IdleWork } from '../idle/idleWork.ts';
import { Readiness } from '../idle/readiness.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import type { CheckedStorage } from '../ports/storage.ts';
import { Conversation } from '../session/conversation.ts';
import { Sessions } from '../session/sessions.ts';
import type { EditorWindow } from '../slots/editorWindow.ts';
import { AgentEngines } from '../slots/windowEngines.ts';
import { Turns } from '../turn/turns.ts';
import { answerCommand } from './answerCommand.ts';
import { ChatSessions } from './chatSessions.ts';
import { ChatView } from './chatView.ts';
import { readWhileWriting } from './readWhileWriting.ts';
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
  const changes = showChangesIn(conversation, view, changedFiles);
  const slots = window.engines;
  const sessions: ChatSessions = new ChatSessions({ conversation, view, stored, ready, sending, changes, slots });
  const forModel = (line: string) => sending.forModel(line);
  const asked = { conversation, turns, ready, sessions, ownPrompts: () => prompts.own(), forModel };
  const commands: Commands = new Commands(asked, storage, editor);
  return { view, sessions, ready, sending, draft, commands, turns };
}
