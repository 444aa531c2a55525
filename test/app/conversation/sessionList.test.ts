// The list of stored conversations over a real store: what is found, and what each change does or refuses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Storage } from '../../../src/app/ports/storage.ts';
import { SessionList } from '../../../src/app/viewApi/sessionList.ts';
import type { SessionChange } from '../../../src/protocol/questions.ts';
import { failing, openedOn, storeFor } from '../scenes/storeScene.ts';

/** A window on the storage with two conversations, and its list. */
async function listed(storage: Storage, ...messages: readonly string[]) {
  const window = openedOn(storage);
  const { chat } = window;
  const ids: string[] = [];
  for (const [i, message] of messages.entries()) {
    if (i > 0) chat.newSession();
    await chat.send(message);
    ids.push(chat.session.id);
  }
  const opened: string[] = [];
  const list = new SessionList(storage.sessions, chat, (language) => void opened.push(language));
  const titles = (words: string) => list.list(words).map(({ title }) => title);
  const change = (what: SessionChange['what'], id = '', title = '') => list.change({ id, what, title });
  return { window, chat, ids, list, titles, change, opened };
}

test('without words all are listed, the latest first, and the open one is marked', async (context) => {
  const { list, ids } = await listed(await storeFor(context), 'Tides of May.', 'Harbours have letters.');
  assert.deepEqual(
    list.list(' ').map(({ id, title, turns, current, line }) => [id, title, turns, current, line]),
    [
      [ids[1], 'Harbours have letters.', 1, true, ''],
      [ids[0], 'Tides of May.', 1, false, ''],
    ],
  );
});

test('words are found in what was said and in titles, in any case of letters, with the line', async (context) => {
  const { list, titles, change, ids } = await listed(await storeFor(context), 'Tides of May.', 'First.\nAn EBB came.');
  assert.deepEqual(titles('ebb came'), ['First. An EBB came.']);
  assert.equal(list.list('ebb')[0]?.line, 'An EBB came.');
  assert.equal(change('rename', ids[0], '  Springtide  '), '');
  assert.deepEqual(titles('SPRING'), ['Springtide']);
  assert.deepEqual(titles('tides'), ['Springtide']);
  assert.deepEqual(titles('neither'), []);
});

test('another one is opened and the list goes; the open one only closes the list', async (context) => {
  const { chat, change, ids } = await listed(await storeFor(context), 'One.', 'Two.');
  for (const id of [ids[1], ids[0]]) {
    chat.set({ listing: true });
    assert.equal(change('open', id), '');
    assert.equal(chat.session.id, id);
    assert.equal(chat.snapshot.listing, false);
  }
});

test('deleting the open one begins a new one below the list, which stays', async (context) => {
  const { chat, change, ids, titles } = await listed(await storeFor(context), 'One.', 'Two.');
  chat.set({ listing: true });
  assert.equal(change('delete', ids[1]), '');
  assert.ok(!ids.includes(chat.session.id));
  assert.equal(chat.snapshot.listing, true);
  assert.deepEqual(titles(''), ['One.']);
});

test('an export opens as a document of its kind', async (context) => {
  const { change, ids, opened } = await listed(await storeFor(context), 'One.');
  assert.equal(change('exportMarkdown', ids[0]), '');
  assert.equal(change('exportJson', ids[0]), '');
  assert.deepEqual(opened, ['markdown', 'json']);
});

test('what is gone, of another folder, or open elsewhere is refused in words', async (context) => {
  const store = await storeFor(context);
  const { change, ids } = await listed(store, 'One.', 'Two.');
  const other = openedOn(store);
  assert.equal(other.chat.openSession(ids[0] ?? ''), null);
  for (const what of ['open', 'delete'] as const) assert.match(change(what, ids[0]), /open in another window/);
  for (const what of ['open', 'rename', 'delete', 'exportJson', 'exportMarkdown'] as const)
    assert.equal(change(what, 'gone'), 'It no longer exists.');
});

test('a store that is missing or fails is said', async (context) => {
  const { chat } = openedOn(await storeFor(context));
  assert.throws(() => new SessionList(null, chat, () => undefined).list(''), /cannot be stored at present/);
  const broken = failing(await storeFor(context), (name) => name === 'sessions');
  const list = new SessionList(broken.sessions, openedOn(broken).chat, () => undefined);
  assert.throws(() => list.list(''), /no sessions/);
});
