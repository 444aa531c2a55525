// What happens to one of two conversations while the other is at work: settings change, the engine ends, a place closes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chat } from '../../../src/app/conversation/chat.ts';
import { gate, kinds, memoryJournal, memoryLeases, memoryStorage, type Stored } from '../scenes/openChat.ts';
import { slowly, soon, two } from '../scenes/twoScene.ts';

const answers = ({ snapshot }: Awaited<ReturnType<typeof two>>['one']) =>
  snapshot.entries.flatMap((entry) => (entry.kind === 'answer' ? [[entry.text, entry.end]] : []));

test('settings that change while one answers take hold when it ended, whatever the other does', async () => {
  const { one, other, engine, wanted } = await two(['first answer', 'second answer']);
  const { open } = slowly(engine);
  const first = one.send('first');
  await soon();
  engine.log.length = 0;
  wanted.load = { ...wanted.load, contextSize: 1024 as 2048 };
  await other.open();
  const second = other.send('second');
  await soon();
  assert.ok(!engine.log.includes('dispose'), 'the answer that is being written is not cut off');
  open();
  await Promise.all([first, second]);
  await soon();
  assert.equal(engine.log.filter((name) => name === 'dispose').length, 1);
  assert.deepEqual(answers(one), [['first answer', 'done']]);
  assert.deepEqual(answers(other), [['second answer', 'done']]);
});

test('a turn that waited for the other goes on with the model that is loaded by then', async () => {
  const { one, other, engine, life } = await two(['first answer', 'second answer']);
  const { open } = slowly(engine);
  const first = one.send('first');
  await soon();
  const second = other.send('second');
  await soon();
  engine.info = { ...engine.info, fingerprint: 'f2' };
  void life.crashed({ kind: 'engineCrashed', reason: 'SIGKILL' });
  await soon();
  open();
  await Promise.all([first, second]);
  assert.equal(other.sending.sent?.model, 'f2');
});

test('a chat that closed while it answered does no idle work afterwards', async () => {
  const { one, engine } = await two(['first answer']);
  const { open } = slowly(engine);
  const first = one.send('first');
  await soon();
  const closing = one.close();
  engine.log.length = 0;
  open();
  await Promise.all([closing, first]);
  await soon();
  assert.ok(!engine.log.includes('warm'), 'its slot is not made ready for a message that cannot come');
});

test('both are made ready, one after the other, when both begin with that at once', async () => {
  const { one, other, engine } = await two(['first answer', 'second answer']);
  await one.send('first');
  await other.send('second');
  const { request } = engine;
  const gates = [gate(), gate()] as const;
  const warmed: number[] = [];
  engine.request = async (name, params) => {
    if (name !== 'warm') return request(name, params);
    warmed.push((params as { slot: number }).slot);
    await gates[warmed.length - 1]?.closed;
    return request(name, params);
  };
  const both = [one.open(), other.open()];
  await soon();
  for (const { open } of gates) open();
  await Promise.all(both);
  await soon();
  assert.equal(warmed.at(-1), 0, 'the one that gave way comes back when the later one is done');
  assert.deepEqual([...new Set(warmed)].toSorted(), [0, 1]);
});

test('a conversation that is opened while the other answers shows its prompt when that is done', async () => {
  const { one, other, engine } = await two(['first answer']);
  const { open } = slowly(engine);
  const first = one.send('first');
  await soon();
  await other.open();
  assert.equal(other.snapshot.stack, null);
  open();
  await first;
  await soon();
  assert.notEqual(other.snapshot.stack, null);
});

test('folding that waits for the other and is given up says that, and is no failure', async () => {
  const { one, other, engine } = await two(['zero', 'first answer', 'second answer']);
  await other.send('zero');
  const { open } = slowly(engine);
  const first = one.send('first');
  await soon();
  const folding = other.send('/compact');
  await soon();
  const second = other.send('second');
  await folding;
  assert.deepEqual(
    kinds(other).filter((kind) => kind === 'fault'),
    [],
  );
  const said = other.snapshot.entries.flatMap((entry) => (entry.kind === 'info' ? [entry.text] : []));
  assert.deepEqual(said, ['Nothing was compacted: it was interrupted.']);
  open();
  await Promise.all([first, second]);
});

test('the speed is not measured while the other asks the model', async () => {
  const { one, other, engine } = await two(['first answer']);
  const { open } = slowly(engine);
  const first = one.send('first');
  await soon();
  await other.send('/speed');
  assert.ok(!engine.log.includes('speed'));
  open();
  await first;
});

test('a conversation whose slot the other took is not called warm any more', async () => {
  const { one, other, engine, life } = await two(['first answer', 'second answer']);
  engine.info = { ...engine.info, slots: 1 };
  await life.restart();
  await one.send('first');
  assert.equal(one.snapshot.warm?.warmed, 10);
  await other.send('second');
  await soon();
  assert.equal(other.snapshot.warm?.warmed, 10);
  assert.equal(one.snapshot.warm?.warmed, 0);
  assert.match(one.snapshot.warm?.reason ?? '', /another conversation took its place/);
});

const leavings = {
  'is left for a new one': (chat: Chat) => chat.newSession(),
  'was closed': (chat: Chat) => void chat.close(),
};

for (const [name, leave] of Object.entries(leavings))
  test(`a conversation that ${name} while it is answered opens elsewhere at once, and its end is stored once`, async () => {
    const stored: Stored = { items: [], sessions: [] };
    const journal = memoryJournal(stored);
    const storage = memoryStorage(journal, memoryLeases());
    const { one, other, engine } = await two(['first answer'], {
      ...storage,
      sessions: { ...storage.sessions, session: () => journal.latestSession('/a') },
    });
    const { open } = slowly(engine);
    const first = one.send('first');
    await soon();
    const { id } = one.session;
    stored.sessions.push(id);
    leave(one);
    assert.equal(other.openSession(id), null);
    open();
    await first;
    assert.deepEqual(
      stored.items.map(({ origin }) => origin),
      ['user', 'assistant'],
      'closed by whom it was opened',
    );
  });

test('a conversation that is closed while it is warmed ends that, and what is still told of it goes to nobody', async () => {
  const { one, other, engine } = await two(['a1', 'b1']);
  await one.send('main');
  const [asked, go] = [gate(), gate()];
  const { request } = engine;
  let [aborted, tell] = [false, () => undefined as unknown];
  engine.request = async (name, params, signal, hearing) => {
    if (name !== 'warm') return request(name, params, signal, hearing);
    tell = () => hearing?.prefilling?.({ done: 5, of: 10, decoded: 5, milliseconds: 1 });
    signal?.addEventListener('abort', () => {
      aborted = true;
    });
    asked.open();
    await go.closed;
    return request(name, params, signal, hearing);
  };
  const sent = other.send('beside');
  await asked.closed;
  const closed = other.close();
  await soon();
  assert.equal(aborted, true);
  tell();
  assert.deepEqual([one.snapshot.warming, other.snapshot.warming], [null, null]);
  go.open();
  await Promise.all([closed, sent]);
  assert.equal(one.snapshot.warming, null);
});
