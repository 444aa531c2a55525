// The messages to begin with: about what is in the folder, without naming what is not there, and within what the model can do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleMessages } from '../../../src/app/viewApi/examples.ts';

const entities = [
  { name: 'parseDuration', path: 'src/duration.ts' },
  { name: 'formatDuration', path: 'src/duration.ts' },
  { name: 'forecast', path: 'src/forecast.ts' },
];
const plain = { hasFolder: true, problems: 0, pocket: false };

test('the most used entity and another file are named', () => {
  const messages = exampleMessages(entities, plain);
  assert.match(messages.join('\n'), /structured[\s\S]*`parseDuration`[\s\S]*src\/forecast\.ts/);
});

test('problems are offered only where the editor shows some', () => {
  assert.doesNotMatch(exampleMessages(entities, plain).join('\n'), /problems/);
  assert.match(exampleMessages(entities, { ...plain, problems: 2 }).join('\n'), /problems/);
});

test('the pocket model is asked only what it was trained to look up', () => {
  const messages = exampleMessages(entities, { ...plain, pocket: true, problems: 1 });
  assert.doesNotMatch(messages.join('\n'), /about|structured/);
  assert.deepEqual(messages, [
    'Where is `parseDuration` defined?',
    'What does src/forecast.ts do?',
    'Which problems does the editor show?',
    'Which files use `parseDuration`?',
  ]);
});

test('a folder without code, and no folder, have messages too', () => {
  assert.equal(new Set(exampleMessages([], plain)).size, 2);
  assert.equal(exampleMessages([], { ...plain, hasFolder: false }).length, 1);
});
