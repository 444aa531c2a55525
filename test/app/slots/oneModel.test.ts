// Two windows share one model per machine over one database file, each with its own connection to it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { serverParams } from '../../../lab/servers/serverParams.ts';
import { OneModel } from '../../../src/app/model/oneModel.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import type { Leases } from '../../../src/core/stored/storedSession.ts';
import { memoryLeases } from '../scenes/memory.ts';
import { openScene, type Scene } from '../scenes/scene.ts';
import { fileFor, storeFor } from '../scenes/storeScene.ts';

/** Windows on one file, as two editors have them. */
async function windows(context: TestContext, ...names: readonly string[]) {
  const file = fileFor(context);
  const opened: Scene[] = [];
  for (const name of names) {
    const [storage, folders] = [await storeFor(context, file), [{ name, path: `/${name}` }]];
    const window = openScene(['yes', 'yes', 'yes'], { storage, folders, name: `${name}-` });
    window.wanted.onePerMachine = true;
    opened.push(window);
  }
  return opened as [Scene, Scene];
}

const stateOf = (scene: Scene) => scene.shown().engine.state;
const loads = ({ engine }: Scene) => engine.times('load');

const ports = { holder: '1:mine', now: () => new Date(0), every: () => () => undefined };

test('where another window has a model, none is loaded: the view asks, with a button to load one here too', async (context) => {
  const [first, second] = await windows(context, 'a', 'b');
  await first.ready();
  await second.ready();
  assert.deepEqual([stateOf(first), stateOf(second), loads(second)], ['ready', 'failed', 0]);
  const { engine } = second.shown();
  assert.equal(engine.message, 'The model is running in another window.');
  assert.deepEqual(
    engine.actions.map(({ label, do: { type } }) => [label, type]),
    [
      ['Load It Here Too', 'loadHere'],
      ['Try again', 'restartModel'],
    ],
  );
});

test('a message that finds no model goes back to the composer, and is answered once one is loaded here too', async (context) => {
  const [first, second] = await windows(context, 'a', 'b');
  await first.ready();
  await second.say('hi');
  assert.deepEqual(second.kinds(), ['fault']);
  const { draft, running } = second.shown();
  assert.deepEqual([draft.text, running], ['hi', false]);
  await second.say('hi');
  assert.deepEqual(second.kinds(), ['fault'], 'it is asked once');
  await second.model.loadHere();
  assert.deepEqual(second.kinds(), [], 'the question is answered');
  await second.say('hi');
  assert.deepEqual(second.kinds(), ['user', 'answer']);
  // The choice lasts until the window closes, also after a crash and a restart.
  await second.model.restart();
  await second.model.crash();
  assert.deepEqual([stateOf(first), stateOf(second)], ['ready', 'ready']);
});

test('once the model of the first window is unloaded, a message in the second loads one without a click', async (context) => {
  const [first, second] = await windows(context, 'a', 'b');
  await first.ready();
  await second.ready();
  assert.equal(second.model.waits(), true);
  await first.model.unload(30);
  await second.say('hi');
  assert.deepEqual([stateOf(first), stateOf(second)], ['off', 'ready']);
  assert.deepEqual(second.kinds(), ['user', 'answer']);
  await first.say('hi');
  assert.deepEqual([first.shown().engine.message, loads(first)], ['The model is running in another window.', 1]);
});

test('a window that closes, or whose model cannot be loaded or crashes too often, gives the place back', async (context) => {
  const [first, second] = await windows(context, 'a', 'b');
  first.engine.failLoads = new FaultError({ kind: 'modelMissing', path: '/m.gguf' });
  await first.ready();
  await second.ready();
  assert.deepEqual([stateOf(first), stateOf(second)], ['failed', 'ready']);
  second.leavePlace();
  first.engine.failLoads = null;
  await first.ready();
  assert.equal(stateOf(first), 'ready');
  await second.model.restart().catch(() => undefined);
  assert.equal(stateOf(second), 'failed');
  for (let i = 0; i < 4; i++) await first.model.crash('SIGSEGV');
  await second.ready();
  assert.deepEqual([stateOf(first), stateOf(second)], ['failed', 'ready']);
});

test('while a crashed model is started again, the place stays its own', async (context) => {
  const [first, second] = await windows(context, 'a', 'b');
  await first.ready();
  await first.model.crash();
  await second.ready();
  assert.deepEqual([stateOf(first), stateOf(second)], ['ready', 'failed']);
});

test('the place of a window whose process died is free at once', async (context) => {
  const [first, second] = await windows(context, 'a', 'b');
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const dead = new OneModel(first.storage?.leases ?? null, { ...ports, holder: `${pid}:gone` }, () => true);
  assert.equal(dead.take({}), true);
  await second.ready();
  assert.equal(stateOf(second), 'ready');
});

test('with the setting off, or where nothing can be stored, each window loads its own', async (context) => {
  const [first, second] = await windows(context, 'a', 'b');
  second.wanted.onePerMachine = false;
  await first.ready();
  await second.ready();
  assert.equal(stateOf(second), 'ready');
  const broken: Leases = { ...memoryLeases(), acquire: () => assert.fail('the disk is full') };
  for (const leases of [null, broken]) assert.equal(new OneModel(leases, ports, () => true).take({}), true);
});

test('a place that runs out is another’s: the one that lost it knows with its next renewal', () => {
  const leases = memoryLeases();
  const ticks = new Set<() => void>();
  const every = (_: number, run: () => void) => {
    ticks.add(run);
    return () => void ticks.delete(run);
  };
  const user = {};
  const mine = new OneModel(leases, { ...ports, every }, () => true);
  assert.deepEqual([mine.take(user), mine.lost, ticks.size], [true, false, 1]);
  for (const tick of ticks) tick();
  assert.equal(mine.lost, false);
  leases.holders.set('model', '1:other');
  for (const tick of ticks) tick();
  assert.deepEqual([mine.lost, mine.take(user)], [true, false]);
  mine.release();
  assert.deepEqual([mine.lost, ticks.size, leases.holders.get('model')], [false, 0, '1:other']);
});

test('where a window has two engines, the place is free once neither has a model of this machine', () => {
  const leases = memoryLeases();
  const place = new OneModel(leases, ports, () => true);
  const [one, other] = [{}, {}];
  place.take(one);
  place.take(other);
  place.release(one);
  assert.equal(leases.holders.get('model'), '1:mine');
  place.release(one);
  assert.equal(leases.holders.get('model'), '1:mine');
  place.release(other);
  assert.equal(leases.holders.get('model'), undefined);
});

test('a window whose model runs on a server from now on gives the place back', async (context) => {
  const [first, second] = await windows(context, 'a', 'b');
  await first.ready();
  first.wanted.load = { ...first.wanted.load, server: serverParams('https://desk.example') };
  await first.ready();
  await second.ready();
  assert.deepEqual([stateOf(first), stateOf(second)], ['ready', 'ready']);
});
