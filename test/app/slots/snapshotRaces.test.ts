// Stored slots where things happen at once: sessions left while something is loaded, other windows, and no space for all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyFolder } from '../scenes/memory.ts';
import { openCompacting } from '../scenes/scene.ts';
import { storeFor } from '../scenes/storeScene.ts';
import { gate, settled } from '../scenes/waiting.ts';

test('what is loaded for a session that was left meanwhile is not filled: its slot is that of another now', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const scene = openCompacting({ storage: store, folder });
  const slow = gate();
  scene.engine.answer('loadSnapshot', async (_, usual) => {
    const answer = await usual();
    if (scene.loads.length === 1) await slow.closed;
    return answer;
  });
  const opening = scene.ready();
  await settled();
  scene.newConversation();
  await scene.ready();
  slow.open();
  await opening;
  assert.deepEqual([scene.loads.length, scene.engine.times('warm')], [2, 1]);
});

test('a message that is cancelled before it has a slot takes none from the session that is open', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const scene = openCompacting({ storage: store, folder });
  await scene.say('First.');
  const slow = gate();
  let waits = true;
  scene.engine.answer('measure', (_, usual) => (waits ? slow.closed.then(usual) : usual()));
  const sending = scene.say('Second.');
  await settled();
  waits = false;
  scene.newConversation();
  await scene.ready();
  const before = scene.loads.length;
  slow.open();
  await sending;
  await settled();
  assert.equal(scene.loads.length, before);
  assert.deepEqual(
    scene.slots().map(({ session }) => session),
    [scene.id()],
  );
});

test('what another window deleted is not stored again from its slot', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const scene = openCompacting({ storage: store, folder });
  scene.engine.info = { ...scene.engine.info, slots: 2 };
  await scene.say('First.');
  const first = scene.id();
  scene.newConversation();
  await scene.say('Second.');
  await folder.removeSession(first);
  store.sessions.delete(first);
  await scene.keepSlots();
  await settled();
  assert.deepEqual([...folder.kept.keys()], [`${scene.id()}/0`]);
});

test('where not all of the slots may be stored, the one that was used last is, and stays', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const scene = openCompacting({ storage: store, folder });
  scene.settings.snapshotBytes = 1500;
  scene.engine.info = { ...scene.engine.info, slots: 2 };
  scene.engine.answer('saveSnapshot', ({ maxBytes }, usual) =>
    maxBytes < 1000 ? { saved: false, reason: 'it would take more than is allowed' } : usual(),
  );
  await scene.say('First.');
  scene.newConversation();
  await scene.say('Second.');
  await scene.keepSlots();
  await scene.keepSlots();
  assert.deepEqual([...folder.kept.keys()], [`${scene.id()}/0`]);
  assert.deepEqual(
    scene.saves.slice(1).map(({ session }) => session),
    [scene.id(), scene.id()],
  );
});

test('what was on disk and could not be used is said also where another slot served instead', async (context) => {
  const scene = openCompacting({ storage: await storeFor(context), folder: emptyFolder() });
  scene.engine.answer('loadSnapshot', () => ({
    loaded: true,
    from: 'slot',
    refused: 'it is of another model',
    tokens: 900,
    bytes: 1000,
    milliseconds: 12,
    pace: { tokens: 900, milliseconds: 3000 },
  }));
  await scene.ready();
  assert.equal(
    scene.shown().warm?.reason,
    '900 tokens taken over from another conversation in 12 ms, 10 more decoded: only your message has to be decoded; the cache stored on disk could not be used, because it is of another model',
  );
});

test('with storing off each conversation keeps its slot all the same, and nothing goes by way of a file', async (context) => {
  const scene = openCompacting({ storage: await storeFor(context), folder: emptyFolder() });
  scene.settings.snapshotBytes = 0;
  scene.engine.info = { ...scene.engine.info, slots: 2 };
  const warmed: number[] = [];
  scene.engine.answer('warm', ({ slot }, usual) => {
    warmed.push(slot);
    return usual();
  });
  await scene.say('First.');
  const first = scene.id();
  scene.newConversation();
  await scene.say('Second.');
  scene.openConversation(first);
  await settled();
  assert.deepEqual([warmed, scene.engine.asked.filter((name) => name.endsWith('Snapshot'))], [[0, 1, 0], []]);
});
