// Compactions in what slots hold: two slots that compacted differently, pins that come and go, evictions, and the way through the store.

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
import { shrinkState } from '../../../src/core/pruning/trim.ts';
import { stackReport } from '../../../src/core/report/report.ts';
import { restorePruneState, storePruneState } from '../../../src/core/stored/storedPruneState.ts';
import type { StoredPruneState } from '../../../src/core/stored/storedSession.ts';
import { cases } from '../../cases.ts';
import { measureOf } from '../scenes/fakeModel.ts';
import { answered, asked, grow, requestFor } from '../scenes/grow.ts';
import { compactingPlans, play, words } from '../scenes/play.ts';

/** Twelve turns of two items. */
const turns = Array.from({ length: 12 }, (_, i) => [
  asked(`Never touch lane ${i}. ${words(`u${i}`, 300)}`),
  answered(words(`a${i}`, 300)),
]);
const dialog = grow(emptyDialog, ...turns.flat());
const { path } = dialog;
const at = (pruned: PruneState, changed: Partial<FitRequest> = {}): Promise<Fitted> =>
  fittedAt({ ...requestFor(dialog, changed) }, pruned, async (prompt) => measureOf(prompt));
const rule = (text: string, item: string): SummaryEntry => ({
  section: 'constraints',
  text,
  by: 'user',
  items: [item],
});

function checkRuns({ pruned, context }: Fitted): void {
  let end = 0;
  for (const run of pruned.runs) {
    assert.ok(run.from >= end, `runs overlap: ${JSON.stringify(pruned.runs)}`);
    end = run.to;
  }
  assert.ok(
    pruned.runs.every(({ by, to }) => by !== 'fold' || to <= (pruned.compaction?.to ?? 0)),
    'a compaction covers what it took out',
  );
  assert.deepEqual(pruneStateOn(context.path, pruned).runs, pruned.runs);
}

test('a compaction cut for one slot takes with it what another slot let go of across the cut', async () => {
  const { context } = await at(nothingPruned);
  const dropped = takeOut(path, nothingPruned, { from: 0, to: 12, tokens: 9, by: 'dropTurns' });
  const made = await makeCompaction(
    requestFor(dialog, { pruned: dropped }),
    { id: 'f', to: 6, entries: [rule('Never touch lane 0.', 'n0')] },
    async (prompt) => measureOf(prompt),
  );
  checkRuns(made);
  assert.equal(made.pruned.compaction?.to, 12);
  const text = stateText(made.pruned.compaction.summary);
  for (const lane of [0, 3, 4, 5]) assert.ok(text.includes(`lane ${lane}.`), `lane ${lane} in ${text}`);
  const { decisions } = stackReport(made);
  assert.deepEqual(decisions.map(({ from }) => from).slice(1), decisions.map(({ to }) => to).slice(0, -1));
  assert.equal(decisions.at(-1)?.to, context.path.length);
});

test('a slot that compacted more already stays as it is', async () => {
  const { context } = await at(nothingPruned);
  const summary = { entries: [rule('Never touch lane 5.', 'n10')], left: 0 };
  const further = applyCompaction(context, nothingPruned, { id: 'own', to: 14, summary, previous: null });
  const made = await makeCompaction(
    requestFor(dialog, { pruned: further }),
    { id: 'f', to: 6, entries: [] },
    async (prompt) => measureOf(prompt),
  );
  checkRuns(made);
  assert.equal(made.pruned, further);
});

test('a turn that a pin kept is compacted later without giving up what was compacted behind it', async () => {
  const pinned = { ...noMarks, pinned: new Set(['n4']) };
  const kept = await at(nothingPruned, { marks: pinned });
  const summary = { entries: [rule('Never touch lane 5.', 'n10')], left: 0 };
  const pruned = applyCompaction(kept.context, nothingPruned, { id: 'a', to: 14, summary, previous: null });
  const budget = budgetFor(2400, defaultPolicy);
  const later = await at(pruned, { budget, policy: { ...defaultPolicy, tailShare: 0.7 } });
  const compactionMarks = { ...later.context.compactionMarks, minGain: 1 - later.context.state.tokens };
  const to = planCompaction(
    { context: { ...later.context, compactionMarks, size: later.context.size }, pruned },
    compactionMarks.minGain,
  );
  assert.ok(to === null || to >= 14, `cut at ${to}`);
});

test('what the user took out never gets into a summary, however often a crossing compacts', async () => {
  const evicted = { ...noMarks, evicted: new Set(['n3']) };
  const out = takeOut(path, nothingPruned, { from: 2, to: 4, tokens: 9, by: 'user' });
  let fitted = await at(out, { marks: evicted, compactionId: 'f', policy: { ...defaultPolicy, tailShare: 1 } });
  for (let i = 0; i < 3; i++) {
    const pruned = compactTurns(fitted.context, fitted.pruned, 200);
    fitted = await at(pruned, { marks: evicted, compactionId: 'f', policy: { ...defaultPolicy, tailShare: 1 } });
    checkRuns(fitted);
    const text = stateText(pruned.compaction?.summary ?? { entries: [], left: 0 });
    assert.ok(text.includes('lane 0.') && !text.includes('lane 1.'), text);
    assert.ok(
      pruned.runs.some(({ by, from, to }) => by === 'user' && from === 2 && to === 4),
      'it stays the user’s',
    );
    assert.ok(undoCompaction(pruned).runs.every(({ by }) => by === 'user'));
  }
});

test('a summary that shrinks later is a compaction of its own, so that the one before stays as it was kept', async () => {
  const { context } = await at(nothingPruned);
  const entries = Array.from({ length: 6 }, (_, i) => rule(`Never touch lane ${i}.`, `n${2 * i}`));
  const pruned = applyCompaction(context, nothingPruned, {
    id: 'a',
    to: 12,
    summary: { entries, left: 0 },
    previous: null,
  });
  const fitted = await at(pruned, { compactionId: 'b' });
  const shrunk = shrinkState(fitted.context, pruned, 10);
  assert.equal(shrunk.compaction?.id, 'b');
  assert.equal(shrunk.compaction.previous, pruned.compaction);
  assert.ok(shrunk.compaction.summary.left > 0);
  assert.deepEqual(undoCompaction(shrunk), pruned);
  const still = shrinkState((await at(shrunk, { compactionId: 'b' })).context, shrunk, 1);
  assert.equal(still.compaction?.previous, pruned.compaction);
});

function rowOf({ id, to, last, runs, summary, previous }: Compaction): CompactionRow {
  const place = { to, last, runs, checkpoint: summary, previous: previous?.id ?? null };
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

test('a slot comes back from the store as it was, with all the compactions that an undo needs', () =>
  fc.assert(
    fc.asyncProperty(compactingPlans, async (plan) => {
      const { calls } = await play(plan);
      const rows: CompactionRow[] = [];
      for (const { fitted } of calls) {
        const { pruned, stack, node, context } = fitted;
        if (pruned.compaction !== null && rows.every(({ id }) => id !== pruned.compaction?.id))
          rows.push(rowOf(pruned.compaction));
        const kept = JSON.parse(JSON.stringify(rows)) as CompactionRow[];
        let was = pruned;
        let is = restorePruneState(JSON.parse(JSON.stringify(storePruneState(pruned))) as StoredPruneState, kept);
        for (;;) {
          assert.deepEqual(is, was);
          assert.deepEqual(project(stack, context.path, is, node), project(stack, context.path, was, node));
          if (was.compaction === null) break;
          [was, is] = [undoCompaction(was), undoCompaction(is)];
        }
      }
    }),
    { numRuns: cases(60) },
  ));
