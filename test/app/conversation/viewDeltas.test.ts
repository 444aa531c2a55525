// The views are sums of deltas: whoever joins at any moment and hears all deltas after has what the host has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { reduceView } from '../../../src/protocol/reduceView.ts';
import type { ViewState } from '../../../src/protocol/view.ts';
import { openScene, type Scene } from '../scenes/scene.ts';
import type { Say } from '../scenes/scriptedModel.ts';
import { tick } from '../scenes/waiting.ts';

const said: readonly Say[] = [
  'Yes.',
  { call: 'echo', arguments: { a: 1 } },
  'It is `a.ts:3`.',
  'A longer answer with words.',
];

/** Actions of a user, in any order; none waits for the one before. */
const actions: Readonly<Record<string, (scene: Scene) => unknown>> = {
  send: (scene) => scene.say('What is it?'),
  command: (scene) => scene.say('/context'),
  evict: (scene) => scene.say('/context evict 0'),
  stop: (scene) => scene.stop(),
  edit: (scene) => scene.edit(scene.message(-1), 'And this?'),
  again: (scene) => scene.regenerate(),
  back: (scene) => scene.takeBack(0),
  write: (scene) => scene.write('half a sent'),
  new: (scene) => scene.newConversation(),
  open: (scene) => scene.ready(),
  crash: (scene) => scene.model.crash(),
  unload: (scene) => scene.model.unload(30),
  pause: () => undefined,
};

/** A view that came when it came. */
function joined(scene: Scene): () => ViewState {
  // Through the wire: what the host changes afterwards must not reach it by itself.
  let state = structuredClone(scene.shown());
  scene.hear((delta) => {
    state = reduceView(state, structuredClone(delta));
  });
  return () => state;
}

const order = fc.array(
  fc.record({ act: fc.constantFrom(...Object.keys(actions)), joins: fc.boolean(), ticks: fc.nat(12) }),
  { minLength: 1, maxLength: 14 },
);

test('a snapshot and the deltas after it give what all deltas give, in 1,000 random orders of what a user does', async () => {
  let views = 0;
  await fc.assert(
    fc.asyncProperty(order, async (steps) => {
      const scene = openScene(steps.flatMap(() => said));
      const shown = [joined(scene)];
      const doing: unknown[] = [];
      for (const { act, joins, ticks } of steps) {
        doing.push(actions[act]?.(scene));
        for (let i = 0; i < ticks; i++) await tick();
        if (joins) shown.push(joined(scene));
      }
      scene.stop();
      await Promise.allSettled(doing);
      for (const state of shown) assert.deepEqual(state(), scene.shown());
      views += shown.length;
    }),
    { numRuns: 1000 },
  );
  assert.ok(views > 3000, `${views} views`);
});
