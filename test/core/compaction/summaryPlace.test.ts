// The place of a summary: in a slot that can erase, it comes behind all that the slot has, and idle work moves it in front.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { split } from '../../../src/core/agent/graph.ts';
import { emptyDialog, moveHead, nextItem } from '../../../src/core/dialog/dialog.ts';
import { budgetFor, defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { type Prompt, type Segment, segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { type AheadRequest, fitAhead } from '../../../src/core/pruning/fitPrompt.ts';
import type { Fitted } from '../../../src/core/pruning/fitted.ts';
import { restorePruneState, storePruneState } from '../../../src/core/stored/storedPruneState.ts';
import { settlingFor } from '../../../src/core/turn/cache.ts';
import { cases } from '../../cases.ts';
import { measureOf } from '../scenes/fakeModel.ts';
import { answered, asked, fitNow, grow, looked, requestFor } from '../scenes/grow.ts';
import { compactingPlans, pairsOf, play, words } from '../scenes/play.ts';

const turns = Array.from({ length: 8 }, (_, i) => [
  asked(`Never touch lane ${i}. ${words(`u${i}`, 300)}`),
  ...looked(`q${i}`, 400),
  answered(words(`a${i}`, 300)),
]).flat();
const begun = grow(emptyDialog, ...turns, asked('And now?'));
const whole = measureOf((await fitNow(requestFor(begun))).prompt).total;
const budget = { ...budgetFor(100_000, defaultPolicy), high: whole - 10, low: Math.floor(whole * 0.7), pruneAt: whole };
const erasing = { budget, erases: true, compactionId: 'f' };
const newest = begun.path.at(-1)?.id ?? '';

/** The order of the messages: what the user said, answers, calls, results and the summary. */
function order({ messages }: Prompt): string {
  const letters = { system: 's', user: 'u', assistant: 'a', tool: 't' };
  return messages
    .map(({ role, segments }) => `${letters[role]}${segments.some(({ layer }) => layer === 'state') ? '*' : ''}`)
    .join('');
}

const keyOf = ({ item, part, layer, text }: Segment) => `${item ?? layer} ${part} ${text}`;

/**
 * The first text that was there before and stands behind a new one; null where each new one came behind. A summary that changed is new.
 * `cut`: items that a pin held whole until the window did not take them.
 */
function movedBehind(before: Prompt, now: Prompt, cut: readonly string[] = []): string | null {
  const known = new Set(segmentsOf(before).map(keyOf));
  const segments = segmentsOf(now).filter(({ item }) => item === null || !cut.includes(item));
  const first = segments.findIndex((segment) => !known.has(keyOf(segment)));
  const late = segments.slice(first).find((one) => one.layer !== 'state' && known.has(keyOf(one)));
  return first < 0 || late === undefined ? null : keyOf(late);
}

test('at the start of a turn it comes in front of the message, and nothing else is new', async () => {
  const before = await fitNow(requestFor(grow(emptyDialog, ...turns)));
  const fitted = await fitNow(requestFor(begun, erasing));
  assert.equal(fitted.pruned.summaryAt, newest);
  assert.match(order(fitted.prompt), /^s(uata)+u\*a\*u$/);
  assert.equal(movedBehind(before.prompt, fitted.prompt), null);
});

test('in the midst of a turn it ends the last result', async () => {
  const dialog = grow(begun, ...looked('q8', 500));
  const tight = { ...budget, high: measureOf((await fitNow(requestFor(dialog))).prompt).total - 10 };
  const fitted = await fitNow(requestFor(dialog, { ...erasing, budget: tight, turnStart: false }));
  assert.equal(fitted.pruned.summaryAt, dialog.path.at(-1)?.id);
  assert.match(order(fitted.prompt), /^s(uata)+uat\*$/);
  const last = fitted.prompt.messages.at(-1)?.segments ?? [];
  assert.match(last.find(({ layer }) => layer === 'state')?.text ?? '', /^\n\nSummary of the earlier turns/);
});

test('it keeps its place while the conversation goes on, also through the store', async () => {
  const fitted = await fitNow(requestFor(begun, erasing));
  const dialog = grow(begun, answered('Now.'), asked('And then?'));
  const next = await fitNow(requestFor(dialog, { ...erasing, pruned: fitted.pruned }));
  assert.equal(next.pruned, fitted.pruned);
  assert.match(order(next.prompt), /u\*a\*uau$/);
  const { id = '', to = 0, last = '', runs = [], summary = null } = fitted.pruned.compaction ?? {};
  const counts = { before: 0, after: 0, stateTokens: 0, milliseconds: 0, tries: 0 };
  const words = { outcome: 'folded' as never, reason: '', undone: false, edited: false, proposals: [] };
  const row = { id, to, last, runs, checkpoint: summary, created: 0, previous: null, ...counts, ...words };
  assert.equal(restorePruneState(storePruneState(fitted.pruned), [row]).summaryAt, newest);
});

const ahead = (pruned: Fitted['pruned'], settling: Pick<AheadRequest, 'settling'>, dialog = begun) => {
  const { turnStart: _, ...request } = requestFor(dialog, { ...erasing, pruned });
  return fitAhead({ ...request, ...settling }, async (prompt) => measureOf(prompt));
};

test('idle work that settles the slot moves it in front; where that takes too long it stays', async () => {
  const { pruned } = await fitNow(requestFor(begun, erasing));
  const dialog = grow(begun, answered('Now.'));
  const stays = await ahead(pruned, { settling: { approximate: 0, most: 100 } }, dialog);
  assert.equal(stays.pruned.summaryAt, newest);
  const moved = await ahead(pruned, settlingFor({ reuse: 'auto', erases: true }, 1000), dialog);
  assert.equal(moved.pruned.summaryAt, null);
  assert.match(order(moved.prompt), /^su\*a\*u/);
  assert.deepEqual(settlingFor({ reuse: 'shift', erases: true }, 9), {});
});

test('made while idle and not moved, it comes in front of the message that is not written yet', async () => {
  const dialog = grow(emptyDialog, ...turns);
  const { pruned } = await ahead((await fitNow(requestFor(dialog))).pruned, {}, dialog);
  assert.equal(pruned.summaryAt, nextItem);
  const next = await fitNow(requestFor(begun, { ...erasing, pruned }));
  assert.equal(next.pruned.summaryAt, newest);
  assert.match(order(next.prompt), /u\*a\*u$/);
});

test('where its message was edited it comes with the new one', async () => {
  const { pruned } = await fitNow(requestFor(begun, erasing));
  const edited = grow(moveHead(begun, begun.path.at(-2)?.id ?? null), asked('Or else?'));
  const next = await fitNow(requestFor(edited, { ...erasing, pruned }));
  assert.equal(next.pruned.summaryAt, edited.path.at(-1)?.id);
  assert.match(order(next.prompt), /u\*a\*u$/);
});

test('a node that does not see the result with which it came gets it with the newest message', async () => {
  const dialog = grow(begun, ...looked('q8', 500));
  const tight = { ...budget, high: measureOf((await fitNow(requestFor(dialog))).prompt).total - 10 };
  const { pruned } = await fitNow(requestFor(dialog, { ...erasing, budget: tight, turnStart: false }));
  const later = grow(dialog, answered('So.'), asked('Why?'));
  const [node] = split.nodes;
  const fitted = await fitNow(requestFor(later, { ...erasing, pruned, ...(node !== undefined && { node }) }));
  assert.ok(segmentsOf(fitted.prompt).some(({ layer }) => layer === 'state'));
});

test('on a slot that does not erase it stands behind the pinned head', async () => {
  const fitted = await fitNow(requestFor(begun, { ...erasing, erases: false }));
  assert.match(order(fitted.prompt), /^su\*a\*u/);
});

test('law: on a slot that erases no text that stays ever stands behind one that is new', async () => {
  const property = fc.asyncProperty(compactingPlans, async (plan) => {
    const { calls } = await play({ ...plan, erases: true });
    for (const [before, now] of pairsOf(calls)) {
      const cut = [...now.fitted.pruned.capped.keys()].filter((id) => now.marks.pinned.has(id));
      const late = movedBehind(before.fitted.prompt, now.fitted.prompt, cut);
      assert.equal(late, null, `turn ${now.turn}`);
    }
  });
  await fc.assert(property, { numRuns: cases(400), endOnFailure: true });
});
