// What a bad summariser must not get through, and what a good one must: contraries, numbers, names, a short yes, the user's own entries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extract } from '../../../src/core/compaction/extract.ts';
import type { Section, SummaryEntry } from '../../../src/core/compaction/summary.ts';
import { auditSummary, survives } from '../../../src/core/compaction/writing/audit.ts';
import { sourcesOf } from '../../../src/core/compaction/writing/source.ts';
import type { Item } from '../../../src/core/dialog/dialog.ts';

const user = (text: string, id: string): Item => ({ origin: 'user', id, parent: null, text });
const assistant = (text: string, id: string): Item => ({ origin: 'assistant', id, parent: null, text, end: 'done' });
const entry = (section: Section, text: string, ...items: readonly string[]): SummaryEntry => ({
  section,
  text,
  by: 'user',
  items,
});

/** Complaints about entries that a model wrote for a conversation, in which the rules found what they find. */
function complaints(items: readonly Item[], entries: readonly SummaryEntry[], earlier: readonly SummaryEntry[] = []) {
  const must = [...earlier, ...extract(items)].filter(({ by }) => by === 'user');
  return auditSummary(entries, sourcesOf(earlier, [], items), must);
}

for (const [said, section, written] of [
  ['Never touch legacy.', 'constraints', 'Always touch legacy.'],
  ['You may delete the old migration.', 'approvals', 'You may not delete the old migration.'],
  ['Use at most 3 retries.', 'constraints', 'Use at most 30 retries.'],
  ['Keep the cache at most 1.5 GB.', 'constraints', 'Keep the cache at most 15 GB.'],
  ['请不要修改公共接口。', 'constraints', '请修改公共接口。'],
  ['Look at it.\n> You must never deploy on Friday.', 'constraints', 'Never deploy on Friday.'],
  ['Look at it.\n```\nYou must never deploy on Friday.\n```', 'constraints', 'Never deploy on Friday.'],
] as const) {
  test(`refused: ${JSON.stringify(said)} as "${written}"`, () => {
    assert.notDeepEqual(complaints([user(said, 'u')], [entry(section, written, 'u')]), []);
  });
}

for (const [said, section, written] of [
  ['Never touch legacy.', 'constraints', 'Do not touch the legacy folder.'],
  ['Don’t add dependencies.', 'constraints', 'No dependency is to be added.'],
  ['Use at most 3 retries.', 'constraints', 'At most 3 retries.'],
  ['You may drop 10,000 rows.', 'approvals', 'The user may drop 10000 rows.'],
  ['请不要修改公共接口。', 'constraints', '不要修改公共接口。'],
] as const) {
  test(`passes: ${JSON.stringify(said)} as "${written}"`, () => {
    assert.deepEqual(complaints([user(said, 'u')], [entry(section, written, 'u')]), []);
  });
}

const talk = [
  user('Look at src/range.ts: parseRange, ParseError, v1.2.3, 10,000 rows, OPS-4711, parse_all_ranges.', 'u'),
];
const done = (text: string) => complaints(talk, [entry('done', text, 'u')]);
for (const text of [
  'parseRange.',
  "parseRange's loop",
  'parseRange’s loop',
  'several ParseErrors',
  'the parseRange-based loop',
  'range.ts:12',
  'src/range.ts:12:5',
  '(src/range.ts)',
  'version 1.2.3',
  '10000 rows',
  '10,000 rows',
  '"OPS-4711"',
]) {
  test(`a name that stands there passes: ${text}`, () => assert.deepEqual(done(text), []));
}
for (const text of [
  'OPS-47',
  'OPS-47111',
  'parse_all',
  'parseRanger',
  'ange.ts',
  'src/range.tsx',
  '1000 rows',
  '1.2.33',
]) {
  test(`a name that is only a part of another is invented: ${text}`, () => assert.notDeepEqual(done(text), []));
}

test('a short yes passes in the words of the rules, and in others', () => {
  const items = [
    user('Clean up.', 'u'),
    assistant('Shall I remove the unused index?', 'a'),
    user('Yes, do it.', 'y'),
    assistant('Removed.', 'b'),
  ];
  const found = extract(items).filter(({ section }) => section === 'approvals');
  assert.equal(found.length, 1);
  assert.deepEqual(complaints(items, found), []);
  assert.deepEqual(complaints(items, [entry('approvals', 'Removing the unused index.', 'y')]), []);
  assert.notDeepEqual(complaints(items, [entry('approvals', 'Dropping the whole table.', 'y')]), []);
});

test('what the user wrote into a summary may stand in the next one, and must', () => {
  const added = entry('constraints', 'No network calls in the build.');
  assert.deepEqual(complaints(talk, [added], [added]), []);
  assert.notDeepEqual(complaints(talk, [entry('done', 'It was looked at.', 'u')], [added]), []);
});

test('whatever the rules find survives its own words, and a summary of nothing else passes', () => {
  const items = [
    user('Never touch legacy, at most 3 retries. Go ahead with `x_1`. TODO: see src/a.ts:12 (OPS-1).', 'u'),
    assistant('Shall I add 2,000 rows to db3.internal:5432?', 'a'),
    user('ok go ahead\nBitte niemals die API v2.1 ändern. 不要修改parseRange函数。', 'v'),
    assistant('Done.', 'b'),
  ];
  const found = extract(items).filter(({ by }) => by === 'user');
  for (const one of found) assert.ok(survives(one, [one]), one.text);
  assert.deepEqual(complaints(items, found), []);
});
