// When the day is said, and how it stands in the prompt.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { datedText, dayOf, saidOn } from '../../../src/core/dialog/day.ts';
import type { Item } from '../../../src/core/dialog/dialog.ts';
import { systemText } from '../../../src/core/prompt/systemText.ts';

/** The days that are said in so many messages, each with the day it is sent on. */
function saidIn(days: readonly string[]): readonly (string | undefined)[] {
  const path: Item[] = [];
  return days.map((day, at) => {
    const said = saidOn({ text: 'hi', day }, path);
    path.push({ ...said, id: `${at}`, parent: null });
    return said.day;
  });
}

test('it is said with the first message of a day', () => {
  assert.deepEqual(saidIn(['d1', 'd1', 'd2', 'd2']), ['d1', undefined, 'd2', undefined]);
});

test('it is said again in one message of eight, because older ones leave the prompt', () => {
  const said = saidIn(Array.from({ length: 20 }, () => 'd1'));
  assert.deepEqual(
    said.flatMap((day, at) => (day === undefined ? [] : [at])),
    [0, 8, 16],
  );
});

test('it stands in front of the words, in the time zone of the machine', () => {
  assert.equal(datedText({ text: 'hi', day: '2026-11-01' }), 'Date: 2026-11-01.\n\nhi');
  assert.equal(datedText({ text: 'hi' }), 'hi');
  assert.equal(dayOf(new Date(2026, 0, 5, 23, 59)), '2026-01-05');
});

test('a conversation of an earlier version keeps its text with tools, and is told anew without', () => {
  const old = `${systemText('Workspace: app & api.', true)} Date: 2026-01-31.`;
  assert.equal(systemText(old, true), old);
  assert.equal(systemText(old, false), systemText('Workspace: app & api.', false));
});

test('it is the day of the machine’s own time zone', () => {
  const code = "import { dayOf } from './src/core/dialog/day.ts'; console.log(dayOf(new Date('2026-01-01T23:00:00Z')))";
  const said = (TZ: string) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', code], {
      env: { ...process.env, TZ },
      encoding: 'utf8',
    });
  assert.equal(said('Asia/Tokyo').trim(), '2026-01-02');
  assert.equal(said('America/New_York').trim(), '2026-01-01');
});
