// Stored slots as the chat sees them: when one is stored, for whom it is loaded, and what is deleted when.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SnapshotLoaded } from '../../../src/core/engine/slotState.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { emptyFolder } from '../scenes/memory.ts';
import { openCompacting, type Scene } from '../scenes/scene.ts';
import { failing, storeFor } from '../scenes/storeScene.ts';
import { settled } from '../scenes/waiting.ts';

const twoMinutes = 120_000;
const resting = ({ timers }: Scene) => [...timers].filter(({ milliseconds }) => milliseconds === twoMinutes).length;

test('a reopened window goes on from what was stored, before anything is decoded, and says so', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const first = openCompacting({ storage: store, folder });
  await first.say('First.');
  await first.keepSlots();
  first.dispose();
  const scene = openCompacting({ storage: store, folder });
  scene.resume();
  await scene.ready();
  assert.deepEqual(
    scene.loads.map(({ slot, path, reuse }) => [slot, path, reuse]),
    [[0, `${scene.id()}/0`, 'auto']],
  );
  assert.deepEqual(
    scene.engine.asked.filter((name) => name !== 'measure'),
    ['load', 'loadSnapshot', 'warm'],
  );
  assert.equal(
    scene.shown().warm?.reason,
    '6,012 tokens loaded from disk in 0.2 s, 10 more decoded: only your message has to be decoded',
  );
  // The pace that was stored with it tells what it spared.
  assert.ok((scene.shown().warm?.savedMilliseconds ?? 0) > 0);
  await scene.say('Second.');
  assert.equal(scene.loads.length, 1, 'what the slot holds since is newer');
});

test('a message that comes before idle work goes on from it too, and does not overtake it', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const scene = openCompacting({ storage: store, folder });
  const open = scene.engine.hold('loadSnapshot');
  const opening = scene.ready();
  await settled();
  const sending = scene.say('First.');
  await settled();
  assert.equal(scene.engine.asked.includes('generate'), false);
  open();
  await Promise.all([opening, sending]);
  assert.equal(scene.engine.times('loadSnapshot'), 1);
  scene.settings.warm = false;
  scene.newConversation();
  await scene.say('Second.');
  assert.equal(scene.loads.length, 2);
  assert.ok(scene.engine.asked.lastIndexOf('loadSnapshot') < scene.engine.asked.lastIndexOf('generate'));
});

test('it is stored when the session is left, before another comes into the slot', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const scene = openCompacting({ storage: store, folder });
  await scene.say('First.');
  const id = scene.id();
  assert.equal(scene.saves.length, 0);
  scene.newConversation();
  await scene.ready();
  const own = scene.saves.filter(({ session }) => session === id);
  assert.deepEqual(own, [{ slot: 0, path: `${id}/0`, session: id, worthMilliseconds: 5000, maxBytes: 1_000_000 }]);
  const { asked } = scene.engine;
  assert.ok(asked.indexOf('saveSnapshot') < asked.lastIndexOf('loadSnapshot'));
  scene.openConversation(id);
  await settled();
  assert.deepEqual(
    new Set(scene.saves.map(({ session }) => session)),
    new Set([id, 'head f1 /a']),
    'of one without a message the head is',
  );
  assert.match(scene.shown().warm?.reason ?? '', /loaded from disk/);
});

test('it is stored after two minutes in which nobody did anything, once', async (context) => {
  const scene = openCompacting({ storage: await storeFor(context), folder: emptyFolder() });
  await scene.say('First.');
  const sending = scene.say('Second.');
  assert.equal(resting(scene), 0, 'a message ends the rest');
  await sending;
  assert.equal(resting(scene), 1);
  await scene.pass(twoMinutes);
  await scene.pass(twoMinutes);
  assert.equal(scene.saves.length, 1);
  scene.dispose();
  assert.equal(resting(scene), 0);
});

test('nothing is stored without a model, for a model that was loaded anew, or of a prompt cache that is off', async (context) => {
  const scene = openCompacting({ storage: await storeFor(context), folder: emptyFolder() });
  await scene.keepSlots();
  assert.equal(scene.engine.asked.includes('saveSnapshot'), false, 'a process would be started for it');
  await scene.say('First.');
  // A process of its own has an object of its own.
  scene.engine.info = { ...scene.engine.info };
  await scene.model.crash();
  await scene.keepSlots();
  assert.equal(scene.saves.length, 0);
  scene.agent({ switches: { promptCache: false } });
  await scene.say('Second.');
  await scene.keepSlots();
  assert.equal(scene.saves.length, 0);
  scene.agent({ switches: { promptCache: true } });
  const before = scene.loads.length;
  await scene.say('Third.');
  assert.equal(scene.loads.length, before + 1);
});

test('with storing off nothing is stored or loaded, and what was there is deleted', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const scene = openCompacting({ storage: store, folder });
  await scene.say('First.');
  await scene.keepSlots();
  assert.equal(folder.kept.size, 1);
  scene.settings.snapshotBytes = 0;
  await scene.tidySlots();
  assert.equal(folder.kept.size, 0);
  const id = scene.id();
  scene.newConversation();
  scene.openConversation(id);
  await settled();
  await scene.say('Second.');
  await scene.keepSlots();
  assert.deepEqual([scene.saves.length, scene.loads.length, folder.kept.size], [1, 1, 0]);
  assert.equal(resting(scene), 0);
});

test('what was unused for longest goes when there is no space for all', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const scene = openCompacting({ storage: store, folder });
  scene.settings.snapshotBytes = 2500;
  const ids: string[] = [];
  for (const words of ['First.', 'Second.', 'Third.']) {
    scene.newConversation();
    await scene.say(words);
    ids.push(scene.id());
    await scene.keepSlots();
  }
  await settled();
  assert.deepEqual(
    [...folder.kept.values()].map(({ session }) => session),
    ids.slice(1),
  );
});

test('a deleted session takes it along, also while it is being stored', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const scene = openCompacting({ storage: store, folder });
  await scene.say('First.');
  const open = scene.engine.hold('saveSnapshot');
  assert.equal(scene.deleteConversation(scene.id()), null);
  open();
  await settled();
  assert.deepEqual([scene.saves.length, folder.kept.size], [1, 0]);
  await scene.keepSlots();
  assert.equal(folder.kept.size, 0);
});

test('a session deleted while no model is loaded takes it along; one that cannot be deleted keeps it', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  let fails = true;
  const first = openCompacting({ storage: store, folder });
  await first.say('First.');
  await first.keepSlots();
  const id = first.id();
  first.dispose();
  const scene = openCompacting({ storage: failing(store, (name) => fails && name === 'delete'), folder });
  assert.throws(() => scene.deleteConversation(id));
  await settled();
  assert.equal(folder.kept.size, 1);
  fails = false;
  assert.equal(scene.deleteConversation(id), null);
  await settled();
  assert.deepEqual([folder.kept.size, scene.model.loaded()], [0, null]);
});

test('what belongs to no stored session is swept up; where the store cannot say, it stays', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  folder.kept.set('x/0', { session: 'x', path: 'x/0', bytes: 10, used: 1 });
  let fails = true;
  const scene = openCompacting({ storage: failing(store, (name) => fails && name === 'has'), folder });
  await scene.tidySlots();
  assert.equal(folder.kept.size, 1);
  fails = false;
  await scene.tidySlots();
  assert.equal(folder.kept.size, 0);
});

test('no session is read to sweep up what belongs to none', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const first = openCompacting({ storage: store, folder });
  await first.say('First.');
  await first.keepSlots();
  folder.kept.set('x/0', { session: 'x', path: 'x/0', bytes: 10, used: 1 });
  const scene = openCompacting({ storage: failing(store, (name) => name === 'session'), folder });
  await scene.tidySlots();
  assert.deepEqual([...folder.kept.keys()], [`${first.id()}/0`]);
});

test('one that takes the model down is deleted, and the next start goes on without', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const first = openCompacting({ storage: store, folder });
  await first.say('First.');
  await first.keepSlots();
  first.dispose();
  const scene = openCompacting({ storage: store, folder });
  const fault = { kind: 'engineCrashed', reason: 'SIGABRT' } as const;
  let fails = true;
  scene.engine.answer('loadSnapshot', (_, usual) => (fails ? Promise.reject(new FaultError(fault)) : usual()));
  scene.resume();
  await scene.ready();
  assert.equal(folder.kept.size, 0);
  scene.engine.info = { ...scene.engine.info };
  fails = false;
  await scene.model.crash(fault.reason);
  await scene.ready();
  assert.equal(scene.shown().warm?.reason, 'only your message has to be decoded');
  await scene.say('Second.');
  assert.equal(scene.kinds().at(-1), 'answer');
});

test('one that cannot be used is said with its reason; a failure of loading costs nothing', async (context) => {
  const scene = openCompacting({ storage: await storeFor(context), folder: emptyFolder() });
  const answers: (() => SnapshotLoaded)[] = [
    () => ({ loaded: false, reason: 'it is of another model', deleted: true }),
    () => {
      throw new FaultError({ kind: 'engineFailed', reason: 'no such request' });
    },
  ];
  scene.engine.answer('loadSnapshot', () => answers.shift()?.() ?? { loaded: false, reason: '', deleted: false });
  await scene.ready();
  const words =
    'only your message has to be decoded; the cache stored on disk could not be used, because it is of another model';
  assert.equal(scene.shown().warm?.reason, words);
  scene.newConversation();
  await scene.ready();
  assert.equal(scene.shown().warm?.reason, 'only your message has to be decoded');
});

test('with space for two conversations going back to the other needs no disk; a third one takes the older slot', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const scene = openCompacting({ storage: store, folder });
  scene.engine.info = { ...scene.engine.info, slots: 2 };
  await scene.say('First.');
  const first = scene.id();
  scene.newConversation();
  await scene.say('Second.');
  const second = scene.id();
  assert.deepEqual(
    scene.loads.map(({ slot }) => slot),
    [0, 1],
  );
  scene.openConversation(first);
  await settled();
  await scene.say('Third.');
  assert.equal(scene.loads.length, 2, 'it was in its slot');
  scene.newConversation();
  await scene.say('Of a third conversation.');
  const last = scene.loads.at(-1);
  assert.deepEqual([last?.slot, last?.path], [1, 'head f1 /a/0']);
  assert.ok(
    scene.saves.some(({ session }) => session === second),
    'what gave way was stored when it was left',
  );
  scene.openConversation(second);
  await settled();
  const { slot, path } = scene.loads.at(-1) ?? {};
  assert.deepEqual(
    [slot, path],
    [0, `${second}/0`],
    'it comes back from disk, into the slot that was used least recently',
  );
});

test('a conversation that was deleted gives its slot to the next one', async (context) => {
  const scene = openCompacting({ storage: await storeFor(context), folder: emptyFolder() });
  scene.engine.info = { ...scene.engine.info, slots: 2 };
  await scene.say('First.');
  const first = scene.id();
  scene.newConversation();
  await scene.say('Second.');
  assert.equal(scene.deleteConversation(first), null);
  scene.newConversation();
  await scene.say('Third.');
  assert.equal(scene.loads.at(-1)?.slot, 0);
});
