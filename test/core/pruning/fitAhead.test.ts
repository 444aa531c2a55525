// The prompt that the next message will extend, with space left for a turn: what the early trim may take, and what it never does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { emptyDialog, turnsOf } from '../../../src/core/dialog/dialog.ts';
import { mark, noMarks } from '../../../src/core/dialog/marks.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { type AheadRequest, fitAhead } from '../../../src/core/pruning/fitPrompt.ts';
import type { Fitted } from '../../../src/core/pruning/fitted.ts';
import { pruneStateOf, shown } from '../../../src/core/pruning/pruneState.ts';
import { cases } from '../../cases.ts';
import { measureOf } from '../scenes/fakeModel.ts';
import { freeze } from '../scenes/freeze.ts';
import { answered, asked, grow, requestFor } from '../scenes/grow.ts';
import { type Plan, type Played, plans, play, richPlans, words } from '../scenes/play.ts';

const seed = Number(process.env.TIDEMARK_SEED ?? Math.floor(Math.random() * 2 ** 31));
process.stdout.write(`early crossings, seed ${seed}\n`);

const played = Promise.all(
  [plans, richPlans].map(async (drawn) => {
    const done: { readonly plan: Plan; readonly game: Played; readonly requests: readonly AheadRequest[] }[] = [];
    for (const plan of fc.sample(drawn, { numRuns: cases(60), seed })) {
      const game = await play(plan);
      const { dialog, pruned } = game.outcomes.at(-1) ?? { dialog: emptyDialog, pruned: [] };
      const marks = game.calls.at(-1)?.marks ?? noMarks;
      const of = (erases: boolean) => ({ ...game.setup, marks, path: dialog.path, erases });
      const requests = game.setup.graph.nodes.flatMap((node) =>
        [true, false].map((erases) => ({ ...of(erases), node, pruned: pruneStateOf(pruned, node.slot) })),
      );
      done.push({ plan, game, requests });
    }
    return done;
  }),
);

async function ahead(request: AheadRequest, headroom: number, salt: number): Promise<Fitted | FaultError> {
  return fitAhead(freeze({ ...request, headroom }), async (prompt) => measureOf(prompt, salt)).catch((error) => {
    assert.ok(error instanceof FaultError);
    return error;
  });
}

const isIn = ({ prompt }: Fitted, id: string | undefined) => segmentsOf(prompt).some(({ item }) => item === id);

async function forAll(
  check: (request: AheadRequest, plain: Fitted, early: Fitted, salt: number) => void | Promise<void>,
) {
  for (const { plan, requests } of (await played).flat()) {
    for (const request of requests) {
      const { high } = request.budget;
      for (const headroom of [1, Math.floor(high / 4), Math.floor(high / 2)]) {
        const plain = await ahead(request, 0, plan.salt);
        const early = await ahead(request, headroom, plan.salt);
        assert.equal(early instanceof FaultError, plain instanceof FaultError, 'it fits with headroom as without');
        if (early instanceof FaultError || plain instanceof FaultError) continue;
        await check(request, plain, early, plan.salt);
      }
    }
  }
}

test('an early crossing only takes more: what it lets go of, the plain one did or might have, and it comes to rest', () =>
  forAll(async (request, plain, early, salt) => {
    assert.ok(early.measure.total <= plain.measure.total);
    assert.equal(early.before, plain.before);
    const out = ({ pruned, context }: Fitted) =>
      new Set(
        context.path
          .map(({ id }) => id)
          .filter((_, i) => shown(context.path, pruned).every(([from, to]) => i < from || i >= to)),
      );
    for (const id of out(plain)) assert.ok(out(early).has(id));
    for (const id of plain.pruned.cleared.keys()) assert.ok(early.pruned.cleared.has(id) || out(early).has(id));
    const again = await ahead({ ...request, pruned: early.pruned }, Math.floor(request.budget.high / 2), salt);
    assert.ok(!(again instanceof FaultError));
    const rested = await ahead({ ...request, pruned: again.pruned }, Math.floor(request.budget.high / 2), salt);
    assert.ok(!(rested instanceof FaultError));
    assert.deepEqual(rested.prompt, again.prompt);
  }));

test('an early crossing leaves the last finished turn and what is pinned', () =>
  forAll((request, plain, early) => {
    const last = turnsOf(request.path).at(-1);
    const turn = request.path.slice(last?.start, last?.end);
    for (const { id } of turn) {
      const wasIn = isIn(plain, id);
      // Its own results may be cleared, like any earlier ones.
      if (wasIn && !early.pruned.cleared.has(id)) assert.ok(isIn(early, id), `${id} of the last turn`);
    }
    for (const id of request.marks.pinned) assert.equal(isIn(early, id), isIn(plain, id), `${id} is pinned`);
  }));

const turn = (n: number, length: number) => [asked(words(`q${n}`, length)), answered(words(`a${n}`, length))];
const many = grow(emptyDialog, ...[1, 2, 3, 4, 5].flatMap((n) => turn(n, 400)));
const whole = async (request: AheadRequest) => (await ahead(request, 0, 0)) as Fitted;

test('an early crossing goes by the marks: it ends at the low one, and no turn goes that could stay', async () => {
  const dialog = grow(emptyDialog, ...Array.from({ length: 20 }, (_, n) => turn(n, 100)).flat());
  const request = requestFor(dialog);
  const { total } = (await whole(request)).measure;
  const budget = { ...request.budget, high: total, low: Math.floor(total * 0.75) };
  const policy = { ...request.policy, trimMustPay: false };
  const early = await ahead({ ...request, budget, policy }, 20, 0);
  assert.ok(!(early instanceof FaultError));
  const each = total / 20;
  assert.ok(
    early.measure.total <= budget.low && early.measure.total > budget.low - 1.5 * each,
    `${early.measure.total}`,
  );
});

test('what is knowledge in front of the last message, or in its place, stays with its turn', async () => {
  for (const replaces of [true, false]) {
    const known = { origin: 'knowledge', role: 'user', before: words('known', 800), after: '', replaces } as const;
    const dialog = grow(many, asked('and now?'), known, answered('so.'));
    const request = requestFor(dialog);
    const { total } = (await whole(request)).measure;
    const early = await ahead({ ...request, budget: { ...request.budget, high: total + 1, low: 100 } }, 50, 0);
    assert.ok(!(early instanceof FaultError));
    const [user, knowledge, answer] = dialog.path.slice(-3);
    assert.ok(isIn(early, replaces ? knowledge?.id : user?.id) && isIn(early, answer?.id));
    assert.ok(early.pruned.runs.length > 0);
  }
});

test('pinned turns stay in an early crossing, also where they leave less space than it wants', async () => {
  const marks = [...many.path].reduce((now, { id }) => mark(now, id, 'pinned'), noMarks);
  const request = requestFor(many, { marks });
  const { total } = (await whole(request)).measure;
  const early = await ahead({ ...request, budget: { ...request.budget, high: total + 1, low: 100 } }, 50, 0);
  assert.ok(!(early instanceof FaultError));
  assert.deepEqual(early.pruned.runs, []);
});

test('a pinned head that leaves no space for a turn is no fault before the turn comes', async () => {
  const request = requestFor(emptyDialog);
  const { total } = (await whole(request)).measure;
  const budget = { ...request.budget, high: total + 10, low: Math.floor(total * 0.75) };
  assert.ok(!((await ahead({ ...request, budget }, 20, 0)) instanceof FaultError));
});

test('an answer cut off by its length keeps what it was drawn from, until the next message has words', async () => {
  const note = { origin: 'note', text: words('note', 20) } as const;
  const end = (how: 'length' | 'done' | 'cancelled') =>
    grow(many, asked('and now?'), note, { origin: 'assistant', text: 'so', end: how });
  const noted = async (how: 'length' | 'done' | 'cancelled', text = '') => {
    const { path } = end(how);
    const fitted = await ahead({ ...requestFor(end(how)), erases: true, words: text }, 0, 0);
    assert.ok(!(fitted instanceof FaultError));
    return isIn(fitted, path.at(-2)?.id);
  };
  assert.deepEqual(await Promise.all([noted('length'), noted('done'), noted('cancelled'), noted('length', 'Next.')]), [
    true,
    false,
    false,
    false,
  ]);
});
