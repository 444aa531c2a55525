// A fresh workspace head: it enters when turns are dropped, fits, and stays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { split } from '../../../src/core/agent/graph.ts';
import { emptyDialog, moveHead } from '../../../src/core/dialog/dialog.ts';
import { budgetFor, defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { type AheadRequest, fitAhead } from '../../../src/core/pruning/fitPrompt.ts';
import type { Stack } from '../../../src/core/pruning/projection.ts';
import type { TurnState } from '../../../src/core/turn/turnPorts.ts';
import { measureOf } from '../scenes/fakeModel.ts';
import { answered, asked, checkFitted, fitNow, grow, looked, requestFor } from '../scenes/grow.ts';
import { sayCall, setupOf, words } from '../scenes/play.ts';
import { begin, checkEnd, end, type Scene } from '../scenes/scene.ts';

const { stack } = setupOf(4096);
const withText = (text: string): Stack => ({
  ...stack,
  workspace: [{ name: 'AGENTS.md', text, raw: text.length, injected: text.length }],
});
const fresh = withText('# AGENTS.md\nSay moon, and say it twice.');

const turns = Array.from({ length: 6 }, (_, n) => [
  asked(words(`q${n}`, 100)),
  ...looked(`r${n}`, 600),
  answered(words(`a${n}`, 100)),
]).flat();
const dialog = grow(emptyDialog, ...turns, asked('now'));

async function atHigh(share: number, newer = fresh) {
  const whole = (await fitNow(requestFor(dialog))).measure.total;
  const high = Math.floor(whole * share);
  const budget = { ...budgetFor(100_000, defaultPolicy), high, low: Math.floor(high * 0.75) };
  const fitted = await fitNow(requestFor(dialog, { budget, fresh: newer }));
  checkFitted(fitted);
  return { fitted, budget };
}

test('enters only when turns are dropped: not when all fits, and not when results are cleared', async () => {
  assert.deepEqual((await atHigh(1)).fitted.stack, stack);
  const policy = { ...defaultPolicy, keepRecentToolResults: 0 };
  const budget = { ...budgetFor(100_000, policy), pruneAt: 0 };
  const cleared = await fitNow(requestFor(dialog, { budget, policy, fresh }));
  assert.ok(cleared.pruned.cleared.size > 0 && cleared.pruned.runs.length === 0);
  assert.deepEqual(cleared.stack, stack);
  const dropped = (await atHigh(0.4)).fitted;
  assert.ok(dropped.pruned.runs.length > 0);
  assert.equal(dropped.stack, fresh);
  assert.equal(dropped.prompt.messages[0]?.segments.at(-1)?.text, `\n\n${fresh.workspace[0]?.text}`);
});

test('stays out when it would pass high water, and the prompt is as it was without it', async () => {
  const huge = withText(words('rules', 40_000));
  const { fitted, budget } = await atHigh(0.4, huge);
  assert.deepEqual(fitted.stack, stack);
  assert.deepEqual((await fitNow(requestFor(dialog, { budget }))).prompt, fitted.prompt);
});

test('once in, it is the head of the next prompt, and nothing breaks there', async () => {
  const { fitted, budget } = await atHigh(0.4);
  const request = requestFor(dialog, { budget, stack: fitted.stack, pruned: fitted.pruned, turnStart: false });
  const next = await fitNow(request);
  assert.equal(next.pruned, fitted.pruned);
  assert.deepEqual(next.prompt, fitted.prompt);
});

test('enters when the user evicts a turn, and when an edit goes back before what was dropped', async () => {
  const marks = { pinned: new Set<string>(), evicted: new Set(['n0']) };
  assert.equal((await fitNow(requestFor(dialog, { fresh, marks }))).stack, fresh);
  const { fitted } = await atHigh(0.4);
  const branch = grow(moveHead(dialog, 'n3'), asked('edited'));
  const edited = await fitNow(requestFor(branch, { pruned: fitted.pruned, fresh }));
  assert.deepEqual(edited.pruned.runs, []);
  assert.equal(edited.stack, fresh, 'the prefix broke in front');
});

/** Whether the newer head enters: on a request, or while idle with so many approximate tokens in the slot. */
async function enters(high: number, changed: Partial<AheadRequest>, newer = fresh): Promise<boolean> {
  const budget = { ...budgetFor(100_000, defaultPolicy), high, low: Math.floor(high * 0.75), pruneAt: high };
  const { path } = grow(emptyDialog, ...turns);
  const request = { ...requestFor(dialog, { budget, fresh: newer }), path, ...changed };
  const fitted = await fitAhead(request, async (prompt) => measureOf(prompt));
  assert.ok(fitted.measure.total <= high);
  return fitted.stack === newer;
}

const exact = { approximate: 0, most: Number.POSITIVE_INFINITY };
const inexact = { ...exact, approximate: 9 };

test('where the slot erases, it waits for idle work that decodes again what follows', async () => {
  const whole = (await fitNow(requestFor(dialog))).measure.total;
  const [ample, tight] = [whole * 2, Math.floor(whole * 0.4)];
  const cases: readonly (readonly [string, boolean, number, Partial<AheadRequest>])[] = [
    ['exact, all fits', false, ample, {}],
    ['exact, dropped', true, tight, {}],
    ['erasing for good, dropped', false, tight, { erases: true }],
    ['erasing for good, compacted', false, tight, { erases: true, compactionId: 'f' }],
    ['auto while idle, all fits and exact', false, ample, { erases: true, settling: exact }],
    ['auto while idle, all fits and approximate', true, ample, { erases: true, settling: inexact }],
    ['auto while idle, dropped', true, tight, { erases: true, settling: exact }],
    ['auto while idle, dropped early', true, ample, { erases: true, settling: exact, headroom: ample - whole + 400 }],
    ['exact, dropped early', true, ample, { headroom: ample - whole + 400 }],
    ['erasing for good, dropped early', false, ample, { erases: true, headroom: ample - whole + 400 }],
  ];
  for (const [name, wanted, high, changed] of cases) {
    assert.equal(await enters(high, changed), wanted, name);
    assert.equal(await enters(high, changed, withText(words('rules', 80_000))), false, `${name}: too large`);
  }
});

async function talked(graph: Scene['graph']): Promise<TurnState> {
  let state = begin;
  for (let n = 0; n < 4; n++) {
    const said = graph === split ? ['answer', words(`a${n}`, 250)] : [words(`a${n}`, 250)];
    const scene = { said, text: words(`q${n}`, 250), state, window: 1200 };
    state = (await end(graph === undefined ? scene : { ...scene, graph })).outcome;
  }
  return state;
}

test('a turn of either graph ends with the head that its last prompt had, the same from its entry on', async () => {
  for (const graph of [undefined, split]) {
    const said = [sayCall('a'), sayCall('b'), ...(graph === split ? ['answer'] : []), 'So.'];
    const scene = { said, text: words('now', 1400), state: await talked(graph), window: 1200, setup: { fresh } };
    const ended = await end(graph === undefined ? scene : { ...scene, graph });
    checkEnd(ended);
    assert.equal(ended.outcome.report.end, 'done');
    assert.equal(ended.outcome.stack.workspace, fresh.workspace);
    const heads = ended.models.flatMap(({ prompts }) =>
      prompts.map(({ messages }) => messages[0]?.segments.at(-1)?.text),
    );
    assert.ok(heads.every((text) => text === `\n\n${fresh.workspace[0]?.text}`));
    assert.deepEqual(ended.outcome.report.workspace, [{ name: 'AGENTS.md', raw: 39, injected: 39 }]);
  }
});
