// The file and the language of a code block, from its fence and from the line before it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fencePlace, namesIn, place, placeAlone, placeInLine } from '../../../src/core/answer/fileNames.ts';

const fences: readonly (readonly [string, string, string | null])[] = [
  ['', '', null],
  ['ts', 'ts', null],
  ['c++', 'c++', null],
  ['ts src/a.ts', 'ts', 'src/a.ts'],
  ['ts:src/a.ts', 'ts', 'src/a.ts'],
  ['src/a.ts', 'ts', 'src/a.ts'],
  ['10:20:src/a.ts', 'ts', 'src/a.ts'],
  ['ts title="src/with space.ts"', 'ts', 'src/with space.ts'],
  ['makefile Makefile', 'makefile', 'Makefile'],
  ['Makefile', 'Makefile', null],
  ['tsx app/$id.tsx', 'tsx', 'app/$id.tsx'],
  ['ts (src/a.ts)', 'ts', 'src/a.ts'],
  ['ts src/a.ts:3-9', 'ts', 'src/a.ts'],
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
  ['Here is the updated `README.md` file:', 'README.md'],
  ['1. Create util.py:', 'util.py'],
  ['In `my notes/plan b.md`:', 'my notes/plan b.md'],
  ['**Makefile**', 'Makefile'],
  ['File: `src/日本語.py`', 'src/日本語.py'],
  ['and so on.', null],
  ['Here is the code, e.g.', null],
  ['', null],
  [`${'x'.repeat(300)} src/a.ts`, null],
];

test('the line before a fence names its file where it ends with a path', () => {
  for (const [line, path] of lines) assert.equal(placeInLine(line), path, line);
});

const oddNames = [
  'app/[id]/page.tsx',
  'src/app/(group)/[...slug]/page.tsx',
  'src/routes/+page.svelte',
  'src/@modal/x.ts',
  'src/ünï.ts',
  'src/日本語.py',
  'c#/x.cs',
  'src/_layout.$id.tsx',
  'src/[[lang]]/x.tsx',
  'Makefile',
  'src/Dockerfile',
  '.github/workflows/ci.yml',
  '.env.example',
  'C:\\p\\a.ts',
  '100%.md',
];

test('every name that a file can have is read in a fence, in a comment and in the line before', () => {
  for (const name of [...oddNames, 'my file.ts', 'my dir/a b.ts']) {
    const found = [
      fencePlace(`ts ${name}`).path,
      fencePlace(`ts title="${name}"`).path,
      fencePlace(`ts:${name}`).path,
      placeInLine(`In \`${name}\`:`),
      placeInLine(`**${name}**`),
    ];
    assert.deepEqual(new Set(found), new Set([name]), name);
  }
  for (const name of oddNames) assert.equal(placeAlone(`// ${name}`), name);
});

test('a heading of a document names no file, and neither does a comment with words', () => {
  assert.equal(placeAlone('# tides.js', true), null);
  assert.equal(placeAlone('<!-- README.md -->', true), 'README.md');
  for (const line of ['// see utils.ts', '# License', 'node_modules/', '// 2026.'])
    assert.equal(placeAlone(line), null, line);
});

test('places in words have the names that blocks have', () => {
  for (const name of oddNames.filter((one) => !one.startsWith('.')))
    assert.deepEqual(
      [...`see (${name}:12)`.matchAll(place)].map(([, path, line]) => [path, line]),
      [[name, '12']],
      name,
    );
  assert.equal([...'https://host.example/src/a.js:10'.matchAll(place)].length, 0);
});

test('the names in a message are found, each once', () => {
  const words = 'In lib/option.js make @file:"my notes.md" like @file:src/a.ts. See lib/option.js and camelcase';
  assert.deepEqual(namesIn(words), ['lib/option.js', 'my notes.md', 'src/a.ts']);
});

test('a line that we print above a file’s text names the file', () => {
  for (const line of [
    'src/a.ts:3-9',
    'src/a.ts (lines 3-9)',
    'src/a.ts (lines 3-9, selected)',
    'src/a.ts (line 3, selected)',
    'src/a.ts (lines 3-9 of 40)',
    'src/a.ts (12 lines)',
    'src/a.ts:3 area (lines 1-9)',
    'src/a.ts:3 area, 9 edge (lines 1-9)',
    'Found: src/a.ts:3 area (lines 1-9)',
    'File src/a.ts (lines 3-9, selected):',
  ])
    assert.equal(placeAlone(line) ?? placeInLine(line), 'src/a.ts', line);
  assert.equal(placeAlone('area(lines, 3)'), null);
});
