// Stored slots as the chat sees them: when one is stored, for whom it is loaded, and what is deleted when.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SnapshotLoaded } from '../../../src/core/engine/slotState.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { gate } from '../scenes/openChat.ts';
import { emptyFolder, settled, windowOn } from '../scenes/snapshotScene.ts';
import { failing, storeFor } from '../scenes/storeScene.ts';

const twoMinutes = 120_000;

test('a reopened window goes on from what was stored, before anything is decoded, and says so', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const first = windowOn(store, folder);
  await first.chat.send('First.');
  await first.chat.snapshots.keep();
  first.chat.dispose();
  const { chat, engine, loads } = windowOn(store, folder);
  chat.resume();
  await chat.open();
  assert.deepEqual(
    loads.map(({ slot, path, reuse }) => [slot, path, reuse]),
    [[0, `${chat.session.id}/0`, 'auto']],
  );
  assert.deepEqual(
    engine.log.filter((name) => name !== 'measure'),
    ['load', 'loadSnapshot', 'warm'],
  );
  assert.equal(
    chat.snapshot.warm?.reason,
    '6,012 tokens loaded from disk in 0.2 s, 10 more decoded: only your message has to be decoded',
  );
  // The pace that was stored with it tells what it spared.
  assert.ok((chat.snapshot.warm?.savedMilliseconds ?? 0) > 0);
  await chat.send('Second.');
  assert.equal(loads.length, 1, 'what the slot holds since is newer');
});

test('a message that comes before idle work goes on from it too, and does not overtake it', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const { chat, engine, loads, settings } = windowOn(store, folder);
  const slow = gate();
  const { load } = engine.snapshots;
  engine.snapshots.load = async (params) => {
    await slow.closed;
    return load(params);
  };
  const opening = chat.open();
  await settled();
  const sending = chat.send('First.');
  await settled();
  assert.equal(engine.log.includes('generate'), false);
  slow.open();
  await Promise.all([opening, sending]);
  assert.equal(engine.log.filter((name) => name === 'loadSnapshot').length, 1);
  Object.assign(settings, { warm: false });
  chat.newSession();
  await chat.send('Second.');
  assert.equal(loads.length, 2);
  assert.ok(engine.log.lastIndexOf('loadSnapshot') < engine.log.lastIndexOf('generate'));
});

test('it is stored when the session is left, before another comes into the slot', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const { chat, engine, saves } = windowOn(store, folder);
  await chat.send('First.');
  const { id } = chat.session;
  assert.equal(saves.length, 0);
  chat.newSession();
  await chat.open();
  const own = saves.filter(({ session }) => session === id);
  assert.deepEqual(own, [{ slot: 0, path: `${id}/0`, session: id, worthMilliseconds: 5000, maxBytes: 1_000_000 }]);
  const { log } = engine;
  assert.ok(log.indexOf('saveSnapshot') < log.lastIndexOf('loadSnapshot'));
  chat.openSession(id);
  await settled();
  assert.deepEqual(
    new Set(saves.map(({ session }) => session)),
    new Set([id, 'head f1 /a']),
    'of one without a message the head is',
  );
  assert.match(chat.snapshot.warm?.reason ?? '', /loaded from disk/);
});

test('it is stored after two minutes in which nobody did anything, once', async (context) => {
  const { chat, saves, timers, pass } = windowOn(await storeFor(context), emptyFolder());
  await chat.send('First.');
  const sending = chat.send('Second.');
  assert.equal([...timers.values()].includes(twoMinutes), false, 'a message ends the rest');
  await sending;
  assert.equal([...timers.values()].filter((each) => each === twoMinutes).length, 1);
  await pass(twoMinutes);
  await pass(twoMinutes);
  assert.equal(saves.length, 1);
  chat.dispose();
  assert.equal([...timers.values()].includes(twoMinutes), false);
});

test('nothing is stored without a model, for a model that was loaded anew, or of a prompt cache that is off', async (context) => {
  const { chat, life, engine, saves, loads, settings } = windowOn(await storeFor(context), emptyFolder());
  await chat.snapshots.keep();
  assert.equal(engine.log.includes('saveSnapshot'), false, 'a process would be started for it');
  await chat.send('First.');
  // A process of its own has an object of its own.
  engine.info = { ...engine.info };
  await life.crashed({ kind: 'engineCrashed', reason: 'SIGKILL' });
  await chat.snapshots.keep();
  assert.equal(saves.length, 0);
  const { switches } = settings.agent;
  settings.agent = { ...settings.agent, switches: { ...switches, promptCache: false } };
  await chat.send('Second.');
  await chat.snapshots.keep();
  assert.equal(saves.length, 0);
  settings.agent = { ...settings.agent, switches };
  const before = loads.length;
  await chat.send('Third.');
  assert.equal(loads.length, before + 1);
});

test('with storing off nothing is stored or loaded, and what was there is deleted', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const { chat, saves, loads, settings, timers } = windowOn(store, folder);
  await chat.send('First.');
  await chat.snapshots.keep();
  assert.equal(folder.kept.size, 1);
  settings.snapshotBytes = 0;
  await chat.snapshots.tidy();
  assert.equal(folder.kept.size, 0);
  const { id } = chat.session;
  chat.newSession();
  chat.openSession(id);
  await settled();
  await chat.send('Second.');
  await chat.snapshots.keep();
  assert.deepEqual([saves.length, loads.length, folder.kept.size], [1, 1, 0]);
  assert.equal([...timers.values()].includes(twoMinutes), false);
});

test('what was unused for longest goes when there is no room for all', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const { chat, settings } = windowOn(store, folder);
  settings.snapshotBytes = 2500;
  const ids: string[] = [];
  for (const words of ['First.', 'Second.', 'Third.']) {
    chat.newSession();
    await chat.send(words);
    ids.push(chat.session.id);
    await chat.snapshots.keep();
  }
  await settled();
  assert.deepEqual(
    [...folder.kept.values()].map(({ session }) => session),
    ids.slice(1),
  );
});

test('a deleted session takes it along, also while it is being stored', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const { chat, engine, saves } = windowOn(store, folder);
  await chat.send('First.');
  const slow = gate();
  const { save } = engine.snapshots;
  engine.snapshots.save = async (params) => {
    await slow.closed;
    return save(params);
  };
  assert.equal(chat.deleteSession(chat.session.id), null);
  slow.open();
  await settled();
  assert.deepEqual([saves.length, folder.kept.size], [1, 0]);
  await chat.snapshots.keep();
  assert.equal(folder.kept.size, 0);
});

test('a session deleted while no model is loaded takes it along; one that cannot be deleted keeps it', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  let fails = true;
  const first = windowOn(store, folder);
  await first.chat.send('First.');
  await first.chat.snapshots.keep();
  const { id } = first.chat.session;
  first.chat.dispose();
  const { chat, life } = windowOn(
    failing(store, (name) => fails && name === 'delete'),
    folder,
  );
  assert.throws(() => chat.deleteSession(id));
  await settled();
  assert.equal(folder.kept.size, 1);
  fails = false;
  assert.equal(chat.deleteSession(id), null);
  await settled();
  assert.deepEqual([folder.kept.size, life.loaded], [0, null]);
});

test('what belongs to no stored session is swept up; where the store cannot say, it stays', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  folder.kept.set('x/0', { session: 'x', path: 'x/0', bytes: 10, used: 1 });
  let fails = true;
  const { chat } = windowOn(
    failing(store, (name) => fails && name === 'session'),
    folder,
  );
  await chat.snapshots.tidy();
  assert.equal(folder.kept.size, 1);
  fails = false;
  await chat.snapshots.tidy();
  assert.equal(folder.kept.size, 0);
});

test('one that takes the model down is deleted, and the next start goes on without', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const first = windowOn(store, folder);
  await first.chat.send('First.');
  await first.chat.snapshots.keep();
  first.chat.dispose();
  const { chat, life, engine } = windowOn(store, folder);
  const fault = { kind: 'engineCrashed', reason: 'SIGABRT' } as const;
  const { load } = engine.snapshots;
  engine.snapshots.load = () => {
    throw new FaultError(fault);
  };
  chat.resume();
  await chat.open();
  assert.equal(folder.kept.size, 0);
  engine.info = { ...engine.info };
  engine.snapshots.load = load;
  await life.crashed(fault);
  await chat.open();
  assert.equal(chat.snapshot.warm?.reason, 'only your message has to be decoded');
  await chat.send('Second.');
  assert.equal(chat.snapshot.entries.at(-1)?.kind, 'answer');
});

test('one that cannot be used is said with its reason; a failure of loading costs nothing', async (context) => {
  const { chat, engine } = windowOn(await storeFor(context), emptyFolder());
  const answers: (() => SnapshotLoaded)[] = [
    () => ({ loaded: false, reason: 'it is of another model', deleted: true }),
    () => {
      throw new FaultError({ kind: 'engineFailed', reason: 'no such request' });
    },
  ];
  engine.snapshots.load = () => answers.shift()?.() ?? { loaded: false, reason: '', deleted: false };
  await chat.open();
  const words =
    'only your message has to be decoded; the cache stored on disk could not be used, because it is of another model';
  assert.equal(chat.snapshot.warm?.reason, words);
  chat.newSession();
  await chat.open();
  assert.equal(chat.snapshot.warm?.reason, 'only your message has to be decoded');
});

test('with room for two conversations going back to the other needs no disk; a third one takes the older slot', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const { chat, engine, loads, saves } = windowOn(store, folder);
  engine.info = { ...engine.info, slots: 2 };
  await chat.send('First.');
  const first = chat.session.id;
  chat.newSession();
  await chat.send('Second.');
  const second = chat.session.id;
  assert.deepEqual(
    loads.map(({ slot }) => slot),
    [0, 1],
  );
  chat.openSession(first);
  await settled();
  await chat.send('Third.');
  assert.equal(loads.length, 2, 'it was in its slot');
  chat.newSession();
  await chat.send('Of a third conversation.');
  const last = loads.at(-1);
  assert.deepEqual([last?.slot, last?.path], [1, 'head f1 /a/0']);
  assert.ok(
    saves.some(({ session }) => session === second),
    'what gave way was stored when it was left',
  );
  chat.openSession(second);
  await settled();
  const { slot, path } = loads.at(-1) ?? {};
  assert.deepEqual(
    [slot, path],
    [0, `${second}/0`],
    'it comes back from disk, into the slot that was used least recently',
  );
});

test('a conversation that was deleted gives its slot to the next one', async (context) => {
  const { chat, engine, loads } = windowOn(await storeFor(context), emptyFolder());
  engine.info = { ...engine.info, slots: 2 };
  await chat.send('First.');
  const first = chat.session.id;
  chat.newSession();
  await chat.send('Second.');
  assert.equal(chat.deleteSession(first), null);
  chat.newSession();
  await chat.send('Third.');
  assert.equal(loads.at(-1)?.slot, 0);
});
