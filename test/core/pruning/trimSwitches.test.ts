// The switches with which a policy clears as the systems do that it learned from: at every turn's start, by the marks alone, never early.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unified } from '../../../src/core/agent/graph.ts';
import { noMarks } from '../../../src/core/dialog/marks.ts';
import { defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { fitAhead } from '../../../src/core/pruning/fitPrompt.ts';
import { nothingPruned } from '../../../src/core/pruning/pruneState.ts';
import { measureOf } from '../scenes/fakeModel.ts';
import { play, setupOf } from '../scenes/play.ts';

const turns = Array.from({ length: 8 }, () => ({ user: 40, rounds: [[300], [300]], answer: 200 }));

test('with pruneAt 0 every turn begins with the latest results only', async () => {
  const policy = { ...defaultPolicy, pruneAt: 0, keepRecentToolResults: 1 };
  const { calls } = await play({ turns, window: 100_000, salt: 0, policy });
  const starts = calls.filter((call) => call.starts && call.turn > 0);
  assert.equal(starts.length, 7);
  for (const { fitted, turn } of starts) {
    const { path } = fitted.context;
    const current = path.findLastIndex(({ origin }) => origin === 'user');
    const earlier = path.slice(0, current).filter(({ origin }) => origin === 'result');
    const whole = earlier.filter(({ id }) => !fitted.pruned.cleared.has(id));
    assert.deepEqual(whole, earlier.slice(-1), `turn ${turn}`);
  }
  const above = { ...policy, pruneAt: 0.001 };
  const paying = await play({ turns, window: 100_000, salt: 0, policy: above });
  const free = await play({ turns, window: 100_000, salt: 0, policy: { ...above, trimMustPay: false } });
  const cleared = (played: typeof paying) => played.calls.filter(({ fitted }) => fitted.pruned.cleared.size > 0).length;
  assert.ok(cleared(paying) < cleared(free), 'above any other mark the rule that a trim must pay makes clearing rarer');
});

test('without the rule a trim goes down to low water and lets go of no turn more', async () => {
  const policy = { ...defaultPolicy, reserve: 256, pruneAt: 1, trimMustPay: false };
  const { calls, setup } = await play({ turns: [...turns, ...turns], window: 1600, salt: 0, policy });
  const out = (at: number) => calls[at]?.fitted.pruned.runs.reduce((sum, { from, to }) => sum + to - from, 0) ?? 0;
  let trims = 0;
  for (const [at, { fitted }] of calls.entries()) {
    if (at === 0 || out(at) === out(at - 1)) continue;
    trims += 1;
    assert.ok(fitted.measure.total <= setup.budget.low);
    const last = fitted.pruned.runs.at(-1);
    const turn = fitted.context.path.slice(out(at - 1), last?.to ?? 0);
    assert.ok(turn.length > 0);
  }
  assert.ok(trims > 2, `${trims} trims`);
});

test('a trim that the next turn would need is made while idle', async () => {
  const window = 1600;
  const { outcomes } = await play({ turns: turns.slice(0, 3), window: 100_000, salt: 0, policy: defaultPolicy });
  const last = outcomes.at(-1);
  const path = last?.dialog.path ?? [];
  const fittedAt = (headroom: number, high: number) => {
    const policy = { ...defaultPolicy, pruneAt: 1 };
    const { stack, budget } = setupOf(window, policy);
    const marks = { ...budget, high, low: Math.floor(high * 0.75), pruneAt: high };
    const request = {
      stack,
      path,
      pruned: nothingPruned,
      marks: noMarks,
    };
    const ahead = { ...request, node: unified.nodes[0], budget: marks, policy, headroom };
    return fitAhead(ahead, async (prompt) => measureOf(prompt, 0));
  };
  const { measure } = await fittedAt(0, 100_000);
  const tight = measure.total + 100;
  assert.equal((await fittedAt(0, tight)).measure.total, measure.total);
  assert.ok((await fittedAt(200, tight)).measure.total < measure.total);
});

test('a directive is gone in the next turn where the slot erases it, and waits for a trim elsewhere', async () => {
  const rounds = [[100], [100], [100]];
  const asking = Array.from({ length: 3 }, () => ({ user: 40, rounds, answer: 60 }));
  const plan = { turns: asking, window: 100_000, salt: 0, policy: { ...defaultPolicy, maxToolRounds: 2 } };
  const directives = async (erases: boolean) => {
    const { calls } = await play({ ...plan, erases });
    const notes = calls.map(
      ({ fitted }) => segmentsOf(fitted.prompt).filter(({ text }) => /Respond/.test(text)).length,
    );
    return Math.max(...notes);
  };
  assert.equal(await directives(true), 1);
  assert.equal(await directives(false), 3);
});
