// Compacts in what slots hold: two slots that compacted differently, pins that come and go, evictions, and the way through the store.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyCompaction } from '../../../src/core/compaction/applyCompaction.ts';
import type { Compaction } from '../../../src/core/compaction/compaction.ts';
import type { CompactionRow } from '../../../src/core/compaction/compactionRow.ts';
import { makeCompaction } from '../../../src/core/compaction/makeCompaction.ts';
import { planCompaction } from '../../../src/core/compaction/planCompaction.ts';
import { stateText } from '../../../src/core/compaction/stateText.ts';
import type { SummaryEntry } from '../../../src/core/compaction/summary.ts';
import { emptyDialog } from '../../../src/core/dialog/dialog.ts';
import { noMarks } from '../../../src/core/dialog/marks.ts';
import { budgetFor, defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { compactTurns } from '../../../src/core/pruning/compactTurns.ts';
import { type FitRequest, fittedAt } from '../../../src/core/pruning/fitPrompt.ts';
import type { Fitted } from '../../../src/core/pruning/fitted.ts';
import { project } from '../../../src/core/pruning/projection.ts';
import {
  nothingPruned,
  type PruneState,
  pruneStateOn,
  takeOut,
  undoCompaction,
} from '../../../src/core/pruning/pruneState.ts';
import { shrinkState } from '../../../src/core/pruning/shrinkState.ts';
import { stackReport } from '../../../src/core/report/report.ts';
import { restorePruneState, storePruneState } from '../../../src/core/stored/storedPruneState.ts';
import type { StoredPruneState } from '../../../src/core/stored/storedSession.ts';
import { measureOf } from '../scenes/fakeModel.ts';
import { answered, asked, grow, requestFor } from '../scenes/grow.ts';
import { foldingPlans, play, words } from '../scenes/play.ts';

/** Twelve turns of two items. */
const turns = Array.from({ length: 12 }, (_, i) => [
  asked(`Never touch lane ${i}. ${words(`u${i}`, 300)}`),
  answered(words(`a${i}`, 300)),
]);
const dialog = grow(emptyDialog, ...turns.flat());
const { path } = dialog;
const at = (held: PruneState, changed: Partial<FitRequest> = {}): Promise<Fitted> =>
  fittedAt({ ...requestFor(dialog, changed) }, held, async (prompt) => measureOf(prompt));
const rule = (text: string, item: string): SummaryEntry => ({
  section: 'constraints',
  text,
  by: 'user',
  items: [item],
});

function checkRuns({ held, room }: Fitted): void {
  let end = 0;
  for (const run of held.runs) {
    assert.ok(run.from >= end, `runs overlap: ${JSON.stringify(held.runs)}`);
    end = run.to;
  }
  assert.ok(
    held.runs.every(({ by, to }) => by !== 'fold' || to <= (held.fold?.to ?? 0)),
    'a fold covers what it took out',
  );
  assert.deepEqual(pruneStateOn(room.path, held).runs, held.runs);
}

test('a fold cut for one slot takes with it what another slot let go of across the cut', async () => {
  const { room } = await at(nothingPruned);
  const dropped = takeOut(path, nothingPruned, { from: 0, to: 12, tokens: 9, by: 'dropTurns' });
  const made = await makeCompaction(
    requestFor(dialog, { held: dropped }),
    { id: 'f', to: 6, entries: [rule('Never touch lane 0.', 'n0')] },
    async (prompt) => measureOf(prompt),
  );
  checkRuns(made);
  assert.equal(made.held.fold?.to, 12);
  const text = stateText(made.held.fold.checkpoint);
  for (const lane of [0, 3, 4, 5]) assert.ok(text.includes(`lane ${lane}.`), `lane ${lane} in ${text}`);
  const { decisions } = stackReport(made);
  assert.deepEqual(decisions.map(({ from }) => from).slice(1), decisions.map(({ to }) => to).slice(0, -1));
  assert.equal(decisions.at(-1)?.to, room.path.length);
});

test('a slot that folded more already stays as it is', async () => {
  const { room } = await at(nothingPruned);
  const checkpoint = { entries: [rule('Never touch lane 5.', 'n10')], left: 0 };
  const further = applyCompaction(room, nothingPruned, { id: 'own', to: 14, checkpoint, previous: null });
  const made = await makeCompaction(
    requestFor(dialog, { held: further }),
    { id: 'f', to: 6, entries: [] },
    async (prompt) => measureOf(prompt),
  );
  checkRuns(made);
  assert.equal(made.held, further);
});

test('a turn that a pin kept is folded later without giving up what was folded behind it', async () => {
  const pinned = { ...noMarks, pinned: new Set(['n4']) };
  const kept = await at(nothingPruned, { marks: pinned });
  const checkpoint = { entries: [rule('Never touch lane 5.', 'n10')], left: 0 };
  const held = applyCompaction(kept.room, nothingPruned, { id: 'a', to: 14, checkpoint, previous: null });
  const budget = budgetFor(2400, defaultPolicy);
  const later = await at(held, { budget, policy: { ...defaultPolicy, tailShare: 0.7 } });
  const folding = { ...later.room.folding, minGain: 1 - later.room.state.tokens };
  const to = planCompaction({ room: { ...later.room, folding, size: later.room.size }, held }, folding.minGain);
  assert.ok(to === null || to >= 14, `cut at ${to}`);
});

test('what the user took out never gets into a checkpoint, however often a crossing folds', async () => {
  const evicted = { ...noMarks, evicted: new Set(['n3']) };
  const out = takeOut(path, nothingPruned, { from: 2, to: 4, tokens: 9, by: 'user' });
  let fitted = await at(out, { marks: evicted, foldId: 'f', policy: { ...defaultPolicy, tailShare: 1 } });
  for (let i = 0; i < 3; i++) {
    const held = compactTurns(fitted.room, fitted.held, 200);
    fitted = await at(held, { marks: evicted, foldId: 'f', policy: { ...defaultPolicy, tailShare: 1 } });
    checkRuns(fitted);
    const text = stateText(held.fold?.checkpoint ?? { entries: [], left: 0 });
    assert.ok(text.includes('lane 0.') && !text.includes('lane 1.'), text);
    assert.ok(
      held.runs.some(({ by, from, to }) => by === 'user' && from === 2 && to === 4),
      'it stays the user’s',
    );
    assert.ok(undoCompaction(held).runs.every(({ by }) => by === 'user'));
  }
});

test('a checkpoint that shrinks later is a fold of its own, so that the one before stays as it was kept', async () => {
  const { room } = await at(nothingPruned);
  const entries = Array.from({ length: 6 }, (_, i) => rule(`Never touch lane ${i}.`, `n${2 * i}`));
  const held = applyCompaction(room, nothingPruned, {
    id: 'a',
    to: 12,
    checkpoint: { entries, left: 0 },
    previous: null,
  });
  const fitted = await at(held, { foldId: 'b' });
  const shrunk = shrinkState(fitted.room, held, 10);
  assert.equal(shrunk.fold?.id, 'b');
  assert.equal(shrunk.fold.previous, held.fold);
  assert.ok(shrunk.fold.checkpoint.left > 0);
  assert.deepEqual(undoCompaction(shrunk), held);
  const still = shrinkState((await at(shrunk, { foldId: 'b' })).room, shrunk, 1);
  assert.equal(still.fold?.previous, held.fold);
});

function rowOf({ id, to, last, runs, checkpoint, previous }: Compaction): CompactionRow {
  const place = { to, last, runs, checkpoint, previous: previous?.id ?? null };
  const cost = { before: 0, after: 0, stateTokens: 0, milliseconds: 0, tries: 0 };
  return {
    id,
    created: 0,
    outcome: 'fallback',
    reason: '',
    ...place,
    ...cost,
    undone: false,
    edited: false,
    proposals: [],
  };
}

test('a slot comes back from the store as it was, with all the folds that an undo needs', () =>
  fc.assert(
    fc.asyncProperty(foldingPlans, async (plan) => {
      const { calls } = await play(plan);
      const rows: CompactionRow[] = [];
      for (const { fitted } of calls) {
        const { held, stack, node, room } = fitted;
        if (held.fold !== null && rows.every(({ id }) => id !== held.fold?.id)) rows.push(rowOf(held.fold));
        const kept = JSON.parse(JSON.stringify(rows)) as CompactionRow[];
        let was = held;
        let is = restorePruneState(JSON.parse(JSON.stringify(storePruneState(held))) as StoredPruneState, kept);
        for (;;) {
          assert.deepEqual(is, was);
          assert.deepEqual(project(stack, room.path, is, node), project(stack, room.path, was, node));
          if (was.fold === null) break;
          [was, is] = [undoCompaction(was), undoCompaction(is)];
        }
      }
    }),
    { numRuns: 60 },
  ));
