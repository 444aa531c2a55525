// How texts differ, patches are counted and commands read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { difference, textLines } from '../../../src/edits/review/hunks.ts';
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
