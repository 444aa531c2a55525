// The laws of the projection: conservation, fit, one end, honesty, turn atomicity, append and delete together.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolCall } from '../../../src/core/dialog/dialog.ts';
import { segmentsOf } from '../../../src/core/prompt/prompt.ts';
import type { Fitted } from '../../../src/core/pruning/fitted.ts';
import { stackReport } from '../../../src/core/report/report.ts';
import { segmentKeys } from '../scenes/fakeModel.ts';
import { covered, crossed, holds, withholds } from '../scenes/manyPlays.ts';
import { type PlayedCall, pairsOf } from '../scenes/play.ts';

test('conservation: decisions cover the path exactly once, in order', () =>
  holds('all', ({ calls, outcomes }) => {
    for (const { fitted } of calls) {
      const { decisions } = stackReport(fitted);
      assert.deepEqual(covered(decisions), [...fitted.context.path.keys()]);
      for (const { before, after, state, why } of decisions) {
        assert.ok(before >= after, `${before} before, ${after} after`);
        assert.equal(why === '', state === 'kept');
      }
    }
    for (const { report } of outcomes) {
      const rows = covered(report.decisions);
      assert.deepEqual(rows, [...rows.keys()]);
    }
  }));

test('fit: no prompt is over high water, or the fault has the numbers', () =>
  holds('all', ({ calls, outcomes, setup }) => {
    const { high, window, reserve } = setup.budget;
    for (const { fitted } of calls) assert.ok(fitted.measure.total <= high);
    for (const { report } of outcomes) {
      if (report.fault === null) continue;
      assert.ok(report.fault.kind === 'doesNotFit');
      assert.deepEqual(
        { ...report.fault, needed: 0, pinned: 0 },
        { kind: 'doesNotFit', needed: 0, high, window, reserve, pinned: 0 },
      );
      assert.ok(report.fault.needed > high);
      assert.ok(report.fault.pinned < report.fault.needed);
    }
  }));

test('one end: every turn ends once, with an answer and one report', () =>
  holds('all', ({ outcomes }) => {
    outcomes.forEach(({ dialog, report }, i) => {
      assert.equal(report.turn, i + 1);
      assert.equal(dialog.path.at(-1)?.origin, 'assistant');
      assert.equal(dialog.path.filter(({ origin }) => origin === 'assistant').length, i + 1);
      assert.equal(report.fault !== null, report.end === 'failed');
    });
  }));

test('honesty: layer rows and decisions add up to the exact total', () =>
  holds('all', ({ calls }) => {
    for (const { fitted } of calls) {
      const { layers, total, tools, decisions } = stackReport(fitted);
      const row = (name: string) => layers.find(({ layer }) => layer === name)?.tokens ?? 0;
      assert.equal(
        layers.reduce((sum, { tokens }) => sum + tokens, 0),
        total,
      );
      assert.equal(
        tools.reduce((sum, { tokens }) => sum + tokens, 0),
        row('tools'),
      );
      const items = decisions.reduce((sum, { after }) => sum + after, 0);
      assert.equal(items + row('state') + row('system') + row('tools') + row('workspace') + row('glue'), total);
    }
  }));

test('turn atomicity: what is out is whole turns', () =>
  holds('all', ({ calls }) => {
    for (const { fitted } of calls) {
      const { path } = fitted.context;
      for (const { from, to, last } of fitted.pruned.runs) {
        assert.equal(path[from]?.origin, 'user');
        assert.equal(path[to]?.origin, 'user');
        assert.equal(path[to - 1]?.id, last);
      }
      const roles = fitted.prompt.messages.filter(({ role }) => role !== 'system').map(({ role }) => role);
      if (fitted.node.earlierRecords === 'shown')
        assert.ok(roles.length === 0 || roles[0] === 'user' || roles[0] === 'assistant');
    }
  }));

test('turn atomicity: a call and its result are in the prompt together', () =>
  holds('all', ({ calls }) => {
    for (const { fitted } of calls) {
      const called = segmentsOf(fitted.prompt).flatMap((segment): readonly ToolCall[] => segment.calls ?? []);
      const answered = fitted.prompt.messages.flatMap(({ call }) => (call === undefined ? [] : [call.id]));
      assert.deepEqual(
        answered,
        called.map(({ id }) => id),
      );
    }
  }));

test('the node that only chooses sees no calls or results of earlier turns; the one that answers sees no schemas', () =>
  holds('all', ({ calls }) => {
    for (const { fitted } of calls) {
      const { node, prompt } = fitted;
      if (node.name === 'answer') assert.deepEqual(prompt.tools, []);
      if (node.name !== 'decide') continue;
      const start = prompt.messages.findLastIndex(({ role }) => role === 'user');
      assert.ok(
        prompt.messages
          .slice(0, start)
          .every(({ role, segments }) => role !== 'tool' && segments.every(({ calls: made }) => made === undefined)),
      );
      assert.ok(prompt.tools.length > 0);
    }
  }));

function keysOf({ prompt }: Fitted, state: boolean): readonly string[] {
  const segments = segmentsOf(prompt);
  return segmentKeys(prompt).filter((_, i) => state || segments[i]?.layer !== 'state');
}

test('append, delete together: segments are only appended between crossings and only deleted at one', () =>
  holds('all', ({ calls, setup }) => {
    for (const [before, after] of pairsOf(calls)) {
      // Only a compaction writes a state, and only with one it changes.
      const compacted = before.fitted.pruned.compaction?.summary !== after.fitted.pruned.compaction?.summary;
      assert.ok(!compacted || after.fitted.before > after.fitted.budget.high || setup.policy.messageCap > 0);
      // Pins win over every strategy, but not over the window: what one held whole may then be cut where it stands.
      const cut = [...after.fitted.pruned.capped.keys()].filter(
        (id) => after.marks.pinned.has(id) && !before.fitted.pruned.capped.has(id),
      );
      const keys = ({ fitted }: PlayedCall) =>
        keysOf(fitted, !compacted).filter((key) => !cut.some((id) => key.startsWith(`${id} body`)));
      const [was, is] = [keys(before), keys(after)];
      const known = new Set(was);
      const stayed = is.filter((key) => known.has(key));
      const fresh = is.filter((key) => !known.has(key));
      assert.deepEqual(is, [...stayed, ...fresh], 'what is new stands at the end');
      assert.deepEqual(
        stayed,
        was.filter((key) => is.includes(key)),
        'what stays keeps its order',
      );
      if (!crossed(before.fitted.pruned, after.fitted.pruned) && !withholds(after)) assert.deepEqual(stayed, was);
    }
  }));

test('append, delete together: what was let go never comes back', () =>
  holds('all', ({ calls }) => {
    const gone = new Map<number, Set<string>>();
    for (const [before, after] of pairsOf(calls)) {
      const { slot } = after.fitted.node;
      const out = gone.get(slot) ?? new Set<string>();
      gone.set(slot, out);
      const is = new Set(keysOf(after.fitted, false));
      for (const key of keysOf(before.fitted, false)) if (!is.has(key)) out.add(key);
      for (const key of is) assert.ok(!out.has(key));
    }
  }));

test('no segment stands twice in a prompt', () =>
  holds('all', ({ calls }) => {
    for (const { fitted } of calls) {
      const keys = segmentKeys(fitted.prompt).filter((key) => !key.startsWith('null'));
      assert.equal(new Set(keys).size, keys.length);
    }
  }));

test('a summary takes at most its share when it is made, stands once, and each entry names items that are compacted', () =>
  holds('all', ({ calls }) => {
    for (const { fitted } of calls) {
      const { compaction, runs } = fitted.pruned;
      const states = segmentsOf(fitted.prompt).filter(({ layer }) => layer === 'state');
      assert.equal(states.length > 0, compaction !== null && compaction.summary.entries.length > 0);
      if (compaction === null) continue;
      if (compaction.id === fitted.context.compactionId)
        assert.ok(fitted.context.state.tokens <= fitted.context.state.cap);
      const covered = new Set(fitted.context.path.slice(0, compaction.to).map(({ id }) => id));
      assert.ok(
        compaction.summary.entries.every(({ items }) => items.length > 0 && items.every((id) => covered.has(id))),
      );
      assert.deepEqual(
        compaction.runs,
        runs.filter(({ by }) => by === 'fold'),
      );
    }
  }));
