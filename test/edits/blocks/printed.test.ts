// Code of a block without what is no part of it: a lone mark of a replacement.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitCode } from '../../../src/edits/blocks/fitCode.ts';
import { changedText } from '../../../src/edits/blocks/placeChange.ts';
import { notOpen } from '../../../src/edits/blocks/places.ts';
import { bothWithoutNumbers, cleanCode } from '../../../src/edits/blocks/printed.ts';

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

const colours = 'red\n  green\nblue\nwhite\n';

test('line numbers are ours where the file has the lines under them, also a few lines further on', () => {
  assert.equal(cleanCode('1: red\n2:   green\n3: violet\n', colours), 'red\n  green\nviolet\n');
  assert.equal(cleanCode('3 | green\n4 | blue\n', 'a\nred\ngreen\nblue\n'), 'green\nblue\n');
  assert.equal(cleanCode('1: green\n2: blue\n', 'red\ngreen\nblue\n'), 'green\nblue\n');
});

test('where the lines to find have our numbers, those in their place lose theirs, also beside lines without one', () => {
  const wanted = '2:   green\n  lime\n3: navy\n200: OK\n';
  const edit = bothWithoutNumbers({ old: '2:   green\n3: blue\n', new: wanted }, colours);
  assert.deepEqual(edit, { old: '  green\nblue\n', new: '  green\n  lime\nnavy\n200: OK\n' });
});

test('numbers are data in a new file, where the file has them, and where its lines stand under other ones', () => {
  for (const [code, base] of [
    ['200: OK\n404: Not Found\n500: Error\n', null],
    ['80: web\n443: tls\n', null],
    ['1 | anna\n2 | bert\n', null],
    ['200: OK\n404: Not Found\n418: Teapot\n', '200: OK\n404: Not Found\n'],
    ['1: red\n2: white\n', colours],
    ['1: one\nred\n', colours],
    ['3: three\n4: four\n', colours],
  ] as const)
    assert.equal(cleanCode(code, base), code);
});

test('the day is ours where a message told it and the file lacks the line', () => {
  const days = ['2026-11-25'];
  assert.equal(cleanCode('# A\n\nText.\n\nDate: 2026-11-25.\n', '# A\n', days), '# A\n\nText.\n');
  assert.equal(cleanCode('Date: 2026-11-25.\n\n# A\n', '# A\n', days), '# A\n');
  for (const [code, base, told] of [
    ['# A\nDate: 2026-11-25.\n', '# A\nDate: 2026-11-25.\n', days],
    ['# A\nDate: 2026-11-24.\n', '# A\n', days],
    ['# A\nDate: 2026-11-25.\n', '# A\n', []],
    ['# A\nDate: 2026-11-25.\n', null, days],
  ] as const)
    assert.equal(cleanCode(code, base, told), code);
});
