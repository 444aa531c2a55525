// How texts differ, patches are counted and commands read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { difference, hunksOf, textLines } from '../../../src/edits/review/hunks.ts';
import { commandsIn } from '../../../src/host/edits/terminalText.ts';

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', '', '  d', 'e\r'), { maxLength: 12 })
  .chain((lines) => fc.boolean().map((ends) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : '')));

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

test('hunks put into the old text give the new one, and a line that stays is in none', () =>
  fc.assert(
    fc.property(text, text, (before, after) => {
      const [old, made] = [textLines(before), [...textLines(before)]];
      for (const hunk of hunksOf(before, after).toReversed()) {
        assert.notDeepEqual(hunk.before.lines, hunk.after.lines);
        assert.deepEqual(old.slice(hunk.before.start, hunk.before.start + hunk.before.lines.length), hunk.before.lines);
        made.splice(hunk.before.start, hunk.before.lines.length, ...hunk.after.lines);
      }
      assert.equal(made.join(''), after);
    }),
  ));

test('a hunk that opens a bracket and the one that closes it are one', () => {
  const before = 'a = []\nfor x in all:\n    a.append(x)\nreturn a\n';
  const after = 'return [\n    x\nfor x in all:\n]\n';
  assert.equal(hunksOf(before, after).length, 1);
  assert.equal(hunksOf('a()\nx\nb()\n', 'A()\nx\nB()\n').length, 2);
});

test('each of many changes in a long file is a hunk of its own', () => {
  const before = Array.from({ length: 20_000 }, (_, i) => `const line${i} = ${i};\n`);
  const after = before.map((line, i) => (i % 12 === 0 ? line.replace(';', '; // changed') : line));
  const hunks = hunksOf(before.join(''), after.join(''));
  assert.equal(hunks.length, Math.ceil(20_000 / 12));
  assert.ok(hunks.every(({ before: { lines }, after: now }) => lines.length === 1 && now.lines.length === 1));
});
