// Tests the cap on one tool result: it ends under the cap, keeps head and tail, and splits no character.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Item } from '../../../src/core/dialog/dialog.ts';
import { defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { type FitRequest, fitPrompt } from '../../../src/core/pruning/fitPrompt.ts';
import { nothingPruned } from '../../../src/core/pruning/pruneState.ts';
import { stackReport } from '../../../src/core/report/report.ts';
import { cases } from '../../cases.ts';
import { measureOf, tokensIn } from '../scenes/fakeModel.ts';
import { setupOf, words } from '../scenes/play.ts';

function pathWith(body: string): readonly Item[] {
  return [
    { origin: 'user', id: 'u', parent: null, text: 'where?' },
    { origin: 'call', id: 'c', parent: 'u', text: '', calls: [{ id: 'k', name: 'search', arguments: {} }] },
    { origin: 'result', id: 'r', parent: 'c', call: 'k', tool: 'search', ok: true, head: 'search:', body },
  ];
}

async function capped(body: string, resultCap: number) {
  const setup = setupOf(100_000);
  const budget = { ...setup.budget, resultCap };
  const request: FitRequest = {
    ...setup,
    budget,
    node: setup.graph.nodes[0],
    path: pathWith(body),
    pruned: nothingPruned,
    turnStart: false,
  };
  const fitted = await fitPrompt(request, async (prompt) => measureOf(prompt));
  return { fitted, text: fitted.pruned.capped.get('r')?.text };
}

test('a result at its cap stays whole and one over it is cut', async () => {
  const body = words('body', 399);
  assert.equal((await capped(body, 100)).text, undefined);
  assert.notEqual((await capped(body, 99)).text, undefined);
});

test('a cut result ends under its cap, with its head and tail and the number of characters cut', () =>
  fc.assert(
    fc.asyncProperty(fc.integer({ min: 401, max: 9000 }), fc.integer({ min: 30, max: 100 }), async (length, cap) => {
      const body = words('body', length);
      const { text = '', fitted } = await capped(body, cap);
      const [head = '', tail = ''] = text.split(/\n\[\d+ characters cut here\]\n/);
      assert.ok(tokensIn(`\n${text}`) <= cap);
      assert.ok(body.startsWith(head) && body.endsWith(tail) && head.length >= tail.length);
      assert.equal(Number(/\[(\d+) characters/.exec(text)?.[1]), length - head.length - tail.length);
      const row = stackReport(fitted).decisions.at(-1);
      assert.deepEqual([row?.state, row?.by, row?.before], ['capped', 'capResults', 2 + tokensIn(`\n${body}`)]);
    }),
    { numRuns: cases(300) },
  ));

test('a cut never splits a surrogate pair', async () => {
  for (let shift = 0; shift < 4; shift++) {
    for (let cap = 30; cap < 60; cap++) {
      const { text = '' } = await capped(`${'x'.repeat(shift)}${'🌊'.repeat(400)}`, cap);
      assert.ok(text.isWellFormed(), `shift ${shift}, cap ${cap}`);
    }
  }
});

test('a cap smaller than the notice of the cut leaves the notice alone', async () => {
  for (const cap of [0, 1, 5, 10]) {
    const { text } = await capped(words('body', 2000), cap);
    assert.equal(text, '\n[2000 characters cut here]\n');
  }
});

test('the cap stands in proportion to the window', async () => {
  const { budget } = setupOf(4096);
  assert.equal(budget.resultCap, Math.floor(budget.high * defaultPolicy.toolResultMaxShare));
});
