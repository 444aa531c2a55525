// Compacts build upon each other: where the latest is branched off before or taken back, the one before it stands again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateText } from '../../../src/core/compaction/stateText.ts';
import type { Item } from '../../../src/core/dialog/dialog.ts';
import { defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { pruneStateOn, shownItems, undoCompaction } from '../../../src/core/pruning/pruneState.ts';
import { play } from '../scenes/play.ts';

const turn = { user: 200, rounds: [[900]], answer: 200 };

/** The path and what is held after the second compaction, and the first compaction. */
async function twoFolds() {
  const { calls, setup } = await play({
    turns: Array.from({ length: 12 }, () => turn),
    window: 1600,
    salt: 0,
    folds: true,
    policy: { ...defaultPolicy, reserve: 256 },
  });
  const call = calls.find(({ fitted }) => fitted.held.fold?.previous !== null && fitted.held.fold !== null);
  assert.ok(call !== undefined && setup.budget.high > 0);
  const { held, room } = call.fitted;
  const first = held.fold?.previous;
  assert.ok(held.fold !== null && first !== null && first !== undefined);
  assert.ok(first.to < held.fold.to);
  return { path: room.path, held, first, second: held.fold };
}

test('an edit between two folds leaves the first one standing, with what it took out and no more', async () => {
  const { path, held, first } = await twoFolds();
  const edited: Item = { origin: 'user', id: 'edited', parent: path[first.to - 1]?.id ?? null, text: 'Else.' };
  const branch = [...path.slice(0, first.to), edited];
  const now = pruneStateOn(branch, held);
  assert.equal(now.fold, first);
  assert.deepEqual(now.runs, first.runs);
  assert.deepEqual(
    shownItems(branch, now).map(([, { id }]) => id),
    ['edited'],
  );
});

test('an edit before both takes both away', async () => {
  const { path, held } = await twoFolds();
  const edited: Item = { origin: 'user', id: 'edited', parent: null, text: 'Else.' };
  const now = pruneStateOn([edited], held);
  assert.equal(now.fold, null);
  assert.deepEqual(now.runs, []);
  assert.ok(path.length > 1);
});

test('undone, the fold before stands again, and only what the latest took out comes back', async () => {
  const { path, held, first, second } = await twoFolds();
  const back = undoCompaction(held);
  assert.equal(back.fold, first);
  const ids = (one: typeof held) => new Set(shownItems(path, one).map(([at]) => at));
  for (const [at] of path.entries()) {
    if (at < first.to) assert.ok(!ids(back).has(at));
    else if (at < second.to) assert.ok(ids(back).has(at) && !ids(held).has(at));
  }
  assert.notEqual(stateText(first.checkpoint), stateText(second.checkpoint));
  assert.equal(undoCompaction(back).fold, null);
});
