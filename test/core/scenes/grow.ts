// Dialogs written down item by item, and the check every prompt must stand: each number against the prompt that lost nothing.
import assert from 'node:assert/strict';
import { append, type Dialog, type Item, type ToolCall } from '../../../src/core/dialog/dialog.ts';
import { budgetFor, defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { type Prompt, segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { type FitRequest, fitPrompt } from '../../../src/core/pruning/fitPrompt.ts';
import type { Fitted } from '../../../src/core/pruning/fitted.ts';
import { project } from '../../../src/core/pruning/projection.ts';
import { nothingPruned } from '../../../src/core/pruning/pruneState.ts';
import { pruneContextOf } from '../../../src/core/pruning/strategy.ts';
import { type Decision, decide } from '../../../src/core/report/decisions.ts';
import { stackReport } from '../../../src/core/report/report.ts';
import type { NewItem } from '../../../src/core/turn/turnPorts.ts';
import { measureOf } from './fakeModel.ts';
import { freeze } from './freeze.ts';
import { setupOf, words } from './play.ts';

export function grow(dialog: Dialog, ...items: readonly NewItem[]): Dialog {
  return items.reduce<Dialog>((now, item) => {
    const placed: Item = { ...item, id: `n${now.items.length}`, parent: now.head };
    return append(now, placed);
  }, dialog);
}

export function asked(text: string): NewItem {
  return { origin: 'user', text };
}

export function answered(text: string): NewItem {
  return { origin: 'assistant', text, end: 'done' };
}

/** A call and its result. */
export function looked(mark: string, length: number): readonly NewItem[] {
  return [
    { origin: 'call', text: '', calls: [{ id: mark, name: 'search', arguments: { q: mark } }] },
    { origin: 'result', call: mark, tool: 'search', ok: true, head: `${mark}:`, body: words(mark, length) },
  ];
}

/** Returns a request to fit the dialog, whose window is so large that nothing has to go. */
export function requestFor(dialog: Dialog, changed: Partial<FitRequest> = {}): FitRequest {
  const { graph, ...setup } = setupOf(100_000);
  const budget = budgetFor(100_000, defaultPolicy);
  return {
    ...setup,
    node: graph.nodes[0],
    path: dialog.path,
    pruned: nothingPruned,
    budget,
    turnStart: true,
    ...changed,
  };
}

export function fitNow(request: FitRequest): Promise<Fitted> {
  return fitPrompt(freeze(request), async (prompt) => freeze(measureOf(freeze(prompt))));
}

/** Returns the names of an item's parts that are in a prompt. */
export function partsOf(prompt: Prompt, item: Item | undefined): readonly string[] {
  return segmentsOf(prompt).flatMap((segment) => (segment.item === item?.id ? [segment.part] : []));
}

export function decisionOn(fitted: Fitted, at: number): Decision {
  const found = decide(fitted).find(({ from, to }) => from <= at && at < to);
  assert.ok(found !== undefined, `no decision on item ${at}`);
  return found;
}

/** Conservation, honesty, and calls with their results, whatever became of the prompt. */
export function checkFitted(fitted: Fitted, salt = 0): void {
  const { context, pruned, stack, node, prompt, measure } = fitted;
  assert.ok(measure.total <= fitted.budget.high);
  const { decisions, layers } = stackReport(freeze(fitted));
  assert.equal(
    layers.reduce((sum, { tokens }) => sum + tokens, 0),
    measure.total,
  );
  let at = 0;
  for (const { from, to } of decisions) {
    assert.equal(from, at, 'decisions cover the path in order');
    at = to;
  }
  const rest = context.path.slice(at);
  assert.ok(rest.every(({ id }) => id === 'next'));
  checkNumbers(fitted, decisions, salt);
  for (const run of pruned.runs) {
    for (const { id } of context.path.slice(run.from, run.to)) {
      assert.ok(!pruned.cleared.has(id) && !pruned.capped.has(id), 'what is out belongs to its run alone');
    }
  }
  const called = segmentsOf(prompt).flatMap((segment): readonly ToolCall[] => segment.calls ?? []);
  const results = prompt.messages.flatMap(({ call }) => (call === undefined ? [] : [call.id]));
  assert.deepEqual(
    results,
    called.map(({ id }) => id),
  );
  assert.ok(prompt.messages.every(({ segments }) => segments.length > 0));
  assert.equal(prompt.tools.length, node.calls === 'none' ? 0 : stack.tools.length);
}

/** An item's tokens before are those it has in the prompt that lost nothing; a run's are those of its items, with some glue. */
function checkNumbers({ context, stack, node, budget }: Fitted, decisions: readonly Decision[], salt: number): void {
  const all = project(stack, context.path, nothingPruned, node);
  const whole = pruneContextOf({ ...context, budget }, all, measureOf(all, salt));
  const size = (id: string) => whole.size(id, 'text') + whole.size(id, 'stub') + whole.size(id, 'body');
  for (const { item, from, to, before, after, label } of decisions) {
    assert.ok(after <= before);
    if (item !== null) {
      assert.equal(before, size(item), `${label}: tokens before`);
      continue;
    }
    const gone = context.path.slice(from, to);
    const least = gone.reduce((sum, { id }) => sum + size(id), 0);
    const most = gone.reduce((sum, { id }) => sum + whole.weight(id) + 8, 0);
    assert.ok(before >= least, `${label}: ${before} before, but its items have ${least}`);
    if (node.earlierRecords === 'shown') assert.ok(before <= most, `${label}: ${before} before, at most ${most}`);
  }
}
