// Changes of an agent and code blocks over them: which lines are one change, and what keeping or undoing it leaves of each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hunksIn, keepHunks, type Layers, undoHunks } from '../../../src/edits/review/layers.ts';
import { cases } from '../../cases.ts';

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', '', '  d', 'e\r'), { maxLength: 12 })
  .chain((lines) => fc.boolean().map((ends) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : '')));
const layers = fc.record({ base: text, under: text, now: text });
const choices = fc.infiniteStream(fc.nat());

/** Decides changes one after another, until none waits. */
function decide(given: Layers, chosen: Iterator<number>, how: typeof keepHunks): Layers {
  let now = given;
  for (let left = hunksIn(now); left.length > 0; left = hunksIn(now)) {
    const hunk = left[Number(chosen.next().value) % left.length];
    if (hunk !== undefined) now = how(now, [hunk]);
  }
  return now;
}

test('keeping or undoing all changes one by one, in any order, ends at the one text or the other', () =>
  fc.assert(
    fc.property(layers, choices, (given, chosen) => {
      assert.equal(decide(given, chosen, keepHunks).base, given.now);
      assert.equal(decide(given, chosen, undoHunks).now, given.base);
    }),
    { numRuns: cases(500) },
  ));

test('undoing all code blocks leaves what an agent made', () => {
  const some = fc.array(fc.nat(3), { minLength: 6, maxLength: 6 });
  /** Each line stays, is written anew, or has another one behind it: nothing is made that was there before. */
  const edited = (lines: readonly string[], how: readonly number[], mark: string) =>
    lines.flatMap((line, i) => [[line], [line], [`${mark}${line}`], [line, `${mark}${i}`]][how[i] ?? 0] ?? []);
  fc.assert(
    fc.property(some, some, (agent, block) => {
      const lines = ['a', 'b', 'c', 'd', 'e', 'f'];
      const [below, above] = [edited(lines, agent, 'A'), edited(edited(lines, agent, 'A'), block, 'B')];
      const texts = [lines, below, above].map((all) => all.map((line) => `${line}\n`).join(''));
      const given = { base: texts[0] ?? '', under: texts[1] ?? '', now: texts[2] ?? '' };
      const left = undoHunks(
        given,
        hunksIn(given).filter(({ author }) => author === 'block'),
      );
      assert.deepEqual(left, { ...given, now: given.under });
      assert.ok(hunksIn(left).every(({ author }) => author === 'agent'));
    }),
  );
});

const base = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const under = base.replace('two', 'TWO').replace('five', 'FIVE');
const now = under.replace('TWO\n', 'TWO of a block\n').replace('six\n', '');

test('changes that touch are one, whose upper part is undone first', () => {
  const hunks = hunksIn({ base, under, now });
  assert.deepEqual(
    hunks.map(({ author, before, after }) => [author, before.lines.join(''), after.lines.join('')]),
    [
      ['block', 'two\n', 'TWO of a block\n'],
      ['block', 'five\nsix\n', 'FIVE\n'],
    ],
  );
  const first = undoHunks({ base, under, now }, hunks.slice(0, 1));
  assert.equal(first.now, now.replace('TWO of a block', 'TWO'));
  const [left] = hunksIn(first);
  assert.equal(left?.author, 'agent');
  assert.equal(undoHunks(first, hunksIn(first).slice(0, 1)).now, now.replace('TWO of a block', 'two'));
});

test('an agent’s change beside a code block is undone below it', () => {
  const block = 'zero\n';
  const given = { base, under, now: block + under };
  const [above, first] = hunksIn(given);
  assert.deepEqual([above?.author, first?.author], ['block', 'agent']);
  const next = undoHunks(given, first === undefined ? [] : [first]);
  assert.deepEqual([next.under, next.now], [under.replace('TWO', 'two'), block + under.replace('TWO', 'two')]);
});
