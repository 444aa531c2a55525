// The list of stored conversations over a real store: what is found, and what each change does or refuses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Search } from '../../../src/core/stored/storedSession.ts';
import type { SessionChange } from '../../../src/protocol/questions.ts';
import { openCompacting, openScene } from '../scenes/scene.ts';
import { failing, storeFor } from '../scenes/storeScene.ts';

/** A window on the storage with two conversations, and its list. */
async function listed(storage: Parameters<typeof failing>[0], ...messages: readonly string[]) {
  const scene = openCompacting({ storage });
  const ids: string[] = [];
  for (const [i, message] of messages.entries()) {
    if (i > 0) scene.newConversation();
    await scene.say(message);
    ids.push(scene.id());
  }
  const titles = async (words: string) => (await scene.list.list(words)).map(({ title }) => title);
  const change = (what: SessionChange['what'], id = '', title = '') => scene.list.change({ id, what, title });
  return { ...scene, ids, titles, change };
}

test('without words all are listed, the latest first, and the open one is marked', async (context) => {
  const { list, ids } = await listed(await storeFor(context), 'Tides of May.', 'Harbours have letters.');
  assert.deepEqual(
    (await list.list(' ')).map(({ id, title, turns, current, line }) => [id, title, turns, current, line]),
    [
      [ids[1], 'Harbours have letters.', 1, true, ''],
      [ids[0], 'Tides of May.', 1, false, ''],
    ],
  );
});

test('words are found in what was said and in titles, in any case of letters, with the line', async (context) => {
  const { list, titles, change, ids } = await listed(await storeFor(context), 'Tides of May.', 'First.\nAn EBB came.');
  assert.deepEqual(await titles('ebb came'), ['First. An EBB came.']);
  assert.equal((await list.list('ebb'))[0]?.line, 'An EBB came.');
  assert.equal(change('rename', ids[0], '  Springtide  '), '');
  assert.deepEqual(await titles('SPRING'), ['Springtide']);
  assert.deepEqual(await titles('tides'), ['Springtide']);
  assert.deepEqual(await titles('neither'), []);
});

test('a newer question ends the search of an older one, and words are looked for in no other way', async (context) => {
  const { sessions, leases, memory } = await storeFor(context);
  const asked: string[] = [];
  const search: Search = (_, words, __, signal) =>
    new Promise((resolve, reject) => {
      asked.push(words);
      signal?.addEventListener('abort', () => reject(new Error('ended')));
      if (words === 'last') resolve({ hits: [], sessions: [] });
    });
  const { list } = openCompacting({ storage: { sessions: { ...sessions, search }, leases, memory } });
  const older = ['a', 'al', 'als'].map((words) => assert.rejects(list.list(words), /ended/, words));
  await list.list('');
  await Promise.all(older);
  assert.deepEqual(await list.list('last'), []);
  assert.deepEqual(asked, ['a', 'al', 'als', 'last']);
});

test('another one is opened and the list goes; the open one only closes the list', async (context) => {
  const scene = await listed(await storeFor(context), 'One.', 'Two.');
  const { change, ids } = scene;
  for (const id of [ids[1], ids[0]]) {
    scene.show({ listing: true });
    assert.equal(change('open', id), '');
    assert.equal(scene.id(), id);
    assert.equal(scene.shown().listing, false);
  }
});

test('deleting the open one begins a new one below the list, which stays', async (context) => {
  const scene = await listed(await storeFor(context), 'One.', 'Two.');
  const { change, ids, titles } = scene;
  scene.show({ listing: true });
  assert.equal(change('delete', ids[1]), '');
  assert.ok(!ids.includes(scene.id()));
  assert.equal(scene.shown().listing, true);
  assert.deepEqual(await titles(''), ['One.']);
});

test('an export opens as a document of its kind', async (context) => {
  const { change, ids, editor } = await listed(await storeFor(context), 'One.');
  assert.equal(change('exportMarkdown', ids[0]), '');
  assert.equal(change('exportJson', ids[0]), '');
  assert.deepEqual(
    editor.documents.map(({ language }) => language),
    ['markdown', 'json'],
  );
});

test('what is gone, of another folder, or open elsewhere is refused in words', async (context) => {
  const store = await storeFor(context);
  const { change, ids, list, id } = await listed(store, 'One.', 'Two.');
  const other = openCompacting({ storage: store });
  assert.equal(other.openConversation(ids[0] ?? ''), null);
  assert.deepEqual(
    (await list.list('')).map(({ current, elsewhere }) => [current, elsewhere]),
    [
      [true, false],
      [false, true],
    ],
  );
  for (const what of ['open', 'delete'] as const) assert.match(change(what, ids[0]), /open in another window/);
  for (const what of ['open', 'rename', 'delete', 'exportJson', 'exportMarkdown'] as const)
    assert.equal(change(what, 'gone'), 'It no longer exists.');
  assert.equal(change('seize', ids[0]), '');
  assert.equal(id(), ids[0]);
});

test('a store that is missing or fails is said', async (context) => {
  await assert.rejects(openScene([], { storage: null }).list.list(''), /cannot be stored at present/);
  const broken = failing(await storeFor(context), (name) => name === 'sessions');
  await assert.rejects(openCompacting({ storage: broken }).list.list(''), /no sessions/);
});

test('a new conversation keeps the agent of the one before, and asks before each change again', async () => {
  const scene = openScene(['one', 'two']);
  await scene.chooseAgent('edit', true);
  await scene.say('hello');
  scene.newConversation();
  assert.deepEqual(scene.state().choices, { agent: 'edit' });
  assert.equal(scene.shown().changesAtOnce, false);
});
