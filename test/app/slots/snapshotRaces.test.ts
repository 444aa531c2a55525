// Stored slots where things happen at once: sessions left while something is brought, other windows, and no room for all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WarmParams } from '../../../src/core/engine/prefill.ts';
import { gate } from '../scenes/openChat.ts';
import { emptyFolder, settled, windowOn } from '../scenes/snapshotScene.ts';
import { storeFor } from '../scenes/storeScene.ts';

test('what is brought for a session that was left meanwhile is not filled: its slot is that of another now', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const { chat, engine, loads } = windowOn(store, folder);
  const warmed: unknown[] = [];
  const { request } = engine;
  engine.request = (name, params) => {
    if (name === 'warm') warmed.push(params);
    return request(name, params);
  };
  const slow = gate();
  const { load } = engine.snapshots;
  engine.snapshots.load = async (params) => {
    const answer = load(params);
    if (loads.length === 1) await slow.closed;
    return answer;
  };
  const opening = chat.open();
  await settled();
  chat.newSession();
  await chat.open();
  slow.open();
  await opening;
  assert.deepEqual([loads.length, warmed.length], [2, 1]);
});

test('a message that is cancelled before it has a slot takes none from the session that is open', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const { chat, engine, loads } = windowOn(store, folder);
  await chat.send('First.');
  const { request } = engine;
  const slow = gate();
  let waits = true;
  engine.request = async (name, params) => {
    if (name === 'measure' && waits) await slow.closed;
    return request(name, params);
  };
  const sending = chat.send('Second.');
  await settled();
  waits = false;
  chat.newSession();
  await chat.open();
  const before = loads.length;
  slow.open();
  await sending;
  await settled();
  assert.equal(loads.length, before);
  assert.deepEqual(
    chat.engines.snapshots.slots.all.map(({ session }) => session.id),
    [chat.session.id],
  );
});

test('what another window deleted is not stored again from its slot', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const { chat, engine } = windowOn(store, folder);
  engine.info = { ...engine.info, slots: 2 };
  await chat.send('First.');
  const first = chat.session.id;
  chat.newSession();
  await chat.send('Second.');
  await folder.removeSession(first);
  store.sessions.delete(first);
  await chat.snapshots.keep();
  await settled();
  assert.deepEqual([...folder.kept.keys()], [`${chat.session.id}/0`]);
});

test('where not all of the slots may be stored, the one that was used last is, and stays', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const { chat, engine, saves, settings } = windowOn(store, folder);
  Object.assign(settings, { snapshotBytes: 1500 });
  engine.info = { ...engine.info, slots: 2 };
  const { save } = engine.snapshots;
  engine.snapshots.save = (params) =>
    params.maxBytes < 1000 ? { saved: false, reason: 'it would take more than is allowed' } : save(params);
  await chat.send('First.');
  chat.newSession();
  await chat.send('Second.');
  await chat.snapshots.keep();
  await chat.snapshots.keep();
  assert.deepEqual([...folder.kept.keys()], [`${chat.session.id}/0`]);
  assert.deepEqual(
    saves.slice(1).map(({ session }) => session),
    [chat.session.id, chat.session.id],
  );
});

test('what was on disk and could not be used is said also where another slot served instead', async (context) => {
  const { chat, engine } = windowOn(await storeFor(context), emptyFolder());
  engine.snapshots.load = () => ({
    loaded: true,
    from: 'slot',
    refused: 'it is of another model',
    tokens: 900,
    bytes: 1000,
    milliseconds: 12,
    pace: { tokens: 900, milliseconds: 3000 },
  });
  await chat.open();
  assert.equal(
    chat.snapshot.warm?.reason,
    '900 tokens taken over from another conversation in 12 ms, 10 more decoded: only your message has to be decoded; the cache stored on disk could not be used, because it is of another model',
  );
});

test('with storing off each conversation keeps its slot all the same, and nothing goes by way of a file', async (context) => {
  const { chat, engine, settings } = windowOn(await storeFor(context), emptyFolder());
  Object.assign(settings, { snapshotBytes: 0 });
  engine.info = { ...engine.info, slots: 2 };
  const warmed: number[] = [];
  const { request } = engine;
  engine.request = (name, params) => {
    if (name === 'warm') warmed.push((params as WarmParams).slot);
    return request(name, params);
  };
  await chat.send('First.');
  const first = chat.session.id;
  chat.newSession();
  await chat.send('Second.');
  chat.openSession(first);
  await settled();
  assert.deepEqual([warmed, engine.log.filter((name) => name.endsWith('Snapshot'))], [[0, 1, 0], []]);
});
