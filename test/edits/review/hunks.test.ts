// Changes that wait in a file: which lines they are, and what keeping or undoing one of them leaves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { difference, hunksOf, keepHunk, textLines, typedBeside, undoHunk } from '../../../src/edits/review/hunks.ts';
import { commandsIn } from '../../../src/host/edits/terminalText.ts';

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', '', '  d', 'e\r'), { maxLength: 12 })
  .chain((lines) => fc.boolean().map((ends) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : '')));

test('keeping or undoing all changes one by one, in any order, ends at the one text or the other', () =>
  fc.assert(
    fc.property(text, text, fc.infiniteStream(fc.nat()), (before, after, choices) => {
      let kept = before;
      for (let left = hunksOf(kept, after); left.length > 0; left = hunksOf(kept, after)) {
        const hunk = left[(choices.next().value as number) % left.length];
        if (hunk !== undefined) kept = keepHunk(kept, hunk);
      }
      assert.equal(kept, after);
      let now = after;
      for (let left = hunksOf(before, now); left.length > 0; left = hunksOf(before, now)) {
        const hunk = left[(choices.next().value as number) % left.length];
        if (hunk !== undefined) now = undoHunk(now, hunk);
      }
      assert.equal(now, before);
    }),
  ));

test('the difference of two texts, put in the place of the old one, gives the new one', () =>
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { from, to, text: put } = difference(before, after);
      assert.equal(before.slice(0, from) + put + before.slice(to), after);
      assert.equal(textLines(before).join(''), before);
    }),
  ));

test('prompts in front of shell commands go, and with them what the commands would print', () => {
  assert.equal(commandsIn('$ npm test\nok 1\n$ git status'), 'npm test\ngit status');
  assert.equal(commandsIn('npm test\n'), 'npm test');
});

test('what is typed beside a change stands in the text before as well, so that undoing leaves it', () => {
  const before = 'a\nb\nc\nd\ne\n';
  const now = 'a\nB\nB2\nc\nd\ne\n';
  const at = now.indexOf('d\n');
  assert.equal(typedBeside(before, now, { from: at, length: 1, words: 'DD' }), 'a\nb\nc\nDD\ne\n');
  assert.equal(typedBeside(before, now, { from: 0, length: 1, words: 'first' }), 'first\nb\nc\nd\ne\n');
  assert.equal(typedBeside(before, now, { from: now.indexOf('B2'), length: 2, words: 'x' }), null);
  assert.equal(typedBeside(before, now, { from: 0, length: now.length, words: '' }), null);
});

test('typing beside changes is the same edit of the text before', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { minLength: 1, maxLength: 12 });
  const typed = fc.record({ from: fc.nat(40), length: fc.nat(6), words: fc.constantFrom('', 'x', 'x\ny', '\n') });
  fc.assert(
    fc.property(lines, lines, typed, (old, changed, { from, length, words }) => {
      const [before, now] = [old.join('\n'), changed.join('\n')];
      const start = Math.min(from, now.length);
      const typing = { from: start, length: Math.min(length, now.length - start), words };
      const rebased = typedBeside(before, now, typing);
      if (rebased === null) return;
      const gone = now.slice(start, start + typing.length);
      const places = Array.from({ length: before.length + 1 }, (_, at) => at);
      const same = (at: number) =>
        before.slice(at, at + gone.length) === gone &&
        before.slice(0, at) + words + before.slice(at + gone.length) === rebased;
      assert.ok(places.some(same), 'the same words gave way to the same words');
    }),
    { numRuns: 500 },
  );
});
