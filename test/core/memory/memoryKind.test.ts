// How the user's entries are read: as one line, and as a preference or a fact.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryKindOf } from '../../../src/core/memory/kind.ts';
import { oneLine } from '../../../src/core/memory/line.ts';

const preferences = [
  'I prefer tabs',
  "I'd rather have short answers",
  'i like British English',
  'Always run the linter',
  'never use sleep in tests',
  'In tests, never use sleep',
  'please use pnpm',
  'Use tabs',
  'use pnpm, not npm',
  "Don't touch the goldens",
  'Don’t touch the goldens',
  'do not write comments',
  'Answer in German',
  'Tests first: write them before the code',
  'Keep functions short.',
  'Be brief',
  'we prefer composition',
  'The build is slow. Avoid it',
  'Files in English, please',
];

const facts = [
  'The server always runs on port 8080',
  'use of tabs is common here',
  'Use cases are in docs/cases.md',
  'Write access is needed for main',
  'Users log in with OAuth',
  'Keepalive is 30 s',
  'Behind the proxy runs nginx',
  'the tests are slow',
  'Anna prefers mornings',
  'Answers come from the cache',
  'Neverland is the staging host',
  'pleased customers only',
];

test('what the user wants is a preference', () => {
  for (const text of preferences) assert.equal(memoryKindOf(text), 'preference', text);
});

test('what is so is a fact', () => {
  for (const text of facts) assert.equal(memoryKindOf(text), 'fact', text);
});

test('an entry is one line, without control characters and runs of blanks', () => {
  assert.equal(oneLine('  a\r\n\r\nb\t c\u2028d\u0000e\u00a0 f '), 'a b c d e f');
  assert.equal(oneLine(' \n '), '');
});
