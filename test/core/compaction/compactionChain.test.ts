// Compactions build upon each other: where the latest is branched off before or taken back, the one before it stands again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateText } from '../../../src/core/compaction/stateText.ts';
import type { Item } from '../../../src/core/dialog/dialog.ts';
import { defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { pruneStateOn, shownItems, undoCompaction } from '../../../src/core/pruning/pruneState.ts';
import { play } from '../scenes/play.ts';

const turn = { user: 200, rounds: [[900]], answer: 200 };

/** The path and what is pruned after the second compaction, and the first compaction. */
async function twoCompactions() {
  const { calls, setup } = await play({
    turns: Array.from({ length: 12 }, () => turn),
    window: 1600,
    salt: 0,
    compacts: true,
    policy: { ...defaultPolicy, reserve: 256 },
  });
  const call = calls.find(
    ({ fitted }) => fitted.pruned.compaction?.previous !== null && fitted.pruned.compaction !== null,
  );
  assert.ok(call !== undefined && setup.budget.high > 0);
  const { pruned, context } = call.fitted;
  const first = pruned.compaction?.previous;
  assert.ok(pruned.compaction !== null && first !== null && first !== undefined);
  assert.ok(first.to < pruned.compaction.to);
  return { path: context.path, pruned, first, second: pruned.compaction };
}

test('an edit between two compactions leaves the first one standing, with what it took out and no more', async () => {
  const { path, pruned, first } = await twoCompactions();
  const edited: Item = { origin: 'user', id: 'edited', parent: path[first.to - 1]?.id ?? null, text: 'Else.' };
  const branch = [...path.slice(0, first.to), edited];
  const now = pruneStateOn(branch, pruned);
  assert.equal(now.compaction, first);
  assert.deepEqual(now.runs, first.runs);
  assert.deepEqual(
    shownItems(branch, now).map(([, { id }]) => id),
    ['edited'],
  );
});

test('an edit before both takes both away', async () => {
  const { path, pruned } = await twoCompactions();
  const edited: Item = { origin: 'user', id: 'edited', parent: null, text: 'Else.' };
  const now = pruneStateOn([edited], pruned);
  assert.equal(now.compaction, null);
  assert.deepEqual(now.runs, []);
  assert.ok(path.length > 1);
});

test('undone, the compaction before stands again, and only what the latest took out comes back', async () => {
  const { path, pruned, first, second } = await twoCompactions();
  const back = undoCompaction(pruned);
  assert.equal(back.compaction, first);
  const ids = (one: typeof pruned) => new Set(shownItems(path, one).map(([at]) => at));
  for (const [at] of path.entries()) {
    if (at < first.to) assert.ok(!ids(back).has(at));
    else if (at < second.to) assert.ok(ids(back).has(at) && !ids(pruned).has(at));
  }
  assert.notEqual(stateText(first.summary), stateText(second.summary));
  assert.equal(undoCompaction(back).compaction, null);
});
