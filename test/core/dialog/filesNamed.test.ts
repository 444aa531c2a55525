// Tests which lines of a file stand beside a message, by the head of its attachment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesShown, linesBeside } from '../../../src/core/dialog/filesNamed.ts';
import { leftOut } from '../../../src/core/prompt/leftOut.ts';

const placesIn = (head: string, body = '') => linesBeside({ head, body }).map(({ path, from, to }) => [path, from, to]);

test('a file, lines of it, a selection, a symbol and what is restored name their lines', () => {
  assert.deepEqual(placesIn('src/a.ts (12 lines)'), [['src/a.ts', 1, 12]]);
  assert.deepEqual(placesIn('src/a.ts (1 line, not saved yet)'), [['src/a.ts', 1, 1]]);
  assert.deepEqual(placesIn('src/a.ts (lines 3-9 of 40)'), [['src/a.ts', 3, 9]]);
  assert.deepEqual(placesIn('src/a.ts (line 3, selected)'), [['src/a.ts', 3, 3]]);
  assert.deepEqual(placesIn('plural in src/a.ts (lines 3-9)').at(-1), ['src/a.ts', 3, 9]);
  assert.deepEqual(placesIn('Restored: Attachment: src/a.ts (12 lines)'), [['src/a.ts', 1, 12]]);
  assert.deepEqual(placesIn('File src/a.ts:'), [['src/a.ts', 1, Number.MAX_SAFE_INTEGER]]);
});

test('lines that are left out do not stand there, and a folder, a refusal or a note name none', () => {
  const body = `one\n${leftOut('lines 2 to 400')}\nlast`;
  assert.deepEqual(placesIn('src/a.ts (401 lines)', body), [
    ['src/a.ts', 1, 1],
    ['src/a.ts', 401, 401],
  ]);
  const others = [
    'src/ (4 files, and how they begin)',
    '@file:a is not attached: There is none.',
    'The user kept a.ts.',
  ];
  for (const head of others) assert.deepEqual(placesIn(head), [], head);
});

test('files that a conversation was shown are those beside its messages and in what tools gave', () => {
  const path = [
    { origin: 'user', id: 'm', parent: null, text: 'what does src/own.ts do?' },
    { origin: 'attachment', id: 'a', parent: 'm', head: 'src/tide.ts (12 lines)', body: 'x' },
    { origin: 'result', id: 'r', parent: 'a', head: '2 matches', body: 'src/rate.ts:3: const rate = 1;' },
  ];
  assert.deepEqual(filesShown(path as never).slice(0, 2), ['src/tide.ts', 'src/rate.ts']);
});
