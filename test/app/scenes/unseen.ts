// A conversation that nothing shows, and all that it says in events, for tests.
import { Compactions } from '../../../src/app/compaction/compactions.ts';
import { Sending } from '../../../src/app/conversation/sending.ts';
import { IdleWork } from '../../../src/app/idle/idleWork.ts';
import { Conversation, type ConversationEvent } from '../../../src/app/session/conversation.ts';
import { copyOf } from '../../../src/app/session/session.ts';
import { createEditorWindow } from '../../../src/app/slots/editorWindow.ts';
import { AgentEngines } from '../../../src/app/slots/windowEngines.ts';
import { noChoice } from '../../../src/app/turn/finding.ts';
import { meantNow } from '../../../src/app/turn/meantNow.ts';
import { Turns } from '../../../src/app/turn/turns.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { modelsOf } from './editor.ts';
import { openChat } from './openChat.ts';
import type { Say } from './scriptedModel.ts';

export function openUnseen(script: Say[]) {
  const { engine, life, ports, editor, chat } = openChat(script);
  const fresh = () => copyOf(chat.sessions.session, chat.sessions.session.state);
  const conversation = new Conversation(fresh());
  const events: ConversationEvent[] = [];
  conversation.subscribe((event) => events.push(event));
  const { clock, project, tokens } = ports;
  const settings = () => ports.settings(null);
  const machine = { settings, clock, snapshotFiles: null, power: () => editor.power() };
  const together = createEditorWindow({ engine, life }, modelsOf(editor), null, machine);
  const engines = new AgentEngines(together.engines, () => settings().agent);
  const turns = new Turns({ engines, memory: null, settings, project, counter: tokens.counter, clock }, tokens, null);
  const compactions = new Compactions(engines, clock, null, ports.holder);
  const back: string[] = [];
  const open = async () => work.settle(conversation.session, await life.ensure());
  const work = new IdleWork(conversation, { open, prepared: async () => undefined }, turns, compactions, together);
  const composer = {
    take: () => undefined,
    giveBack: (text: string) => void back.push(text),
    takeBack: (text: string) => back.at(-1) === text && back.pop() !== undefined,
  };
  const expand = async (text: string) => ({ ok: true as const, text });
  const meant = (text: string) => meantNow(text, project.mentions, noChoice);
  const parts = {
    meant,
    command: () => null,
    expand,
    composer,
    offerUndo: async () => true,
    undo: async () => [],
    open,
  };
  const sending = new Sending(conversation, parts, turns, work);
  const { ready } = life;
  return {
    /** Its events, and the words that came back to the composer. */
    ...{ events, back },
    /** Sends a message, and waits for all that follows from it. */
    say: (text: string) => sending.send(text),
    /** Tells that the model is here by now. */
    resend: () => sending.resend(),
    said: () => conversation.session.state.dialog.path,
    /** Follows the conversation of now, also once it was left. */
    kept: () => {
      const { session } = conversation;
      return () => session.state.dialog.path;
    },
    turns: () => conversation.session.state.dialog.turns,
    running: () => conversation.now.running,
    calls: () => conversation.now.calls,
    stack: () => conversation.now.stack,
    /** Goes over to a new conversation. */
    leave: () => {
      sending.leave();
      conversation.open(fresh(), []);
    },
    /** Gives the model to another window, or back. */
    modelElsewhere: (is: boolean) => {
      life.ready = is ? () => Promise.reject(new FaultError({ kind: 'modelElsewhere' })) : ready;
    },
  };
}
