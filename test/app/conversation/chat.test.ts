// The chat over a scripted engine: what is stored, shown and said when things go well and when they do not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restartWaits } from '../../../src/app/model/modelLife.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import type { Journal } from '../../../src/core/stored/storedSession.ts';
import { emptyView, reduceView } from '../../../src/protocol/view.ts';
import { kinds, memoryJournal, openChat, type Stored } from '../scenes/openChat.ts';

test('a question with a tool step shows message, step and answer, and the fold of the deltas is the snapshot', async () => {
  const { chat, deltas } = openChat([{ call: 'echo', arguments: { a: 1 } }, 'It is **there**.']);
  await chat.send('where?');
  assert.deepEqual(kinds(chat), ['user', 'step', 'answer']);
  assert.deepEqual(deltas.reduce(reduceView, emptyView), chat.snapshot);
  const [, step, answer] = chat.snapshot.entries;
  assert.ok(step?.kind === 'step' && step.state === 'ok' && step.body === '{"a":1}');
  assert.ok(answer?.kind === 'answer' && answer.end === 'done' && answer.text === 'It is **there**.');
  assert.equal(chat.snapshot.calls.length, 2);
  assert.equal(chat.snapshot.running, false);
});

test('every item is stored before the model is called', async () => {
  const stored: Stored = { items: [], sessions: [] };
  const events: string[] = [];
  const { chat, engine } = openChat([{ call: 'echo', arguments: {} }, 'yes'], memoryJournal(stored, events));
  const push = engine.log.push.bind(engine.log);
  engine.log.push = (...names) => {
    events.push(...names);
    return push(...names);
  };
  await chat.send('hi');
  const calls = events.filter((event) => event === 'generate' || event.startsWith('stored'));
  assert.deepEqual(calls, ['stored user', 'generate', 'stored call', 'stored result', 'generate', 'stored assistant']);
});

test('after an answer the next prompt is measured and warmed', async () => {
  const { chat, engine } = openChat(['yes']);
  await chat.send('hi');
  assert.deepEqual(engine.log.slice(-2), ['measure', 'warm']);
  assert.deepEqual(chat.snapshot.warm?.warmed, 10);
  assert.ok((chat.snapshot.stack?.decisions.length ?? 0) === 2);
});

test('a crash during an answer keeps the words, says so, offers to continue, and the next question is answered', async () => {
  const stored: Stored = { items: [], sessions: [] };
  const { chat, life, waits } = openChat([{ crash: 'The begin' }, 'Here it is.'], memoryJournal(stored));
  await chat.send('hi');
  assert.deepEqual(kinds(chat), ['user', 'answer', 'fault']);
  const [, partial, fault] = chat.snapshot.entries;
  assert.ok(partial?.kind === 'answer' && partial.text === 'The begin' && partial.end === 'cancelled');
  assert.ok(fault?.kind === 'fault' && fault.canContinue && /ended unexpectedly \(SIGKILL\)/.test(fault.message));
  await life.crashed({ kind: 'engineCrashed', reason: 'SIGKILL' });
  assert.deepEqual(waits, [500]);
  assert.equal(chat.snapshot.engine.state, 'ready');
  await chat.send('Continue.');
  assert.deepEqual(kinds(chat).slice(-2), ['user', 'answer']);
  assert.deepEqual(
    stored.items.map(({ origin }) => origin),
    ['user', 'assistant', 'user', 'assistant'],
  );
});

test('restarts wait longer each time and end in words after the last', async () => {
  const { chat, life, waits } = openChat([]);
  await chat.open();
  for (let i = 0; i < 4; i++) await life.crashed({ kind: 'engineCrashed', reason: 'SIGSEGV' });
  assert.deepEqual(waits, restartWaits);
  assert.equal(chat.snapshot.engine.state, 'failed');
  assert.match(chat.snapshot.engine.advice, /crashed too often/);
});

test('a model that cannot be loaded is said, and the words go back to the composer', async () => {
  const { chat, engine } = openChat(['answer']);
  engine.failLoads = new FaultError({ kind: 'modelMissing', path: '/x.gguf' });
  await chat.send('my long question');
  assert.equal(chat.snapshot.engine.state, 'failed');
  assert.deepEqual(chat.snapshot.draft, { id: 1, text: 'my long question' });
  assert.match(chat.snapshot.engine.message, /x\.gguf does not exist/);
  assert.equal(chat.snapshot.running, false);
  engine.failLoads = null;
  await chat.send('my long question');
  assert.equal(kinds(chat).at(-1), 'answer');
});

test('stop ends the turn once and keeps the question', async () => {
  const { chat } = openChat(['word '.repeat(200)]);
  chat.subscribe((delta) => delta.type === 'text' && chat.cancel());
  await chat.send('hi');
  assert.deepEqual(kinds(chat), ['user', 'answer']);
  const answer = chat.snapshot.entries[1];
  assert.ok(answer?.kind === 'answer' && answer.end === 'cancelled');
});

test('an edited message branches: the view is cut there and both branches stay stored', async () => {
  const stored: Stored = { items: [], sessions: [] };
  const { chat } = openChat(['one', 'two', 'other'], memoryJournal(stored));
  await chat.send('first');
  await chat.send('second');
  const second = chat.snapshot.entries.findLast((entry) => entry.kind === 'user');
  assert.ok(second?.kind === 'user');
  await chat.edit(second.item, 'another');
  const texts = chat.snapshot.entries.map((entry) => ('text' in entry ? entry.text : entry.kind));
  assert.deepEqual(texts, ['first', 'one', 'another', 'other']);
  assert.equal(stored.items.length, 6);
});

test('a session comes back from the journal with all its entries', async () => {
  const stored: Stored = { items: [], sessions: [] };
  const first = openChat([{ call: 'echo', arguments: {} }, 'yes'], memoryJournal(stored));
  await first.chat.send('hi');
  const second = openChat([], memoryJournal(stored));
  // What a result takes of a prompt is known again once there is one.
  const steps = first.chat.snapshot.entries.map((entry) =>
    entry.kind === 'step' ? { ...entry, tokens: null } : entry,
  );
  assert.deepEqual(second.chat.snapshot.entries, steps);
});

test('a tool step says how long the tool ran, and what its result takes once the next prompt has it', async () => {
  const { chat } = openChat([{ call: 'echo', arguments: {} }, 'yes']);
  const told: (readonly [string, boolean, boolean])[] = [];
  chat.subscribe((delta) => {
    if (delta.type !== 'entry' || delta.entry.kind !== 'step') return;
    const { state, milliseconds, tokens } = delta.entry;
    told.push([state, milliseconds !== null, (tokens ?? 0) > 0]);
  });
  await chat.send('hi');
  assert.deepEqual(told, [
    ['running', false, false],
    ['ok', true, false],
    ['ok', true, true],
  ]);
});

test('a new session during an answer stops it, and what still arrives does not show', async () => {
  const { chat, engine } = openChat(['word '.repeat(200)]);
  const stopListening = chat.subscribe((delta) => {
    if (delta.type !== 'text') return;
    stopListening.dispose();
    chat.newSession();
  });
  await chat.send('hi');
  assert.equal(engine.cancelled, 1);
  assert.deepEqual(chat.snapshot.entries, []);
  assert.equal(chat.snapshot.running, false);
});

test('a journal that fails is said and the conversation goes on', async () => {
  const broken: Journal = {
    ...memoryJournal({ items: [], sessions: [] }),
    createSession: () => {
      throw new FaultError({ kind: 'storeUnavailable', reason: 'disk full' });
    },
  };
  const { chat } = openChat(['yes'], broken);
  await chat.send('hi');
  assert.match(chat.snapshot.notice, /disk full/);
  assert.deepEqual(kinds(chat), ['user', 'answer']);
});

test('a snapshot taken at any moment, sent as JSON and folded on, ends as the state itself', async () => {
  const { chat } = openChat([{ call: 'echo', arguments: { a: 1 } }, 'It is there.', { crash: 'The' }]);
  const rest: { readonly state: unknown; readonly deltas: unknown[] }[] = [];
  chat.subscribe((delta) => {
    for (const { deltas } of rest) deltas.push(delta);
    rest.push({ state: chat.snapshot, deltas: [] });
  });
  await chat.send('where?');
  await chat.send('and then?');
  const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));
  assert.ok(rest.length > 10);
  for (const { state, deltas } of rest) {
    const folded = plain(deltas as Parameters<typeof reduceView>[1][]).reduce(
      reduceView,
      plain(state as typeof emptyView),
    );
    assert.deepEqual(folded, plain(chat.snapshot));
  }
});

test('what is sent while an answer is written waits, and follows it in order', async () => {
  const { chat } = openChat(['One.', 'Two.', 'Three.']);
  const first = chat.send('first');
  await chat.send('second');
  await chat.send('third');
  assert.deepEqual(
    chat.snapshot.queue.map(({ text }) => text),
    ['second', 'third'],
  );
  await first;
  assert.deepEqual(chat.snapshot.queue, []);
  assert.deepEqual(
    chat.snapshot.entries.map((entry) => ('text' in entry ? entry.text : '')),
    ['first', 'One.', 'second', 'Two.', 'third', 'Three.'],
  );
});

test('a waiting message goes back to the composer when it is asked for, and all of them when the answer is stopped', async () => {
  const { chat } = openChat(['One.']);
  const first = chat.send('first');
  await chat.send('second');
  await chat.send('third');
  await chat.send('fourth');
  const [, third] = chat.snapshot.queue;
  chat.sending.unqueue(third?.id ?? 0);
  assert.equal(chat.snapshot.draft.text, 'third');
  chat.cancel();
  await first;
  // The first did not begin either.
  assert.equal(chat.snapshot.draft.text, 'first\n\nsecond\n\nfourth');
  assert.deepEqual(chat.snapshot.queue, []);
});

test('the last message is asked again in a branch of its own', async () => {
  const { chat } = openChat(['One.', 'Two.', 'Another two.']);
  await chat.send('first');
  await chat.send('second');
  await chat.sending.regenerate();
  assert.deepEqual(
    chat.snapshot.entries.map((entry) => ('text' in entry ? entry.text : '')),
    ['first', 'One.', 'second', 'Another two.'],
  );
  assert.equal(chat.session.state.dialog.items.length, 6, 'nothing is lost');
});

test('a long session is shown at once, not entry by entry', () => {
  const stored: Stored = {
    items: Array.from({ length: 5000 }, (_, i) => {
      const at = { id: `i${i}`, parent: i === 0 ? null : `i${i - 1}`, text: `words ${i}` };
      return i % 2 === 0
        ? { ...at, origin: 'user' as const }
        : { ...at, origin: 'assistant' as const, end: 'done' as const };
    }),
    sessions: ['s'],
  };
  const { chat } = openChat([], memoryJournal(stored));
  let deltas = 0;
  const stop = chat.subscribe(() => {
    deltas += 1;
  });
  chat.resume();
  stop.dispose();
  assert.equal(chat.snapshot.entries.length, 5000);
  assert.ok(deltas < 10, `${deltas} deltas`);
});

test('a session that is read after the start is opened where nothing was begun, and nowhere else', async () => {
  const [empty, begun]: [Stored, Stored] = [
    { items: [], sessions: [] },
    { items: [], sessions: [] },
  ];
  const [idle, busy] = [openChat([], memoryJournal(empty)), openChat(['Mine.'], memoryJournal(begun))];
  await busy.chat.send('begun');
  const { id } = busy.chat.session;
  empty.items.push({ id: 'i', parent: null, origin: 'user', text: 'rescued' });
  for (const { sessions } of [empty, begun]) sessions.push('rescued');
  for (const { chat } of [idle, busy]) await chat.resumeUnlessBegun();
  assert.equal(idle.chat.session.id, 'rescued');
  assert.equal(idle.engine.log.length, 0, 'no model is loaded for it');
  assert.equal(busy.chat.session.id, id);
});
