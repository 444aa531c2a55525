// The claim of the product: a turn costs only its new tokens. Random conversations, each prompt planned against the slot that the
// one before left behind, and judged from the prompts alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BreakCause } from '../../../src/core/kv/kvBreak.ts';
import { cut, tokensOf } from '../../../src/core/kv/kvImage.ts';
import type { KvPlan } from '../../../src/core/kv/kvPlan.ts';
import { type Prompt, segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { isWithheld } from '../../../src/core/pruning/projection.ts';
import { currentStart } from '../../../src/core/pruning/pruneState.ts';
import { breakOf } from '../../../src/core/report/breaks.ts';
import { headOf, imageOf, planned, saidBehind } from '../scenes/fakeImage.ts';
import { compactingPlans, type PlayedCall, pairsOf, plans, play, richPlans } from '../scenes/play.ts';

const seed = Number(process.env.TIDEMARK_SEED ?? Math.floor(Math.random() * 2 ** 31));
process.stdout.write(`turn costs, seed ${seed}\n`);

/** `plan`: for the slot, or its first `length` tokens. */
type Check = (before: PlayedCall, after: PlayedCall, plan: (erases: boolean, length?: number) => KvPlan) => void;

/** Every two prompts of a slot that follow each other. */
const pairs = Promise.all(
  [plans, richPlans, compactingPlans].map(async (drawn) => {
    const done: Parameters<Check>[] = [];
    for (const plan of fc.sample(drawn, { numRuns: 45, seed })) {
      const { calls } = await play(plan);
      for (const [before, after] of pairsOf(calls)) {
        const slot = saidBehind(imageOf(before.fitted.prompt, plan.salt), before.ids);
        const whole = tokensOf(slot).length;
        const prompt = headOf(imageOf(after.fitted.prompt, plan.salt));
        done.push([before, after, (erases, length = whole) => planned(cut(slot, length), prompt, erases)]);
      }
    }
    return done;
  }),
);

async function forPairs(check: Check): Promise<void> {
  for (const pair of (await pairs).flat()) check(...pair);
}

/** Returns a key for the content of each segment, so that calls whose arguments were cleared count as others. */
function keysOf(prompt: Prompt): readonly string[] {
  return segmentsOf(prompt).map(({ item, part, text, calls }) => JSON.stringify([item, part, text, calls]));
}

/** Tokens of the segments that the prompt before had not and the slot did not generate, and with what the template writes for them. */
function newTokens(before: PlayedCall, { fitted: { prompt, measure, pruned } }: PlayedCall) {
  const known = new Set(keysOf(before.fitted.prompt));
  const keys = keysOf(prompt);
  const ids = before.ids.join();
  let [bare, framed, end] = [0, 0, 0];
  segmentsOf(prompt).forEach((segment, i) => {
    const tokens = measure.segments[i] ?? 0;
    const next = (measure.starts[i] ?? 0) + tokens;
    // The last token that was generated is not in the slot, so of an answer of one token nothing is.
    const own = before.ids.length > 1 && segment.generated?.ids.join() === ids;
    // A section of a summary may begin as it did before, and so does a call whose arguments were cleared.
    const least = segment.layer === 'state' || pruned.cleared.get(segment.item ?? '')?.whole !== undefined ? 0 : tokens;
    if (!known.has(keys[i] ?? '') && !own) [bare, framed] = [bare + least, framed + next - end];
    end = next;
  });
  return { bare, framed: framed + measure.total - end };
}

/** The most that the simulated template writes between two segments, but for the tools. */
const frame = 20;

/** Whether a text in the middle was written anew: a summary, or a call whose arguments were cleared. */
const rewritten = (before: PlayedCall, after: PlayedCall) => {
  const [was, now] = [before.fitted.pruned, after.fitted.pruned];
  const calls = [...now.cleared].some(([id, { whole }]) => whole !== undefined && !was.cleared.has(id));
  return calls || was.compaction?.summary !== now.compaction?.summary;
};

test('a turn costs only its new tokens, whatever was let go of, unless a text in the middle was written anew', () =>
  forPairs((before, after, plan) => {
    if (rewritten(before, after)) return;
    const { decode, firstBreak } = plan(true);
    const { bare, framed } = newTokens(before, after);
    assert.ok(decode <= framed, `${decode} decoded, ${framed} new`);
    assert.ok(decode >= bare - 1);
    assert.equal(firstBreak?.again ?? 0, 0);
  }));

/** Places where segments were let go of. A compaction's own are decoded again with all behind it, so no plan lists them. */
function gapsIn(before: PlayedCall, after: PlayedCall): number {
  const stays = new Set(keysOf(after.fitted.prompt));
  const gone = keysOf(before.fitted.prompt).map((key) => !stays.has(key));
  return gone.filter((one, i) => one && gone[i - 1] !== true).length;
}

test('what else is decoded is counted as decoded again', () =>
  forPairs((before, after, plan) => {
    const { bare, framed } = newTokens(before, after);
    // The template's text at a gap that trimmed segments left belongs to neither side.
    const seams = frame * (gapsIn(before, after) + 1);
    for (const erases of [true, false]) {
      const { decode, firstBreak } = plan(erases);
      const rest = decode - (firstBreak?.again ?? 0);
      assert.ok(bare - 1 <= rest && rest <= framed + seams, `${rest} not again, ${bare} to ${framed} new`);
    }
  }));

test('a slot that was stopped anywhere costs only what it lacks besides', () =>
  forPairs((before, after, plan) => {
    if (rewritten(before, after)) return;
    const { total } = before.fitted.measure;
    const lacks = (before.ids.length * 7919 + after.fitted.measure.total * 31) % total;
    const { decode } = plan(true, total - lacks);
    const { framed } = newTokens(before, after);
    assert.ok(
      decode <= framed + lacks + before.ids.length + frame,
      `${decode} decoded, ${framed} new, ${lacks} lacking`,
    );
  }));

/** Returns why the first missing segment went, judged by the projection alone; `null` where it does not tell. */
function lost(before: PlayedCall, { fitted }: PlayedCall): BreakCause | null {
  const { pruned, context, node, prompt } = fitted;
  const now = keysOf(prompt);
  const at = keysOf(before.fitted.prompt).findIndex((key, i) => key !== now[i]);
  const was = segmentsOf(before.fitted.prompt)[at];
  if (was === undefined) return null;
  if (was.item === null || segmentsOf(prompt)[at]?.layer === 'state') return 'fold';
  const index = context.path.findIndex(({ id }) => id === was.item);
  const item = context.path[index];
  const run = pruned.runs.find(({ from, to }) => index >= from && index < to)?.by;
  const by = run ?? pruned.cleared.get(was.item)?.by;
  if (by === 'user') return 'eviction';
  if (run !== undefined) return run === 'fold' ? 'fold' : 'trim';
  const hidden = item !== undefined && isWithheld(item, index < currentStart(context.path), node);
  return by !== undefined || pruned.capped.has(was.item) || hidden ? 'stub' : null;
}

/** Whether the arguments of calls that the prompt before has not yet are cleared in this one. */
function clearedAtOnce(before: PlayedCall, { fitted: { pruned } }: PlayedCall): boolean {
  const known = new Set(segmentsOf(before.fitted.prompt).map(({ item }) => item));
  return [...pruned.cleared].some(([id, { whole }]) => whole !== undefined && !known.has(id));
}

/** Whether other words stand for what was generated last, as they do for an answer that was stopped before its first word. */
function isSaidOtherwise(before: PlayedCall, { fitted: { prompt } }: PlayedCall): boolean {
  return segmentsOf(prompt)[segmentsOf(before.fitted.prompt).length]?.generated === undefined;
}

test('a break has the name of what the projection let go of first', async () => {
  const seen = new Set<BreakCause | undefined>();
  await forPairs((before, after, plan) => {
    for (const erases of [true, false]) {
      const { keep, shifted, decode, firstBreak } = plan(erases);
      const prefill = { reused: keep, shifted, decoded: decode, slotTokens: 1, approximate: 0, milliseconds: 1 };
      const generation = {
        raw: '',
        generated: { model: '', ids: [] },
        stop: 'end' as const,
        firstTokenMilliseconds: 1,
      };
      const broke = breakOf(
        after.fitted,
        { ...generation, generateMilliseconds: 1, prefill: { ...prefill, firstBreak } },
        { reuse: 'auto', begun: true },
      );
      // A summary that shrank to nothing in front of a new message leaves nothing to tell the cause by.
      if (broke?.cause === 'branch' && after.fitted.pruned.compaction?.summary.entries.length === 0) continue;
      // The arguments of the call that was generated last may be cleared at once, though the prompt before does not have the call yet.
      const gone = lost(before, after) ?? (broke?.cause === 'stub' && clearedAtOnce(before, after) ? 'stub' : null);
      if (broke?.cause === 'retokenised' && gone === null) {
        assert.ok(isSaidOtherwise(before, after));
        continue;
      }
      assert.equal(broke?.cause ?? null, gone);
      seen.add(broke?.cause);
    }
  });
  assert.deepEqual([...seen].toSorted(), ['eviction', 'fold', 'stub', 'trim', undefined]);
});
