// A server that says in an error how large its window is: the prompt is made for that one and asked for once more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultError } from '../../../src/core/faults/faults.ts';
import type { TurnState } from '../../../src/core/turn/turnPorts.ts';
import { checkFitted } from '../scenes/grow.ts';
import { sayCall, words } from '../scenes/play.ts';
import { begin, checkEnd, type Ended, end, type Scene } from '../scenes/scene.ts';

/** The scene's server refuses so many of its generations, and names these windows. */
function refusing(...windows: readonly number[]): NonNullable<Scene['touch']> & { asked: () => number } {
  let asked = 0;
  const touch: NonNullable<Scene['touch']> = (use) => {
    if (use !== 'generate') return;
    const window = windows[asked++];
    if (window === undefined) return;
    throw new FaultError({ kind: 'doesNotFit', needed: 9000, high: window - 1, window, reserve: 1, pinned: 0 });
  };
  return Object.assign(touch, { asked: () => asked });
}

async function talked(turns: number): Promise<TurnState> {
  let state = begin;
  for (let n = 0; n < turns; n++) {
    const said = [words(`answer ${n}`, 300)];
    state = (await end({ said, state, text: `question ${n}`, window: 8192 })).outcome;
  }
  return state;
}

function fittedOf({ events }: Ended) {
  return events.flatMap((event) => (event.type === 'called' ? [event.fitted] : []));
}

test('the prompt is trimmed to the window that it names, and asked for once more', async () => {
  const state = await talked(6);
  const touch = refusing(2048);
  const ended = await end({ said: ['It is here.'], state, touch, window: 8192 });
  checkEnd(ended);
  const [fitted, ...more] = fittedOf(ended);
  assert.ok(fitted !== undefined && more.length === 0);
  checkFitted(fitted);
  assert.deepEqual([ended.outcome.report.end, touch.asked()], ['done', 2]);
  assert.deepEqual([fitted.budget.window, fitted.budget.reserve], [2048, 512]);
  assert.ok(fitted.measure.total <= 1536);
  // The turn is trimmed like others: nothing was lost in an emergency, and the model is told of none.
  assert.ok(ended.turn.every(({ origin }) => origin !== 'note'));
});

test('what fits as it is loses nothing: it is asked for with less space for the answer', async () => {
  const state = await talked(1);
  const touch = refusing(2048);
  const ended = await end({ said: ['It is here.'], state, touch, window: 8192 });
  const [fitted] = fittedOf(ended);
  assert.deepEqual([fitted?.measure.total, fitted?.before, touch.asked()], [fitted?.before, fitted?.before, 2]);
});

test('a server that names another window each time is asked once more, and no more often than there are turns to halve', async () => {
  const state = await talked(6);
  const touch = refusing(...Array.from({ length: 1000 }, (_, i) => 7000 - i));
  const ended = await end({ said: ['It is here.'], state, touch, window: 8192 });
  assert.equal(ended.outcome.report.fault?.kind, 'doesNotFit');
  assert.ok(touch.asked() <= 6, String(touch.asked()));
});

test('a window that is too small to be one, or larger than that of the settings, is not learned', async () => {
  for (const window of [0, 1, 1023, 8192, 9000, Number.MAX_SAFE_INTEGER]) {
    const touch = refusing(window);
    const ended = await end({ said: ['It is here.'], state: await talked(4), touch, window: 8192 });
    assert.equal(fittedOf(ended)[0]?.budget.window, 8192, String(window));
  }
});

test('later calls of the turn are for that window too', async () => {
  const state = await talked(6);
  const touch = refusing(2048);
  const ended = await end({ said: [sayCall('a'), 'It is here.'], state, touch, window: 8192 });
  checkEnd(ended);
  assert.deepEqual(
    fittedOf(ended).map(({ budget }) => budget.window),
    [2048, 2048],
  );
});
