// Searches in a thread beside the window: the same as in place, without holding the window up, and ended at once.
import assert from 'node:assert/strict';
import { chmodSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openConnection } from '../../src/store/open.ts';
import { Searcher } from '../../src/store/searching/searcher.ts';
import { openStore, Store } from '../../src/store/store.ts';
import { answer, bytesOf, newPath, row, user } from './samples.ts';

const script = new URL('../../src/store/searching/searchThread.ts', import.meta.url);
/** Milliseconds. */
const mostBlocked = 50;

/** A store whose searches run beside it, with conversations of ten messages. */
async function filled(conversations: number) {
  const path = newPath();
  const connection = await openConnection(path);
  const store = new Store(connection, new Searcher(path, script));
  connection.write(() => {
    const item = 'INSERT INTO item (session, id, json, origin, turns) VALUES (?, ?, ?, ?, 1)';
    for (let n = 0; n < conversations; n++) {
      const id = `s${n}`;
      const values = [id, row.workspace, `${id}-9`, n * 10 + 10];
      connection.run(
        `INSERT INTO session (id, workspace, system, created, head, last) VALUES (?, ?, '', 1, ?, ?)`,
        ...values,
      );
      for (let i = 0; i < 10; i++) {
        const text = `message ${i} of number-${n}-: ${'tides, stones and harbours '.repeat(i % 2 === 0 ? 8 : 80)}`;
        const said = i % 2 === 0 ? user(`${id}-${i}`, null, text) : answer(`${id}-${i}`, `${id}-${i - 1}`, text);
        connection.run(item, id, said.id, JSON.stringify(said), said.origin);
      }
    }
  });
  return { path, store, sessions: store.sessions };
}

test('a search over 2,000 conversations takes little of the time of its window', async () => {
  const { store, sessions } = await filled(2000);
  for (const [words, hits, found] of [
    ['no such words', 0, 0],
    ['message  NUMBER-3- 0', 1, 1],
    ['harbours', 1000, 2000],
  ] as const) {
    const before = process.threadCpuUsage();
    const result = await sessions.search(row.workspace, words, 1000);
    const { user: own, system } = process.threadCpuUsage(before);
    assert.deepEqual([result.hits.length, result.sessions.length], [hits, found], words);
    assert.ok((own + system) / 1000 < mostBlocked, `${words}: ${(own + system) / 1000} ms`);
  }
  store.close();
});

test('beside the window the same is found as in place, what was just written included', async () => {
  const { path, store, sessions } = await filled(20);
  const inPlace = await openStore(path);
  sessions.rename('s7', 'Ärger mit “Zanzibar” 😀');
  for (const words of ['zanzibar', 'ÄRGER', 'Message 3', 'harbours of 1', 'nothing at all', ' ', '😀']) {
    sessions.appendItem('s3', user(`later ${words}`, 's3-9', `now: ${words}`));
    const found = await sessions.search(row.workspace, words, 30);
    assert.deepEqual(found, await inPlace.sessions.search(row.workspace, words, 30), words);
    assert.equal(found.hits[0]?.item, words === ' ' ? undefined : `later ${words}`);
  }
  inPlace.close();
  store.close();
});

test('a search ends where its signal says so, also before it begins', async () => {
  const { store, sessions } = await filled(2000);
  const ending = new AbortController();
  const search = sessions.search(row.workspace, 'no such words', 9, ending.signal);
  await wait(100);
  ending.abort();
  const from = performance.now();
  await assert.rejects(search, /The search was ended/);
  await assert.rejects(sessions.search(row.workspace, 'tides', 9, AbortSignal.abort()), /The search was ended/);
  assert.ok(performance.now() - from < 200);
  assert.equal((await sessions.search(row.workspace, 'tides', 9)).hits.length, 9);
  store.close();
});

test('a conversation that is deleted while a search reads it leaves no word in the file, and is not found', async () => {
  const { path, store, sessions } = await filled(1000);
  for (const milliseconds of [0, 5, 20, 60, 150]) {
    sessions.createSession({ ...row, id: 'gone' });
    sessions.appendItem('gone', user('gone-1', null, 'Zanzibar'));
    let isDone = false;
    const search = sessions.search(row.workspace, 'Zanzibar', 9).finally(() => {
      isDone = true;
    });
    await wait(milliseconds);
    // A fast machine is done with the search by then, and rightly found it.
    const wasFound = isDone;
    sessions.delete('gone');
    assert.doesNotMatch(bytesOf(path), /Zanzibar/);
    const { hits } = await search;
    assert.equal(hits.length, wasFound ? 1 : 0, `deleted after ${milliseconds} ms`);
    assert.ok(milliseconds > 0 || !wasFound);
  }
  store.close();
});

test('a store that closes ends its searches', async () => {
  const { store, sessions } = await filled(1000);
  const search = assert.rejects(sessions.search(row.workspace, 'no such words', 9), /search was ended/);
  await wait(100);
  store.close();
  await search;
});

test('a search changes nothing where nothing can be written', { skip: process.getuid?.() === 0 }, async () => {
  const { path, store } = await filled(20);
  store.close();
  const before = readFileSync(path);
  chmodSync(path, 0o400);
  chmodSync(dirname(path), 0o500);
  const { sessions, close } = { ...(await openStore(path)), close: () => undefined };
  assert.equal((await sessions.search(row.workspace, 'tides', 9)).hits.length, 9);
  assert.equal((await new Searcher(path, script).search(row.workspace, 'tides', 9)).hits.length, 9);
  close();
  chmodSync(dirname(path), 0o700);
  assert.deepEqual(readFileSync(path), before);
});

test('a file or a thread that is not there is said in words of the storage', async () => {
  const { path, store } = await filled(1);
  store.close();
  const refused = { name: 'FaultError', fault: { kind: 'storeUnavailable' } };
  const kindOf = async (searcher: Searcher) => {
    const error = await searcher.search(row.workspace, 'tides', 9).catch((reason) => reason);
    return { name: error.name, fault: { kind: error.fault?.kind } };
  };
  assert.deepEqual(await kindOf(new Searcher(newPath(), script)), refused);
  assert.deepEqual(await kindOf(new Searcher(path, new URL('./nobody.ts', script))), refused);
});
