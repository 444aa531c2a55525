// On battery saver nothing is decoded but what the user asks for; without it idle work goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyBundle } from '../../../src/core/prompt/bundle.ts';
import { emptyFolder } from '../scenes/memory.ts';
import { openCompacting } from '../scenes/scene.ts';

/** A chat that compacts, on a machine whose power and clock are set by hand. */
function powered(power: 'saver' | 'free' | 'unknown', options: Parameters<typeof openCompacting>[0] = {}) {
  const scene = openCompacting(options);
  const machine = { power, asked: 0 };
  scene.editor.power = async () => {
    machine.asked += 1;
    return machine.power;
  };
  const decoded = () => scene.engine.times('warm') + scene.summaryPrompts.length;
  return { ...scene, machine, decoded };
}

test('on battery saver nothing is compacted, prepared or warmed, and the view says that idle work rests', async () => {
  const scene = powered('saver');
  await scene.ready();
  assert.deepEqual([scene.shown().resting, scene.shown().stack?.exact], [true, true]);
  await scene.talk(8);
  const { resting, warm, warming } = scene.shown();
  assert.deepEqual(
    [scene.decoded(), scene.state().compactions.length, resting, warm, warming],
    [0, 0, true, null, null],
  );
  assert.equal(scene.answers().length, 8);
});

test('the next idle moment without it does what was left out', async () => {
  const scene = powered('saver');
  await scene.talk(10);
  scene.machine.power = 'free';
  scene.editor.now += 31_000;
  await scene.ready();
  assert.deepEqual([scene.state().compactions.length, scene.shown().resting], [1, false]);
  assert.ok(scene.decoded() > 1);
  assert.ok(scene.shown().warm !== null);
});

test('without it, or where it is not known, idle work is as ever', async () => {
  for (const power of ['free', 'unknown'] as const) {
    const scene = powered(power);
    await scene.ready();
    assert.deepEqual([scene.decoded(), scene.shown().resting], [1, false]);
  }
  const scene = powered('free');
  scene.editor.power = () => Promise.reject(new Error('no such program'));
  await scene.ready();
  assert.equal(scene.shown().resting, false);
});

test('the machine is asked at most every 30 seconds', async () => {
  const scene = powered('free');
  for (const [now, asked] of [
    [0, 1],
    [29_999, 1],
    [30_000, 2],
    [59_999, 2],
    [-3_600_000, 3],
  ] as const) {
    scene.editor.now = now;
    scene.machine.power = now < 0 ? 'saver' : 'free';
    await scene.ready();
    assert.deepEqual([scene.shown().resting, scene.machine.asked], [now < 0, asked]);
  }
});

test('what the user asks for is done on battery saver too: /compact compacts, Refresh takes the new texts in', async () => {
  const scene = powered('saver');
  await scene.talk(8);
  await scene.say('/compact');
  assert.deepEqual([scene.summaryPrompts.length, scene.state().compactions[0]?.outcome], [1, 'ok']);
  scene.editor.bundles.push({ ...emptyBundle, key: 'new words' });
  await scene.refresh();
  assert.equal(scene.state().bundle?.key, scene.editor.bundles.at(-1)?.key);
  assert.deepEqual([scene.engine.asked.includes('warm'), scene.shown().resting], [false, true]);
});

test('the state of the slots is still stored on battery saver', async () => {
  const scene = powered('saver', { folder: emptyFolder() });
  await scene.say('Hi.');
  assert.ok([...scene.timers].some(({ milliseconds }) => milliseconds === 120_000));
});

test('what the next message will cost is not forecast from a slot that nobody compared, but that it does not fit is said', async () => {
  const scene = powered('saver');
  await scene.say('Hi.');
  await scene.write('A short one.');
  const short = scene.shown().forecast;
  await scene.write('long '.repeat(8000));
  assert.deepEqual([short, scene.shown().forecast?.fits], [null, 'none']);
});
