// A commit message out of what a model writes around it, and how much a diff changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './fakeVscode.ts';

const { messageIn } = await import('../../src/host/editor/commitMessage.ts');
const { changesInWords } = await import('../../src/host/mentions/mentionChanges.ts');

test('a message stands alone, whatever stands around it', () => {
  const message = 'Read durations with spaces\n\nPeople write them so.';
  for (const answer of [
    message,
    `\n${message}\n`,
    `\`\`\`\n${message}\n\`\`\``,
    `Here is the message:\n\n\`\`\`text\n${message}\n\`\`\`\n\nIt says why.`,
    `Commit message: ${message}`,
    `"${message}"`,
  ])
    assert.equal(messageIn(answer), message);
});

test('the lines of a diff are counted, and not its heads', () => {
  const diff = [
    'diff --git a/a.ts b/a.ts',
    '--- a/a.ts',
    '+++ b/a.ts',
    '@@ -1,2 +1,3 @@',
    ' same',
    '-old',
    '+new',
    '+more',
    'diff --git a/b.ts b/b.ts',
    '--- a/b.ts',
    '+++ b/b.ts',
    '@@ -1 +0,0 @@',
    '-gone',
  ].join('\n');
  assert.equal(changesInWords(diff, 0), '2 files, +2 −2 lines');
  assert.equal(changesInWords('', 1), '1 new file');
  assert.equal(changesInWords(diff, 2), '2 files, +2 −2 lines, 2 new files');
});
