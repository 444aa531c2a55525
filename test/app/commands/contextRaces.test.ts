// `/context` when things happen at the same time: a running answer, a new session, an edit, a busy journal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { gate, kinds, memoryJournal, openChat, type Stored } from '../scenes/openChat.ts';

test('a command while an answer runs is answered, and the answer ends as it would', async () => {
  const { chat } = openChat(['word '.repeat(50)]);
  const sent = chat.send('hi');
  await Promise.all([sent, chat.send('/context list')]);
  assert.deepEqual(kinds(chat).toSorted(), ['answer', 'info', 'user']);
  assert.equal(chat.snapshot.draft.text, '');
  const answer = chat.snapshot.entries.find((entry) => entry.kind === 'answer');
  assert.equal(answer?.end, 'done');
});

test('an export that fails while an answer runs says so and does not split the answer', async () => {
  const { chat, engine, opened } = openChat(['word '.repeat(80)]);
  await chat.open();
  const { request } = engine;
  engine.request = (name, params) =>
    name === 'spell' ? Promise.reject(new FaultError({ kind: 'engineFailed', reason: 'no' })) : request(name, params);
  let exported: Promise<void> | null = null;
  chat.subscribe((delta) => {
    if (delta.type === 'text') exported ??= chat.command('/context export json');
  });
  await chat.send('hi');
  await exported;
  assert.deepEqual(kinds(chat), ['user', 'answer', 'fault']);
  assert.deepEqual(opened, []);
  assert.ok(chat.snapshot.entries.some((entry) => entry.kind === 'answer' && entry.end === 'done'));
});

test('a new session while a command waits for the model gets nothing of it', async () => {
  const stored: Stored = { items: [], sessions: [] };
  const first = openChat(['one'], memoryJournal(stored));
  await first.chat.send('hi');
  const { chat, engine } = openChat([], memoryJournal(stored));
  const { closed, open: load } = gate();
  engine.gate = closed;
  const asked = chat.send('/context evict 0');
  chat.newSession();
  load();
  await asked;
  assert.deepEqual(chat.snapshot.entries, []);
  assert.equal(stored.marks, undefined);
});

test('a message edited while a command waits does not move the command to another item', async () => {
  const stored: Stored = { items: [], sessions: [] };
  const { chat, engine, deltas } = openChat(['one', 'two', 'three'], memoryJournal(stored));
  await chat.send('first');
  await chat.send('second');
  const { request } = engine;
  const { closed, open } = gate();
  engine.request = async (name, params) => {
    if (name === 'measure') await closed;
    return request(name, params);
  };
  const asked = chat.send('/context detail 2');
  await new Promise((resolve) => setImmediate(resolve));
  const second = chat.snapshot.entries.findLast((entry) => entry.kind === 'user');
  assert.ok(second?.kind === 'user');
  const edited = chat.edit(second.item, 'another');
  open();
  await Promise.all([asked, edited]);
  // What was edited may take it away again.
  const told = deltas.flatMap((delta) => (delta.type === 'entry' ? [delta.entry] : []));
  const info = told.find(({ kind }) => kind === 'info');
  assert.ok(info?.kind === 'info' && /As sent:\n```\nsecond\n```/.test(info.text), JSON.stringify(info));
});

test('marks of a busy journal are kept with the next one that works, and the notice goes', async () => {
  const stored: Stored = { items: [], sessions: [] };
  const journal = memoryJournal(stored);
  let busy = true;
  const { chat } = openChat(['one'], {
    ...journal,
    setMarks: (session, marks) => {
      if (busy) throw new FaultError({ kind: 'storeUnavailable', reason: 'busy' });
      journal.setMarks(session, marks);
    },
  });
  await chat.send('hi');
  await chat.send('/context pin 0');
  assert.match(chat.snapshot.notice, /busy/);
  busy = false;
  await chat.send('/context pin 1');
  assert.equal(stored.marks?.pinned.size, 2);
  assert.equal(chat.snapshot.notice, '');
});
