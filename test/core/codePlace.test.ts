// The file and the language of a code block, from its fence and from the line before it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fencePlace, placeInLine } from '../../src/core/codePlace.ts';

const fences: readonly (readonly [string, string, string | null])[] = [
  ['', '', null],
  ['ts', 'ts', null],
  ['c++', 'c++', null],
  ['ts src/a.ts', 'ts', 'src/a.ts'],
  ['ts:src/a.ts', 'ts', 'src/a.ts'],
  ['src/a.ts', 'ts', 'src/a.ts'],
  ['10:20:src/a.ts', 'ts', 'src/a.ts'],
  ['ts title="src/with space.ts"', 'ts', null],
  ['ts title="src/a.ts"', 'ts', 'src/a.ts'],
  ['js filename=b.js {1,3}', 'js', 'b.js'],
  ['text more words', 'text', null],
  ['<img src=x onerror=alert(1)>', '', null],
  ['ts title="<b>.ts"', 'ts', null],
];

test('a fence names its language and its file', () => {
  for (const [info, language, path] of fences) assert.deepEqual(fencePlace(info), { language, path }, info);
});

const lines: readonly (readonly [string, string | null])[] = [
  ['src/a.ts', 'src/a.ts'],
  ['`src/a.ts`:', 'src/a.ts'],
  ['**a.ts**', 'a.ts'],
  ['**`src/a.ts`:**', 'src/a.ts'],
  ['### src/a.ts', 'src/a.ts'],
  ['Change src/a.ts:', 'src/a.ts'],
  ['In `a.ts`:', 'a.ts'],
  ['With Node.js:', null],
  ['Compare `a.ts` with this:', null],
  ['and so on.', null],
  ['Here is the code, e.g.', null],
  ['', null],
  [`${'x'.repeat(300)} src/a.ts`, null],
];

test('the line before a fence names its file where it ends with a path', () => {
  for (const [line, path] of lines) assert.equal(placeInLine(line), path, line);
});
