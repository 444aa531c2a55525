// The chat when things happen at the same time, or are cut off: loading, stopping, new sessions, crashes, a busy journal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Item } from '../../../src/core/dialog/dialog.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import type { Journal } from '../../../src/core/stored/storedSession.ts';
import { gate, kinds, memoryJournal, openChat, type Stored } from '../scenes/openChat.ts';

test('a question shows while the model loads, and Stop gives its words back at once', async () => {
  const { chat, engine } = openChat([]);
  const { closed, open: load } = gate();
  engine.gate = closed;
  const sent = chat.send('while loading');
  assert.deepEqual(kinds(chat), ['user']);
  chat.cancel();
  await sent;
  assert.deepEqual(kinds(chat), []);
  assert.equal(chat.snapshot.draft.text, 'while loading');
  assert.equal(chat.snapshot.running, false);
  load();
});

test('New Session while a question waits for the model leaves the old session as it was', async () => {
  const stored: Stored = { items: [], sessions: [] };
  const { chat, engine } = openChat(['one'], memoryJournal(stored));
  await chat.send('first');
  const { closed, open: load } = gate();
  engine.gate = closed;
  const sent = chat.send('second');
  chat.newSession();
  load();
  await sent;
  assert.deepEqual(chat.snapshot.entries, []);
  assert.equal(stored.items.length, 2);
});

test('a load that is no longer wanted does not speak, and the new one is loaded once', async () => {
  const { chat, engine, wanted } = openChat(['yes']);
  const { closed, open: load } = gate();
  engine.gate = closed;
  const first = chat.open();
  wanted.load = { ...wanted.load, contextSize: 1024 as 2048 };
  const second = chat.open();
  load();
  await Promise.all([first, second]);
  assert.equal(chat.snapshot.engine.state, 'ready');
  assert.equal(engine.log.filter((name) => name === 'load').length, 2);
  assert.equal(engine.log.filter((name) => name === 'dispose').length, 1);
});

test('after a crash in an answer nothing idle runs before the restart, and no notice stays', async () => {
  const { chat, engine } = openChat([{ crash: 'The' }]);
  await chat.send('hi');
  assert.equal(engine.log.at(-1), 'generate');
  assert.equal(chat.snapshot.notice, '');
});

test('a turn cut off by the end of the window is closed when its session comes back', () => {
  const cut: Item[] = [
    { origin: 'user', id: 'a', parent: null, text: 'hi' },
    { origin: 'call', id: 'b', parent: 'a', text: '', calls: [{ id: 'c1', name: 'echo', arguments: {} }] },
  ];
  const stored: Stored = { items: [...cut], sessions: ['s'] };
  const { chat } = openChat([], memoryJournal(stored));
  assert.deepEqual(
    stored.items.map(({ origin }) => origin),
    ['user', 'call', 'result', 'assistant'],
  );
  assert.ok(chat.snapshot.entries.every((entry) => entry.kind !== 'step' || entry.state === 'failed'));
});

test('an item that could not be stored is stored before the next one', async () => {
  const stored: Stored = { items: [], sessions: [] };
  const journal = memoryJournal(stored);
  let busy = 1;
  const flaky: Journal = {
    ...journal,
    appendItem: (session, item) => {
      if (busy-- > 0) throw new FaultError({ kind: 'storeUnavailable', reason: 'busy' });
      journal.appendItem(session, item);
    },
  };
  const { chat } = openChat(['yes'], flaky);
  await chat.send('hi');
  assert.deepEqual(
    stored.items.map(({ origin }) => origin),
    ['user', 'assistant'],
  );
  assert.equal(chat.snapshot.notice, '');
});

test('an edit without words, or while an answer runs, changes nothing and loses no words', async () => {
  const { chat } = openChat(['one', 'word '.repeat(50)]);
  await chat.send('first');
  const [first] = chat.snapshot.entries;
  assert.ok(first?.kind === 'user');
  await chat.edit(first.item, '  ');
  assert.deepEqual(kinds(chat), ['user', 'answer']);
  const running = chat.send('second');
  await chat.edit(first.item, 'edited');
  assert.equal(chat.snapshot.draft.text, 'edited');
  await running;
  assert.deepEqual(kinds(chat), ['user', 'answer', 'user', 'answer']);
});

test('a window without folders begins a new session and resumes none', async () => {
  const stored: Stored = { items: [{ origin: 'user', id: 'a', parent: null, text: 'other window' }], sessions: ['s'] };
  const { chat, ports } = openChat([], memoryJournal(stored), []);
  assert.equal(ports.folders().length, 0);
  assert.deepEqual(chat.snapshot.entries, []);
});
