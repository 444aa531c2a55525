// Long arguments of calls go like the bodies of results: of earlier turns, down to how they begin, for good, and said in the report.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unified } from '../../../src/core/agent/graph.ts';
import type { CallItem } from '../../../src/core/dialog/dialog.ts';
import { clearableShare, clearedCall } from '../../../src/core/pruning/clearedCall.ts';
import { project } from '../../../src/core/pruning/projection.ts';
import { nothingPruned } from '../../../src/core/pruning/pruneState.ts';
import { clear } from '../../../src/core/pruning/strategy.ts';
import { stackReport } from '../../../src/core/report/report.ts';
import { play, setupOf, words } from '../scenes/play.ts';

const call = {
  id: 'c',
  name: 'write',
  arguments: { path: 'a.ts', edits: [{ text: `const a = 1;\n${words('x', 500)}`, at: 3 }] },
};
const item: CallItem = {
  origin: 'call',
  id: 'k',
  parent: 'u',
  text: '',
  calls: [call],
  generated: { model: 'm', ids: [1] },
};

test('a long text in an argument stays as its first line and a count, whatever stands beside it stays whole', () => {
  assert.deepEqual(clearedCall(call).arguments, {
    path: 'a.ts',
    edits: [{ text: 'const a = 1; [501 characters cleared here]', at: 3 }],
  });
  const short = { ...call, arguments: { query: words('q', 200) } };
  assert.deepEqual(clearedCall(short), short);
  assert.equal(clearableShare({ ...item, calls: [short] }), 0);
  assert.ok(clearableShare(item) > 0.7);
  const pair = { ...call, arguments: { text: `${'a'.repeat(59)}🌊${'b'.repeat(300)}` } };
  assert.ok(String(clearedCall(pair).arguments.text).isWellFormed());
});

test('a call whose arguments are cleared is written anew, not taken from what the model generated', () => {
  const path = [{ origin: 'user', id: 'u', parent: null, text: 'hi' } as const, item];
  const { stack } = setupOf(4096);
  const of = (pruned: typeof nothingPruned) =>
    project(stack, path, pruned, unified.nodes[0]).messages.at(-1)?.segments[0];
  assert.deepEqual(of(nothingPruned)?.generated, item.generated);
  const cleared = of(clear(nothingPruned, item, 100, 'clearEarlier'));
  assert.equal(cleared?.generated, undefined);
  assert.deepEqual(cleared?.calls, [clearedCall(call)]);
});

test('a long conversation of long calls clears those of earlier turns but the latest, says so, and they do not come back', async () => {
  const turns = Array.from({ length: 12 }, () => ({ user: 40, rounds: [[200]], answer: 60 }));
  const { setup, calls } = await play({
    turns,
    window: 1600,
    salt: 1,
    policy: { ...setupOf(1600).policy, keepRecentToolResults: 1 },
  });
  const seen = new Set<string>();
  for (const { fitted } of calls) {
    for (const id of seen) {
      const gone = fitted.pruned.runs.some(({ from, to }) =>
        fitted.context.path.slice(from, to).some((one) => one.id === id),
      );
      assert.ok(gone || fitted.pruned.cleared.has(id), `${id} came back`);
    }
    for (const { item: id, state, why, before, after } of stackReport(fitted).decisions) {
      const found = fitted.context.path.find((one) => one.id === id);
      if (found?.origin !== 'call' || state !== 'stubbed' || id === null) continue;
      assert.equal(why, 'the long arguments of an older call were pruned; their beginning stays');
      assert.ok(after < before);
      seen.add(id);
    }
    assert.ok(fitted.measure.total <= setup.budget.high);
  }
  assert.ok(seen.size > 0, 'no call was cleared');
});

test('where a slot erases, the arguments of earlier calls stay: only what the current turn would not fit with goes, after its results', async () => {
  const { setup, calls } = await play({
    turns: [
      { user: 40, rounds: [[60]], answer: 60 },
      { user: 40, rounds: Array.from({ length: 8 }, () => [40]), answer: 60 },
    ],
    window: 1000,
    salt: 1,
    policy: { ...setupOf(1000).policy, reserve: 200, maxToolRounds: 8, toolResultMaxShare: 1 },
    erases: true,
  });
  const last = calls.at(-1)?.fitted;
  const path = last?.context.path ?? [];
  const clearedNow = last?.pruned.cleared ?? new Map();
  const start = path.findLastIndex(({ origin }) => origin === 'user');
  const cleared = path.filter(({ id }) => clearedNow.get(id)?.whole !== undefined);
  assert.ok(cleared.length > 0, 'no call was cleared');
  for (const one of cleared) assert.ok(path.indexOf(one) > start);
  const unread = path.findLastIndex(({ origin }) => origin === 'call');
  const results = path.slice(start, unread).filter((one) => one.origin === 'result' && one.body !== '');
  for (const { id } of results) assert.ok(clearedNow.has(id), 'results go first');
  assert.ok((last?.measure.total ?? Number.POSITIVE_INFINITY) <= setup.budget.high);
});
