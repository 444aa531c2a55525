// The table of `npm run check -- templates`: which templates fail in what, by name, and that no answer shows a mark of thoughts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allRows } from '../../templates/check.ts';

test('all templates but these work whole, and no known answer shows a mark of thoughts', () => {
  const rows = allRows(undefined);
  assert.equal(rows.length, 68);
  const failing = rows.filter(({ fails }) => Object.keys(fails).length > 0);
  // Calls of three are not read; gpt-oss knows less thinking, and none not.
  const calls = ['Kimi-K3', 'MiniMax-M3', 'meetkai-functionary-medium-v3.2'];
  for (const { name, fails } of failing)
    for (const column of Object.keys(fails))
      assert.ok(calls.includes(name) ? /call/.test(column) : name === 'openai-gpt-oss-120b', `${name}: ${column}`);
  assert.deepEqual(
    rows.filter(({ marked }) => marked.length > 0).map(({ name }) => name),
    [],
  );
  assert.ok(rows.filter(({ hasSwitch }) => hasSwitch).length >= 36);
});

test('a folder of templates is read in place of the bundle', () => {
  assert.throws(() => allRows('/nowhere/at/all'), /ENOENT/);
});
