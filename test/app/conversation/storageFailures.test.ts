// A store that fails while compaction, and sessions that are deleted or lost: turns go on, and nothing is lost when it works again.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { openStore } from '../../../src/store/store.ts';
import { temporary } from '../../temporary.ts';
import { constraint, conversation, filler, opened, textOf } from '../scenes/foldScene.ts';
import { gate, memoryLeases } from '../scenes/openChat.ts';
import { failing, openedOn, storeFor } from '../scenes/storeScene.ts';

test('leases that cannot be taken or given back: folds are made all the same, and nothing is thrown', async (context) => {
  const store = await storeFor(context);
  const parts = openedOn(failing(store, (name) => name === 'acquire' || name === 'release'));
  const { chat, engine } = parts;
  parts.settings.leaseMilliseconds = 30;
  const summarise = engine.summarise;
  engine.summarise = async (prompt, signal) => {
    const text = await summarise(prompt, signal);
    await new Promise((resolve) => setTimeout(resolve, 25));
    return text;
  };
  const alive = setTimeout(() => undefined, 60_000);
  await conversation(parts);
  clearTimeout(alive);
  assert.equal(chat.session.state.folds[0]?.outcome, 'ok');
  assert.ok(chat.snapshot.entries.some((entry) => entry.kind === 'info' && /a summary replaced/.test(entry.title)));
  assert.notEqual(chat.snapshot.warm, null);
});

for (const broken of ['putFold', 'setHeld', 'setMarks', 'everything'] as const) {
  test(`a store in which ${broken} fails for a while has all there is when it works again`, async (context) => {
    const store = await storeFor(context);
    let fails = false;
    const parts = openedOn(failing(store, (name) => fails && (broken === 'everything' || name === broken)));
    const { chat, script } = parts;
    await chat.send(`Begin. ${filler(300)}`);
    fails = true;
    await conversation(parts);
    assert.equal(chat.session.state.folds[0]?.outcome, 'ok');
    await chat.send('/context pin 0');
    script.push('Still here.');
    await chat.send('Go on.');
    assert.ok(chat.snapshot.entries.some((entry) => entry.kind === 'answer' && entry.text === 'Still here.'));
    if (broken !== 'setHeld') assert.notEqual(chat.snapshot.notice, '');
    fails = false;
    await chat.send('And now?');
    assert.equal(chat.snapshot.notice, '');
    const stored = store.sessions.session(chat.session.id);
    assert.deepEqual(stored?.dialog.items, chat.session.state.dialog.items);
    assert.deepEqual(stored.folds, chat.session.state.folds);
    assert.deepEqual(
      stored.held.map(({ fold }) => fold),
      chat.session.state.held.map(({ fold }) => fold?.id ?? null),
    );
    assert.deepEqual(stored.marks, chat.session.state.marks);
  });
}

test('a fold that cannot be stored is said once, stands, and is kept with the next thing that is', async (context) => {
  const store = await storeFor(context);
  let fails = true;
  const parts = openedOn(failing(store, (name) => fails && name === 'putFold'));
  const { chat } = parts;
  await conversation(parts);
  assert.match(chat.snapshot.notice, /no putFold/);
  assert.equal(chat.snapshot.entries.filter(({ kind }) => kind === 'fault').length, 0);
  fails = false;
  await chat.send('And now?');
  assert.equal(store.sessions.session(chat.session.id)?.folds.length, 1);
});

test('a running session that is deleted leaves nothing in the store and no complaint', async (context) => {
  const store = await storeFor(context);
  const { chat, script } = openedOn(store);
  await chat.send('First.');
  script.push('word '.repeat(100));
  const sent = chat.send('Second.');
  while (!chat.snapshot.entries.some((entry) => entry.kind === 'answer' && entry.end === 'running'))
    await new Promise((resolve) => setImmediate(resolve));
  const { session } = chat;
  assert.equal(chat.deleteSession(session.id), null);
  await sent;
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(chat.snapshot.notice, '');
  assert.equal(store.sessions.session(session.id), null);
});

test('a session that another window took is left, and nothing more is written to it', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const store = await storeFor(context);
  const { chat } = openedOn(store);
  await chat.send('First.');
  const { id } = chat.session;
  // As after a long sleep, in which the other window found the lease run out.
  store.leases.release(`session:${id}`, (chat as unknown as { ports: { holder: string } }).ports.holder);
  assert.ok(store.leases.acquire(`session:${id}`, '1:other', 0, 60_000));
  const before = store.sessions.session(id)?.dialog.items.length;
  context.mock.timers.tick(60_000);
  assert.notEqual(chat.session.id, id);
  const [said] = chat.snapshot.entries;
  assert.ok(
    said?.kind === 'info' && /another window, or beside\. A new one was started/.test(said.text),
    JSON.stringify(said),
  );
  await chat.send('Second.');
  assert.equal(store.sessions.session(id)?.dialog.items.length, before);
});

test('a session whose stored state is nonsense comes back whole, in words', async (context) => {
  const store = await storeFor(context);
  const first = openedOn(store);
  await first.chat.send('First.');
  first.chat.dispose();
  const { session } = store.sessions;
  const broken = (id: string) => {
    const stored = session(id);
    return stored && { ...stored, held: [{ fold: 7 } as never] };
  };
  const { chat, engine } = openedOn({ ...store, sessions: { ...store.sessions, session: broken } });
  assert.equal(chat.session.id, first.chat.session.id);
  assert.match(chat.snapshot.notice, /Couldn't read/);
  await chat.send('Second.');
  assert.match(textOf(engine.prompts.at(-1)), /First\./);
});

test('a resumed session of the split graph has the fold in both slots; with fewer slots it goes on too', async (context: TestContext) => {
  const store = await storeFor(context);
  const { graphs } = await import('../../../src/core/agent/graph.ts');
  const first = openedOn(store);
  first.settings.agent = { ...first.settings.agent, graph: graphs.split };
  first.script.push(...Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? 'answer' : `Answer. ${filler(700)}`)));
  for (let turn = 0; turn < 14 && first.chat.session.state.folds.length === 0; turn++)
    await first.chat.send(`${turn === 0 ? constraint : `Question ${turn}?`} ${filler(300)}`);
  assert.equal(first.chat.session.state.folds[0]?.outcome, 'ok');
  const { id } = first.chat.session;
  first.chat.dispose();
  for (const graph of [graphs.split, graphs.unified]) {
    const again = openedOn(store);
    again.settings.agent = { ...again.settings.agent, graph };
    assert.equal(again.chat.session.id, id);
    assert.deepEqual(
      again.chat.session.state.held.map(({ fold }) => fold?.id),
      [first.chat.session.state.folds[0]?.id, first.chat.session.state.folds[0]?.id],
    );
    again.script.push('answer', 'Here.');
    await again.chat.send('Go on.');
    assert.equal(
      again.chat.snapshot.entries.findLast(({ kind }) => kind === 'fault'),
      undefined,
    );
    again.chat.dispose();
  }
});

test('what a fold proposed and nobody answered is shown when the session comes back', async (context) => {
  const store = await storeFor(context);
  const first = openedOn(store);
  await conversation(first, 14, 'We decided to use SQLite. I prefer short answers. Never touch the legacy folder.');
  const row = first.chat.session.state.folds.find(({ proposals }) => proposals.length > 0);
  assert.ok(row !== undefined);
  first.chat.dispose();
  const { chat } = openedOn(store);
  const shown = chat.snapshot.entries.find((entry) => entry.kind === 'proposals');
  assert.ok(shown?.kind === 'proposals' && shown.fold === row.id);
  for (const { id } of row.proposals) await chat.answerProposal(row.id, id, false);
  chat.dispose();
  const again = openedOn(store);
  assert.ok(again.chat.snapshot.entries.every(({ kind }) => kind !== 'proposals'));
});

test('a proposal is answered once, and an answer to nothing does nothing', async () => {
  const parts = opened(undefined, memoryLeases());
  const { chat } = parts;
  await conversation(parts, 14, 'We decided to use SQLite. Never touch the legacy folder. I prefer short answers.');
  const row = chat.session.state.folds.find(({ proposals }) => proposals.length > 0);
  const [proposal] = row?.proposals ?? [];
  assert.ok(row !== undefined && proposal !== undefined);
  const shown = JSON.stringify(chat.snapshot);
  await chat.answerProposal('nowhere', proposal.id, true);
  await chat.answerProposal(row.id, 'nowhere', true);
  assert.equal(JSON.stringify(chat.snapshot), shown);
  const wait = gate();
  (parts.ports as { secretIn: unknown }).secretIn = () => wait.closed.then(() => null);
  const answers = [chat.answerProposal(row.id, proposal.id, true), chat.answerProposal(row.id, proposal.id, false)];
  wait.open();
  await Promise.all(answers);
  const shownStates = parts.deltas.flatMap((delta) =>
    delta.type === 'entry' && delta.entry.kind === 'proposals' ? [delta.entry.proposals[0]?.state] : [],
  );
  assert.deepEqual(shownStates, ['waiting', 'kept']);
});

test('what an earlier session could not store is stored when it is left, and its notice goes', async (context) => {
  const store = await storeFor(context);
  let fails = false;
  const { chat } = openedOn(failing(store, (name) => fails && name !== 'acquire'));
  await chat.send('First.');
  const { id } = chat.session;
  fails = true;
  await chat.send('Second.');
  assert.notEqual(chat.snapshot.notice, '');
  fails = false;
  chat.newSession();
  await chat.send('Third.');
  assert.equal(chat.snapshot.notice, '');
  assert.equal(chat.openSession(id), null);
  const texts = chat.session.state.dialog.path.flatMap((item) => (item.origin === 'user' ? [item.text] : []));
  assert.deepEqual(texts, ['First.', 'Second.']);
});

test('another process that holds the database never holds up the host, and what waited is stored by itself when it lets go', async (context) => {
  const folder = temporary('tidemark-held-');
  const path = join(folder, 'held.sqlite');
  const store = await openStore(path);
  context.after(() => {
    store.close();
    rmSync(folder, { recursive: true });
  });
  const { chat, script } = openedOn(store);
  script.push('It is in main.');
  await chat.send('Where is it?');
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  const lag = monitorEventLoopDelay({ resolution: 5 });
  lag.enable();
  script.push('It is there.');
  await chat.send('And now?');
  lag.disable();
  assert.ok(lag.percentile(99) / 1e6 <= 150, `${lag.percentile(99) / 1e6} ms`);
  assert.match(chat.snapshot.notice, /Nothing can be stored/);
  other.exec('ROLLBACK');
  other.close();
  const until = Date.now() + 10_000;
  while (chat.snapshot.notice !== '' && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(store.sessions.session(chat.session.id)?.dialog.items, chat.session.state.dialog.items);
});
