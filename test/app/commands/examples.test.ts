// The messages to begin with: about what is in the folder, without naming what is not there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleMessages } from '../../../src/app/viewApi/examples.ts';

test('the most used entity and another file are named', () => {
  const entities = [
    { name: 'parseDuration', path: 'src/duration.ts' },
    { name: 'formatDuration', path: 'src/duration.ts' },
    { name: 'forecast', path: 'src/forecast.ts' },
  ];
  const messages = exampleMessages(entities, true);
  assert.equal(messages.length, 4);
  assert.match(messages.join('\n'), /`parseDuration`[\s\S]*src\/forecast\.ts/);
});

test('a folder without code, and no folder, have messages too', () => {
  assert.equal(new Set(exampleMessages([], true)).size, 4);
  assert.equal(exampleMessages([], false).length, 1);
});
