// Breaks in a report: what only the projection knows about why a prefix broke, and its words.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDialog } from '../../../src/core/dialog/dialog.ts';
import { breakCauses } from '../../../src/core/kv/kvBreak.ts';
import type { KvBreak } from '../../../src/core/kv/kvPlan.ts';
import type { Generation } from '../../../src/core/model/model.ts';
import type { Fitted } from '../../../src/core/pruning/fitted.ts';
import { breakOf, breakWords } from '../../../src/core/report/breaks.ts';
import { answered, asked, fitNow, grow, looked, requestFor } from '../scenes/grow.ts';

const dialog = grow(
  emptyDialog,
  asked('one'),
  ...looked('r1', 400),
  answered('a'),
  asked('two'),
  answered('b'),
  asked('now'),
);
const fitted = () => fitNow(requestFor(dialog));

function generation(firstBreak: KvBreak | null, slotTokens = 900): Generation {
  const prefill = { reused: 100, shifted: 0, decoded: 200, slotTokens, approximate: 0, firstBreak, milliseconds: 400 };
  const generated = { model: 'm', ids: [1] };
  return { raw: '', generated, stop: 'end', prefill, firstTokenMilliseconds: 1, generateMilliseconds: 1 };
}

const broke = (cause: KvBreak['cause'], item: string | null): KvBreak => ({ cause, item, token: 100, again: 50 });
const of = (now: Fitted, first: KvBreak | null, slotTokens?: number) =>
  breakOf(now, generation(first, slotTokens), { reuse: 'auto', begun: true });

test('a break has its place, its cost in tokens and about how long that took', async () => {
  const now = await fitted();
  const found = of(now, broke('trim', null));
  assert.deepEqual([found?.cause, found?.token, found?.again, found?.milliseconds], ['trim', 100, 50, 100]);
  const at = now.measure.starts.findLastIndex((start) => start <= 100);
  assert.equal(found?.item, now.prompt.messages.flatMap(({ segments }) => segments)[at]?.item);
  assert.match(
    found?.words ?? '',
    /^the oldest turns were trimmed at token 100; 50 tokens were decoded again \(100 ms\)$/,
  );
});

test('a prompt that only went on did not break, nor one that was cancelled while it waited', async () => {
  const now = await fitted();
  assert.equal(of(now, null), null);
  const { prefill, ...rest } = generation(broke('trim', null));
  const cancelled = (decoded: number) => ({ ...rest, stop: 'cancelled' as const, prefill: { ...prefill, decoded } });
  assert.equal(breakOf(now, cancelled(0), { reuse: 'auto', begun: true }), null);
  // The slot was cut: the next prompt will not know of it any more.
  const half = breakOf(now, cancelled(20), { reuse: 'auto', begun: true });
  assert.deepEqual([half?.cause, half?.again, half?.milliseconds], ['trim', 20, 400]);
});

test('a slot that is empty in the midst of a conversation lost its model, or the cache is off', async () => {
  const now = await fitted();
  assert.equal(of(now, null, 0)?.cause, 'model');
  const off = breakOf(now, generation(null, 0), { reuse: 'none', begun: true });
  assert.equal(off?.cause, 'setting');
  // All tokens before the last message were known and are decoded again.
  assert.ok((off?.again ?? 0) > 100 && (off?.again ?? 0) < now.measure.total);
  assert.equal(breakOf(now, generation(null, 0), { reuse: 'auto', begun: false }), null);
});

test('what the user let go of is an eviction, and turns in a summary are a compaction', async () => {
  const now = await fitted();
  const item = dialog.path.find(({ origin }) => origin === 'result')?.id ?? '';
  const cleared = (by: string): Fitted => ({
    ...now,
    pruned: { ...now.pruned, cleared: new Map([[item, { tokens: 9, by }]]) },
  });
  assert.equal(of(cleared('user'), broke('stub', item))?.cause, 'eviction');
  assert.equal(of(cleared('clearEarlier'), broke('stub', item))?.cause, 'stub');
  const gone = (by: string): Fitted => ({
    ...now,
    pruned: { ...now.pruned, runs: [{ from: 0, to: 4, last: dialog.path[3]?.id ?? '', tokens: 9, by }] },
  });
  const first = dialog.path[0]?.id ?? '';
  assert.equal(of(gone('dropTurns'), broke('trim', first))?.cause, 'trim');
  assert.equal(of(gone('fold'), broke('trim', first))?.cause, 'fold');
  assert.equal(of(gone('user'), broke('trim', first))?.cause, 'eviction');
  // When all turns went at once, nothing in the slot is left to tell it from another conversation.
  assert.equal(of(gone('dropTurns'), broke('branch', first))?.cause, 'trim');
  assert.equal(of(now, broke('branch', first))?.cause, 'branch');
});

test('every cause has words of its own', () => {
  const said = breakCauses.map((cause) => {
    const place = { layer: 'history', item: null, token: 1, again: 0, milliseconds: 0 } as const;
    return breakWords({ ...place, cause }, { shifted: 1200 });
  });
  assert.equal(new Set(said).size, breakCauses.length);
  for (const one of said) assert.match(one, / at token 1; 1,200 tokens were shifted, nothing was decoded again$/);
});
