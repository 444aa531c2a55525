// No words of the user are lost, and none are said in another session, whatever happens while they wait.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { gate, kinds, memoryJournal, memoryStorage, openChat } from '../scenes/openChat.ts';

test('New Session takes what waited for the answer along in the composer', async () => {
  const { chat } = openChat(['word '.repeat(50)]);
  const first = chat.send('first');
  await chat.send('second');
  await chat.send('third');
  chat.newSession();
  assert.equal(chat.snapshot.draft.text.endsWith('second\n\nthird'), true, chat.snapshot.draft.text);
  await first;
  assert.deepEqual([chat.snapshot.queue, chat.snapshot.entries], [[], []]);
});

test('so does the command /new', async () => {
  const { chat } = openChat(['word '.repeat(50)]);
  const first = chat.send('first');
  await chat.send('second');
  await chat.send('/new');
  await first;
  assert.match(chat.snapshot.draft.text, /second$/);
});

test('words that come back have a number of their own in every session, and wait for a view that is hidden', async () => {
  const { chat } = openChat([]);
  chat.draft.giveBack('words');
  const { id } = chat.snapshot.draft;
  chat.newSession();
  assert.equal(chat.snapshot.draft.text, 'words');
  chat.draft.giveBack('more');
  assert.notEqual(chat.snapshot.draft.id, id);
});

test('what could not be sent and what waited behind it come back at once', async () => {
  const { chat, engine } = openChat([]);
  const { closed, open: load } = gate();
  engine.gate = closed;
  const first = chat.send('first');
  await chat.send('second');
  const { id } = chat.snapshot.draft;
  chat.cancel();
  await first;
  assert.deepEqual(chat.snapshot.draft, { id: id + 1, text: 'first\n\nsecond' });
  load();
});

/** A chat whose prompt files come when they are let. */
function slowPrompts(answers: string[], text = 'Mind the tide.') {
  const opened = openChat(answers);
  const { closed, open } = gate();
  opened.ports.promptFiles = async () => {
    await closed;
    return [{ name: 'tide', text }];
  };
  return { ...opened, read: open };
}

test('a prompt that is read while another session is opened is not said there', async () => {
  const { chat, read } = slowPrompts(['One.', 'Two.']);
  const sent = chat.send('/tide');
  chat.newSession();
  read();
  await sent;
  assert.deepEqual(kinds(chat), []);
  assert.equal(chat.snapshot.draft.text, '/tide');
});

test('an edit to a prompt that is read while another session is opened cuts nothing there', async () => {
  const { chat, read } = slowPrompts(['One.', 'Two.']);
  await chat.send('first');
  const [first] = chat.snapshot.entries;
  assert.ok(first?.kind === 'user');
  const edited = chat.edit(first.item, '/tide');
  chat.newSession();
  await chat.send('other');
  read();
  await edited;
  assert.deepEqual(kinds(chat), ['user', 'answer']);
  assert.deepEqual(
    chat.session.state.dialog.path.map(({ origin }) => origin),
    ['user', 'assistant'],
  );
});

test('a waiting prompt that cannot be used gives back what waits behind it', async () => {
  const { chat, read } = slowPrompts(['One.'], '{{#arguments}}');
  const first = chat.send('first');
  await chat.send('/tide');
  await chat.send('last');
  read();
  await first;
  assert.deepEqual(chat.snapshot.queue, []);
  assert.equal(chat.snapshot.draft.text, '/tide\n\nlast');
  assert.equal(chat.snapshot.running, false);
});

test('what a prompt was called comes back, not its long words, when it cannot be sent', async () => {
  const { chat, engine } = openChat([]);
  const { closed, open: load } = gate();
  engine.gate = closed;
  const sent = chat.send('/explain this');
  await new Promise((resolve) => setImmediate(resolve));
  chat.cancel();
  await sent;
  assert.equal(chat.snapshot.draft.text, '/explain this');
  load();
});

test('what a full disk kept from being remembered comes back', async () => {
  const storage = memoryStorage(memoryJournal({ items: [], sessions: [] }));
  const putMemory = () => {
    throw new FaultError({ kind: 'storeUnavailable', reason: 'the disk is full' });
  };
  const { chat } = openChat([], { ...storage, shelves: { ...storage.shelves, putMemory } });
  await chat.send('/remember the tide turns at six');
  assert.deepEqual(kinds(chat), ['fault']);
  assert.equal(chat.snapshot.draft.text, '/remember the tide turns at six');
});

test('what is written while another message waits keeps its cost and its mentions when that one is sent', async () => {
  const { chat, ports } = openChat(['One.', 'Two.']);
  ports.mentions = { ...ports.mentions, resolve: async () => ({ ok: true, head: 'a.ts', body: 'text' }) };
  const first = chat.send('first');
  await chat.send('second');
  await chat.draft.written('third with @file:a.ts');
  await first;
  assert.deepEqual(
    chat.snapshot.mentions.map(({ title }) => title),
    ['a.ts'],
  );
  assert.notEqual(chat.snapshot.forecast, null);
});

test('what a command answered while the model was loading stays when that fails', async () => {
  const { chat, engine } = openChat([]);
  const { closed, open: load } = gate();
  engine.gate = closed;
  engine.failLoads = new FaultError({ kind: 'engineFailed', reason: 'no' });
  const sent = chat.send('first');
  await chat.send('/help');
  assert.deepEqual(kinds(chat), ['user', 'info']);
  load();
  await sent;
  assert.deepEqual(kinds(chat), ['info', 'fault']);
  assert.equal(chat.snapshot.draft.text, 'first');
});
