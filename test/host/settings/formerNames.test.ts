// Settings by their former names: what was set counts, what the editor only implies does not, and the new name goes before the old one.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { editor } from '../fakeVscode.ts';

const { readSettings } = await import('../../../src/host/settings/settings.ts');

afterEach(() => {
  editor.settings = {};
  editor.implied = {};
});

function read() {
  const said: string[] = [];
  const { chat } = readSettings((words) => said.push(words));
  const { trimTarget, pruneAt } = chat.agent.policy;
  return { trimTarget, pruneAt, recompute: chat.settleMilliseconds, said };
}

test('a number that nobody set, which the editor takes for 0, changes no default and is no complaint', () => {
  const defaults = read();
  editor.implied = { 'context.lowWater': 0, 'context.stubAt': 0, 'cache.settleSeconds': 0 };
  assert.deepEqual(read(), defaults);
  assert.deepEqual(defaults.said, []);
  assert.equal(defaults.recompute, 60_000);
});

test('what was set by a former name counts until the new one is set', () => {
  editor.settings = { 'context.lowWater': 0.5, 'cache.settleSeconds': 7 };
  assert.deepEqual([read().trimTarget, read().recompute], [0.5, 7000]);
  editor.settings = { 'context.lowWater': 0.5, 'context.trimTarget': 0.9 };
  assert.equal(read().trimTarget, 0.9);
});
