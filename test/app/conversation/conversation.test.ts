// A conversation without a view: it runs turns, queues and settles with nobody looking, and says in events what happens.
import assert from 'node:assert/strict';
import { test } from 'node:test';
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
import { openChat } from '../scenes/openChat.ts';
import type { Say } from '../scenes/scriptedModel.ts';

/** A conversation that nothing shows, and all that it says. */
function unseen(script: Say[]) {
  const { engine, life, ports, chat } = openChat(script);
  const fresh = () => copyOf(chat.session, chat.session.state);
  const conversation = new Conversation(fresh());
  const events: ConversationEvent[] = [];
  conversation.subscribe((event) => events.push(event));
  const together = createEditorWindow(engine, life, null, ports);
  const engines = new AgentEngines(together.engines, () => ports.settings().agent);
  const turns = new Turns(engines, ports, null);
  const folding = new Compactions(engines, ports, null);
  const back: string[] = [];
  const open = async () => work.settle(conversation.session, await life.ensure());
  const work = new IdleWork(conversation, { open, prepared: async () => undefined }, turns, folding, {
    ...together,
    engines,
    ports,
  });
  const composer = {
    take: () => undefined,
    giveBack: (text: string) => void back.push(text),
    takeBack: (text: string) => back.at(-1) === text && back.pop() !== undefined,
  };
  const expand = async (text: string) => ({ ok: true as const, text });
  const meant = (text: string) => meantNow(text, ports.mentions, noChoice);
  const sending = new Sending(
    conversation,
    { meant, command: () => null, expand, composer, offerUndo: async () => true, open },
    engines,
    turns,
    work,
  );
  return { conversation, sending, events, back, fresh, life, types: () => events.map(({ type }) => type) };
}

test('a turn runs and the slot is made ready with nobody looking', async () => {
  const { conversation, sending, types } = unseen([{ call: 'echo', arguments: { a: 1 } }, 'It is there.']);
  await sending.send('where is it?');
  assert.deepEqual(
    conversation.session.state.dialog.path.map(({ origin }) => origin),
    ['user', 'call', 'result', 'assistant'],
  );
  assert.deepEqual([conversation.running, conversation.calls.length], [false, 2]);
  assert.ok((conversation.stack?.total ?? 0) > 0);
  const seen = types().filter((type) => !['turn', 'warming', 'slots'].includes(type));
  assert.deepEqual(seen, ['running', 'modelAsked', 'asked', 'called', 'called', 'ended', 'running', 'stack', 'warm']);
});

test('what is sent meanwhile waits, is said to wait, and is sent in its order', async () => {
  const { conversation, sending, events } = unseen(['one', 'two', 'three']);
  await Promise.all([sending.send('first'), sending.send('second'), sending.send('third')]);
  const said = conversation.session.state.dialog.path.flatMap((item) => (item.origin === 'user' ? [item.text] : []));
  assert.deepEqual(said, ['first', 'second', 'third']);
  const queues = events.flatMap((event) => (event.type === 'queued' ? [event.queue.map(({ text }) => text)] : []));
  assert.deepEqual(queues, [['second'], ['second', 'third'], ['third'], []]);
});

test('a failure is an event, and what waited comes back', async () => {
  const { conversation, sending, events, back } = unseen([{ crash: 'so f' }]);
  await Promise.all([sending.send('first'), sending.send('second')]);
  assert.deepEqual([conversation.running, back], [false, ['second']]);
  const failed = events.find((event) => event.type === 'failed');
  assert.equal(failed?.type === 'failed' && failed.canContinue, true);
});

test('what happens in a session that was left concerns nobody, and the turn there still ends', async () => {
  const { conversation, sending, events, fresh } = unseen(['word '.repeat(40)]);
  const left = conversation.session;
  const turn = sending.send('first');
  while (!events.some((event) => event.type === 'turn' && event.event.type === 'text')) await new Promise(setImmediate);
  sending.leave();
  conversation.open(fresh(), []);
  events.length = 0;
  await turn;
  assert.deepEqual(events, []);
  assert.equal(left.state.dialog.path.at(-1)?.origin, 'assistant');
  assert.equal(conversation.running, false);
});

test('a message that another window kept from the model goes once it is loaded here, unless it was changed by then', async () => {
  const { conversation, sending, back, life } = unseen(['It is there.', 'And here.']);
  const { ready } = life;
  const missing = () => Promise.reject(new FaultError({ kind: 'modelElsewhere' }));
  life.ready = missing;
  await sending.send('where is it?');
  assert.deepEqual([back, conversation.session.state.dialog.turns], [['where is it?'], 0]);
  life.ready = ready;
  await sending.resend();
  assert.deepEqual([back, conversation.session.state.dialog.turns], [[], 1]);
  life.ready = missing;
  await sending.send('and then?');
  life.ready = ready;
  back.push('and then what?');
  await sending.resend();
  assert.deepEqual([back.length, conversation.session.state.dialog.turns], [2, 1]);
});
