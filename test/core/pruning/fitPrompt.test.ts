// Tests fitPrompt over a sweep of budgets: it fits or faults with the numbers, loses in one order, and writes to nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { append, type Dialog, emptyDialog, type Item, moveHead } from '../../../src/core/dialog/dialog.ts';
import { noMarks } from '../../../src/core/dialog/marks.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { type Budget, defaultPolicy } from '../../../src/core/prompt/budget.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { type FitRequest, fitPrompt } from '../../../src/core/pruning/fitPrompt.ts';
import type { Fitted } from '../../../src/core/pruning/fitted.ts';
import { project } from '../../../src/core/pruning/projection.ts';
import { nothingPruned, type PruneState, pruneStateOf } from '../../../src/core/pruning/pruneState.ts';
import { stackReport } from '../../../src/core/report/report.ts';
import type { NewItem } from '../../../src/core/turn/turnPorts.ts';
import { cases } from '../../cases.ts';
import { measureOf } from '../scenes/fakeModel.ts';
import { freeze } from '../scenes/freeze.ts';
import { plans, play, setupOf, words } from '../scenes/play.ts';

const { stack, graph } = setupOf(4096);
const [node] = graph.nodes;

function grow(dialog: Dialog, ...items: readonly NewItem[]): Dialog {
  return items.reduce<Dialog>((now, item) => {
    const placed: Item = { ...item, id: `n${now.items.length}`, parent: now.head };
    return append(now, placed);
  }, dialog);
}

/** Three turns: three results, two results and a directive, and a current turn with two read results and an unread one. */
const dialog = grow(
  emptyDialog,
  { origin: 'user', text: words('first', 100) },
  ...looked('a', 1200),
  ...looked('b', 1200),
  ...looked('b2', 1200),
  { origin: 'assistant', text: words('first answer', 200), end: 'done' },
  { origin: 'user', text: words('second', 100) },
  ...looked('c', 1200),
  ...looked('d', 1200),
  { origin: 'note', text: words('directive', 80) },
  { origin: 'assistant', text: words('second answer', 200), end: 'done' },
  { origin: 'user', text: words('third', 100) },
  ...looked('e', 1200),
  ...looked('f', 1200),
  ...looked('g', 1200),
);

function looked(mark: string, length: number): readonly NewItem[] {
  return [
    { origin: 'call', text: '', calls: [{ id: mark, name: 'search', arguments: { q: mark } }] },
    { origin: 'result', call: mark, tool: 'search', ok: true, head: `${mark}:`, body: words(mark, length) },
  ];
}

function budgetOf(high: number): Budget {
  return {
    window: high + 64,
    reserve: 64,
    high,
    low: Math.floor(high * 0.75),
    pruneAt: high,
    resultCap: 1000,
    workspaceCap: 0,
  };
}

function requestOf(high: number, pruned: PruneState = nothingPruned, path = dialog.path): FitRequest {
  return { stack, path, pruned, node, marks: noMarks, budget: budgetOf(high), policy: defaultPolicy, turnStart: false };
}

const measurer = async (prompt: Prompt) => measureOf(prompt);

async function fitOrFault(request: FitRequest): Promise<Fitted | FaultError> {
  return fitPrompt(request, measurer).catch((error: unknown) => {
    assert.ok(error instanceof FaultError);
    return error;
  });
}

const whole = measureOf(project(stack, dialog.path, nothingPruned, node)).total;
const start = dialog.path.findLastIndex(({ origin }) => origin === 'user');

/** The head and the current turn, its results up to path index `to` cleared. */
function clearedTo(to: number): number {
  const results = dialog.path.slice(start, to).filter(({ origin }) => origin === 'result');
  const cleared = new Map(results.map(({ id }) => [id, { tokens: 0, by: '' }]));
  const run = { from: 0, to: start, last: dialog.path[start - 1]?.id ?? '', tokens: 0, by: 'dropTurns' };
  const pruned: PruneState = { ...nothingPruned, runs: [run], cleared };
  return measureOf(project(stack, dialog.path, pruned, node)).total;
}

/** With the read results cleared, and with the last one too: the least a prompt can come down to. */
const readCleared = clearedTo(dialog.path.length - 1);
const least = clearedTo(dialog.path.length);

test('fits every high water down to the least prompt, and faults with the numbers below it', async () => {
  for (let high = whole + 2; high > 0; high--) {
    const fitted = await fitOrFault(requestOf(high));
    if (high >= least) {
      assert.ok(!(fitted instanceof FaultError), `high water ${high}`);
      assert.ok(fitted.measure.total <= high);
      assert.deepEqual(measureOf(fitted.prompt), fitted.measure);
      continue;
    }
    assert.ok(fitted instanceof FaultError, `high water ${high}`);
    const pinned = measureOf(project(stack, [], nothingPruned, node)).segments[0];
    assert.ok(fitted.fault.kind === 'doesNotFit' && pinned !== undefined);
    assert.deepEqual([fitted.fault.needed, fitted.fault.high, fitted.fault.window], [least, high, high + 64]);
    assert.ok(fitted.fault.pinned >= pinned && fitted.fault.pinned < least);
  }
});

test('loses whole turns only when no earlier result waits to be cleared', async () => {
  for (let high = whole; high >= least; high--) {
    const fitted = await fitOrFault(requestOf(high));
    assert.ok(!(fitted instanceof FaultError));
    const { runs, cleared } = fitted.pruned;
    if (runs.length === 0 && cleared.size === 0) continue;
    assert.ok(!stackReport(fitted).decisions.some(({ state }) => state === 'pending'));
    assert.ok(runs.length > 0 || [...cleared.values()].some(({ by }) => by === 'clearEarlier'));
  }
});

test('loses the read results of this turn before whole turns, and the unread one after them', async () => {
  const path = grow(
    emptyDialog,
    { origin: 'user', text: words('first', 100) },
    { origin: 'assistant', text: words('first answer', 100), end: 'done' },
    { origin: 'user', text: words('second', 100) },
    ...['e', 'f', 'g', 'h', 'i'].flatMap((mark) => looked(mark, 400)),
  ).path;
  const all = measureOf(project(stack, path, nothingPruned, node)).total;
  const seen: string[] = [];
  for (let high = all; high > 0; high--) {
    const fitted = await fitOrFault(requestOf(high, nothingPruned, path));
    if (fitted instanceof FaultError) break;
    const heads = path.flatMap((item) =>
      fitted.pruned.cleared.has(item.id) && item.origin === 'result' ? [item.head] : [],
    );
    const loss = `${heads.join(' ')} ${fitted.pruned.runs.at(-1)?.to ?? 0}`;
    if (seen.at(-1) !== loss) seen.push(loss);
  }
  assert.deepEqual(seen, [' 0', 'e: f: g: 0', 'e: f: g: h: 0', 'e: f: g: h: 2', 'e: f: g: h: i: 2']);
});

test('clears what the model has not read yet only when nothing else is left', async () => {
  for (let high = readCleared - 1; high >= least; high--) {
    const fitted = await fitOrFault(requestOf(high));
    assert.ok(!(fitted instanceof FaultError));
    assert.equal(fitted.pruned.cleared.get(dialog.path.at(-1)?.id ?? '')?.by, 'clearUnread');
  }
  for (let high = whole; high >= readCleared; high--) {
    const fitted = await fitOrFault(requestOf(high));
    const last = dialog.path.at(-1);
    assert.ok(!(fitted instanceof FaultError) && last !== undefined);
    assert.ok(!fitted.pruned.cleared.has(last.id));
  }
});

test('only measures once, and changes nothing, when all fits', async () => {
  let measured = 0;
  const fitted = await fitPrompt(requestOf(whole), async (prompt) => {
    measured++;
    return measureOf(prompt);
  });
  assert.equal(measured, 1);
  assert.equal(fitted.pruned, nothingPruned);
});

test('keeps the latest earlier results at the pruneAt crossing and clears the rest with old directives', async () => {
  const path = grow(
    { ...dialog, path: dialog.path.slice(0, start), head: dialog.path[start - 1]?.id ?? null },
    {
      origin: 'user',
      text: 'next',
    },
  ).path;
  const policy = { ...defaultPolicy, keepRecentToolResults: 1 };
  const budget = { ...budgetOf(2000), pruneAt: 300 };
  const fitted = await fitPrompt({ ...requestOf(0, nothingPruned, path), budget, policy, turnStart: true }, measurer);
  const cleared = path
    .filter(({ id }) => fitted.pruned.cleared.has(id))
    .map((item) => (item.origin === 'result' ? item.head : item.origin));
  assert.deepEqual(cleared, ['a:', 'b:', 'b2:', 'c:', 'note']);
  const later = await fitPrompt({ ...requestOf(0, nothingPruned, path), budget, policy, turnStart: false }, measurer);
  assert.equal(later.pruned, nothingPruned);
});

test('holds nothing any more when an edit branches off before the trimmed part ends', async () => {
  const fitted = await fitOrFault(requestOf(least));
  assert.ok(!(fitted instanceof FaultError) && fitted.pruned.runs.length > 0);
  const branch = grow(moveHead(dialog, null), { origin: 'user', text: 'again' });
  const again = await fitPrompt(requestOf(whole, fitted.pruned, branch.path), measurer);
  assert.deepEqual(again.pruned.runs, []);
});

test('purity: the same frozen inputs give the same bytes', () =>
  fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const { outcomes, setup } = await play(plan);
      const { dialog: played, pruned: all } = outcomes.at(-1) ?? { dialog, pruned: [] };
      const [first] = setup.graph.nodes;
      const pruned = pruneStateOf(all, first.slot);
      const path = [
        ...played.path,
        { origin: 'user', id: 'new', parent: played.head, text: words('new', 900) } as const,
      ];
      const request = freeze({ ...setup, node: first, path, pruned, turnStart: true });
      const bytes = async () => {
        const fitted = await fitPrompt(request, async (prompt) => freeze(measureOf(freeze(prompt), plan.salt)));
        return JSON.stringify([fitted.prompt, fitted.measure, [...fitted.pruned.cleared], stackReport(freeze(fitted))]);
      };
      const once = await bytes().catch(String);
      assert.equal(await bytes().catch(String), once);
    }),
    { numRuns: cases(200) },
  ));
