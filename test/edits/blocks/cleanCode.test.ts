// Code of a block without what is no part of it: a lone mark of a replacement.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanCode } from '../../../src/edits/blocks/cleanCode.ts';
import { fitCode } from '../../../src/edits/blocks/fitCode.ts';
import { changedText } from '../../../src/edits/blocks/placeChange.ts';
import { notOpen } from '../../../src/edits/blocks/places.ts';

test('a whole function behind the mark that begins a replacement is that function', () => {
  const code = 'export function name() {\n  return "cli";\n}\n';
  for (const given of [`=======\n${code}`, `\n=======\n${code}>>>>>>> REPLACE\n`, `=======\n${code}>>>>>>>\n`])
    assert.equal(cleanCode(given, null), code, given);
  const file = `const a = 1;\n\n${code.replace('"cli"', '"deno"')}\nconst b = 2;\n`;
  const fit = fitCode(file, `=======\n${code}`, 'a.ts', notOpen);
  assert.equal(fit.is === 'change' && changedText(file, fit.change), file.replace('"deno"', '"cli"'));
});

test('lines of a title, and a replacement that is whole, keep their marks', () => {
  for (const code of [
    '=======\nTitle\n=======\n',
    'Title\n=======\n',
    '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n',
    '=======\n',
  ])
    assert.equal(cleanCode(code, null), code);
});
