// Pins and evictions of single items by the user: what they win over, and what becomes of them on other branches.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { split } from '../../../src/core/agent/graph.ts';
import { type Dialog, emptyDialog, moveHead } from '../../../src/core/dialog/dialog.ts';
import { type Marks, mark, noMarks } from '../../../src/core/dialog/marks.ts';
import { budgetFor, defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { capResults, type FitRequest, fitAhead } from '../../../src/core/pruning/fitPrompt.ts';
import type { Fitted } from '../../../src/core/pruning/fitted.ts';
import { pruneStateOn, shownTurns } from '../../../src/core/pruning/pruneState.ts';
import { cases } from '../../cases.ts';
import { measureOf } from '../scenes/fakeModel.ts';
import { answered, asked, checkFitted, decisionOn, fitNow, grow, looked, partsOf, requestFor } from '../scenes/grow.ts';
import { play, richPlans, words } from '../scenes/play.ts';

const knowledge = { origin: 'knowledge', role: 'user', before: 'Known.\n\n', after: '', replaces: false } as const;
const note = { origin: 'note', text: 'Respond now.' } as const;

/** Two whole turns and a third that runs: user 0, knowledge 1, call 2, result 3, note 4, answer 5; user 6, attachment 7, call 8, result 9, answer 10; user 11. */
const dialog = grow(
  emptyDialog,
  asked(words('first', 80)),
  knowledge,
  ...looked('a', 400),
  note,
  answered(words('yes', 80)),
  asked(words('second', 80)),
  { origin: 'attachment', head: 'File:', body: words('file', 200) },
  ...looked('b', 400),
  answered(words('no', 80)),
  asked(words('third', 80)),
);

function marked(pinned: readonly number[], evicted: readonly number[] = []): Marks {
  const ids = (at: readonly number[]) => new Set(at.map((i) => dialog.path[i]?.id ?? ''));
  return { pinned: ids(pinned), evicted: ids(evicted) };
}

async function fitted(changed: Partial<FitRequest>, from: Dialog = dialog): Promise<Fitted> {
  const done = await fitNow(requestFor(from, changed));
  checkFitted(done);
  return done;
}

function goneOf({ prompt, context }: Fitted): readonly number[] {
  const there = new Set(segmentsOf(prompt).map(({ item }) => item));
  return context.path.flatMap(({ id }, i) => (there.has(id) ? [] : [i]));
}

test('an item has one mark at a time', () => {
  const pinned = mark(noMarks, 'a', 'pinned');
  assert.deepEqual([[...pinned.pinned], [...pinned.evicted]], [['a'], []]);
  const evicted = mark(pinned, 'a', 'evicted');
  assert.deepEqual([[...evicted.pinned], [...evicted.evicted]], [[], ['a']]);
  assert.deepEqual(mark(evicted, 'a', 'none'), noMarks);
  assert.deepEqual([...pinned.pinned], ['a'], 'the former marks are as they were');
});

test('what can go alone goes alone, everything else with its turn, and each is reported once', async () => {
  const first = [0, 1, 2, 3, 4, 5];
  const cases: readonly (readonly [readonly number[], readonly number[]])[] = [
    [[1], [1]],
    [[4], [4]],
    [[0], first],
    [[2], first],
    [[5], first],
    [[0, 5], first],
    [[3, 0], first],
    [[0, 1, 2, 3, 4, 5], first],
    [
      [5, 10],
      [...first, 6, 7, 8, 9, 10],
    ],
    [[11], []],
    [[0, 11], first],
  ];
  for (const [evicted, gone] of cases) {
    const now = await fitted({ marks: marked([], evicted) });
    assert.deepEqual(goneOf(now), gone, `evicted ${evicted}`);
  }
  for (const at of [3, 7, 9]) {
    const now = await fitted({ marks: marked([], [at]) });
    assert.deepEqual(partsOf(now.prompt, dialog.path[at]), ['stub']);
    assert.deepEqual([decisionOn(now, at).state, decisionOn(now, at).by], ['stubbed', 'user']);
    assert.equal(decisionOn(now, at).why, 'you removed it');
  }
  const run = decisionOn(await fitted({ marks: marked([], [0]) }), 3);
  assert.deepEqual([run.state, run.by, run.why], ['trimmed', 'user', 'you removed it']);
});

test('evicting the same again changes nothing', async () => {
  const marks = marked([], [0, 3, 9]);
  const once = await fitted({ marks });
  const again = await fitted({ marks, pruned: once.pruned });
  assert.equal(again.pruned, once.pruned);
});

test('a node that does not see an item lets go of nothing else for it', async () => {
  const [node] = split.nodes;
  for (const at of [3, 4]) {
    const now = await fitted({ node, marks: marked([], [at]) });
    assert.deepEqual(now.pruned.runs, []);
  }
});

test('a turn that holds a pin is not evicted with another item of it, but that item may go alone', async () => {
  const kept = await fitted({ marks: marked([3], [0]) });
  assert.deepEqual(goneOf(kept), []);
  const alone = await fitted({ marks: marked([3], [1]) });
  assert.deepEqual(goneOf(alone), [1]);
  assert.ok(decisionOn(alone, 3).pinned);
});

test('a pinned item is whole at the stub crossing, at high water and at the message cap', async () => {
  const whole = (await fitted({})).measure.total;
  const first = dialog.path[3];
  const stubbing = { ...defaultPolicy, pruneAt: 0, keepRecentToolResults: 0 };
  const cases: readonly Partial<FitRequest>[] = [
    { budget: { ...budgetFor(100_000, stubbing), pruneAt: 0 }, policy: stubbing },
    { budget: { ...budgetFor(100_000, defaultPolicy), high: whole - 60, low: whole - 90 } },
    { policy: { ...defaultPolicy, messageCap: 4 } },
  ];
  for (const changed of cases) {
    const free = await fitted(changed);
    assert.ok(!partsOf(free.prompt, first).includes('body'));
    const pinned = await fitted({ ...changed, marks: marked([3]) });
    assert.deepEqual(partsOf(pinned.prompt, first), ['stub', 'body']);
  }
});

test('a pin holds until nothing else is left, and then the window wins', async () => {
  const marks = marked([3]);
  const whole = (await fitted({})).measure.total;
  let kept = true;
  for (let high = whole; high > 150; high -= 5) {
    const budget = { ...budgetFor(100_000, defaultPolicy), high, low: Math.floor(high * 0.75) };
    const now = await fitted({ budget, marks });
    const stays = partsOf(now.prompt, dialog.path[3]).includes('body');
    assert.ok(kept || !stays, 'what went at a larger window is gone at a smaller one');
    kept = stays;
    if (kept) continue;
    const others = shownTurns(now.context.path, now.pruned)
      .slice(0, -1)
      .filter(({ start }) => start > 0);
    assert.deepEqual(others, []);
  }
  assert.ok(!kept);
});

test('a pinned result over its cap is whole, and is cut only as far as the window asks', async () => {
  const long = grow(emptyDialog, asked('first'), ...looked('a', 4000), answered('yes'), asked('second'));
  const pinned = new Set([long.path[2]?.id ?? '']);
  const marks = { ...noMarks, pinned };
  const ample = { ...budgetFor(100_000, defaultPolicy), resultCap: 300 };
  const whole = await fitted({ budget: ample, marks }, long);
  assert.equal(decisionOn(whole, 2).state, 'kept');
  const tight = { ...ample, high: 700, low: 100, pruneAt: 700 };
  const cut = await fitted({ budget: tight, marks }, long);
  assert.equal(decisionOn(cut, 2).state, 'capped', 'cutting it was enough');
});

test('a pin on what is gone brings nothing back, and the same item restored stands at the end', async () => {
  const budget = { ...budgetFor(100_000, defaultPolicy), high: 330, low: 300 };
  const trimmed = await fitted({ budget });
  const { pruned } = trimmed;
  assert.ok((pruned.runs[0]?.to ?? 0) >= 6);
  const pinned = await fitted({ pruned, marks: marked([0, 3]) });
  assert.equal(pinned.pruned, pruned);
  const of = dialog.path[3]?.id ?? '';
  const restored = grow(dialog, answered('well'), asked('and?'), {
    origin: 'attachment',
    head: 'Restored: a:',
    body: words('a', 400),
    of,
  });
  const back = await fitted({ pruned, marks: marked([3]) }, restored);
  const last = segmentsOf(back.prompt).at(-1);
  assert.equal(last?.item, restored.path.at(-1)?.id);
  assert.equal(last?.text, `\n${words('a', 400)}`);
  assert.deepEqual(partsOf(back.prompt, dialog.path[3]), [], 'the item itself stays gone');
  assert.equal(back.pruned, pruned);
});

test('an edit keeps what was let go of on what it keeps, and forgets the runs it branched off from', async () => {
  const evicting = await fitted({ marks: marked([], [0, 9]) });
  const branch = grow(moveHead(dialog, dialog.path[10]?.id ?? null), asked('edited'));
  assert.equal(pruneStateOn(branch.path, evicting.pruned), evicting.pruned);
  const same = await fitted({ pruned: evicting.pruned, marks: marked([], [0, 9]) }, branch);
  assert.equal(same.pruned, evicting.pruned);
  const early = grow(moveHead(dialog, dialog.path[1]?.id ?? null), answered('other'), asked('edited'));
  const forgot = await fitted({ pruned: evicting.pruned }, early);
  assert.deepEqual(forgot.pruned.runs, []);
  const again = await fitted({ pruned: evicting.pruned, marks: marked([], [0]) }, early);
  assert.deepEqual(goneOf(again), [0, 1, 2], 'the mark holds on every branch that has the item');
});

test('pins and evictions of another branch change nothing', async () => {
  const branch = grow(moveHead(dialog, dialog.path[5]?.id ?? null), asked('edited'));
  const now = await fitted({ marks: marked([8], [9, 10, 11]) }, branch);
  assert.deepEqual(goneOf(now), []);
});

test('the message cap counts head and current turn, and goes down to three quarters of it in whole turns', async () => {
  const turns = Array.from({ length: 12 }, (_, n) => [asked(`q${n}`), answered(`a${n}`)]).flat();
  const many = grow(emptyDialog, ...turns, asked('now'));
  for (const messageCap of [1, 4, 8, 12, 25, 26]) {
    const policy = { ...defaultPolicy, messageCap };
    const now = await fitted({ policy }, many);
    const { length } = now.prompt.messages;
    if (messageCap >= 26) assert.equal(length, 26);
    else assert.ok(length <= Math.max(2, messageCap * 0.75) && length > Math.max(0, messageCap * 0.75 - 2));
    const again = await fitted({ policy, pruned: now.pruned }, many);
    assert.equal(again.pruned, now.pruned);
    for (const { by, why } of now.pruned.runs.length === 0 ? [] : [decisionOn(now, 0)]) {
      assert.deepEqual(
        [by, why],
        ['capMessages', 'the prompt had more messages than allowed; the oldest turns were trimmed'],
      );
    }
  }
});

test('a cut text is never longer than the whole', () => {
  const long = grow(emptyDialog, asked('first'), ...looked('a', 90));
  return fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 40 }), async (cap) => {
      const now = await fitted({}, long);
      const pruned = capResults(now.context, now.pruned, cap);
      for (const { text } of pruned.capped.values()) assert.ok(text.length < 90);
    }),
  );
});

test('what the next message would meet is made ahead, and meets nothing then', async () => {
  const marks = marked([3], [7, 11]);
  const request = requestFor(grow(dialog, answered('so')), { marks });
  const ahead = await fitAhead(request, async (prompt) => measureOf(prompt));
  checkFitted(ahead);
  const next = grow(
    { ...emptyDialog, items: request.path, path: request.path, head: request.path.at(-1)?.id ?? null },
    asked('next'),
  );
  const now = await fitted({ marks, pruned: ahead.pruned }, next);
  assert.equal(now.pruned, ahead.pruned);
});

test('every number of every report is that of the prompt that lost nothing', () =>
  fc.assert(
    fc.asyncProperty(richPlans, async (plan) => {
      const { calls } = await play(plan);
      for (const call of calls) checkFitted(call.fitted, plan.salt);
    }),
    { numRuns: cases(150) },
  ));
