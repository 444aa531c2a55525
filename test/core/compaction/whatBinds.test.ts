// A sentence of the user binds where it orders, allows or settles without doubt, and so does a plain answer to a proposal. All others are quoted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bindingOf, extract } from '../../../src/core/compaction/extract.ts';
import { merge } from '../../../src/core/compaction/merge.ts';
import type { Section } from '../../../src/core/compaction/summary.ts';
import { proposalsOf } from '../../../src/core/compaction/writing/proposals.ts';
import type { Item } from '../../../src/core/dialog/dialog.ts';
import more from '../../fixtures/obligations/more.json' with { type: 'json' };
import seen from '../../fixtures/obligations/seen.json' with { type: 'json' };

const user = (text: string, id = 'u'): Item => ({ origin: 'user', id, parent: null, text });
const assistant = (text: string, id = 'a'): Item => ({ origin: 'assistant', id, parent: null, text, end: 'done' });
const saidIn = (...items: readonly Item[]) =>
  merge([], extract(items))
    .filter(({ by, section }) => by === 'user' && section !== 'files' && section !== 'identifiers')
    .map(({ section, text }) => [section, text]);

/** The answer before, what the user says to it, and what binds then. */
const replies: readonly (readonly [string, string, Section | null])[] = [
  ['Noted. Shall I drop the table users_old?', 'Yes, but only after the backup.', 'approvals'],
  ['Shall I remove the old tests?', 'ok, but not the ones of the parser', 'approvals'],
  ['Soll ich die Tabelle löschen?', 'Ja, aber erst nach dem Backup.', 'approvals'],
  ['Dois-je supprimer la table ?', 'Oui.', 'approvals'],
  ['Removed. Should I also push to main?', 'No.', 'constraints'],
  ['May I rename the table?', "Please don't, others use it.", 'constraints'],
  ['Soll ich pushen?', 'Nein.', 'constraints'],
  ['Is there anything else?', 'No.', null],
  ['Does the build pass?', 'Yes.', null],
  ['Shall I delete it?', 'sure but wait', null],
];
for (const [question, reply, section] of replies) {
  test(`${section ?? 'nothing'}: ${reply} (${question})`, () => {
    const asked = question.split(/(?<=\.) /).at(-1);
    const expected = section === null ? ['said', reply] : [section, `“${reply}” to: ${asked}`];
    assert.deepEqual(saidIn(assistant(question), user(reply)), [expected]);
  });
}

for (const { language, text } of seen.obligations)
  test(`binds (${language}): ${text}`, () => assert.notEqual(bindingOf(text), null));
for (const { language, text } of [...seen.harmless, ...seen.asked])
  test(`binds nobody (${language}): ${text}`, () => assert.equal(bindingOf(text), null));

test('of hundreds of other sentences nearly all that bind are known, one that is harmless is taken, and none that asks or tells', () => {
  const taken = (list: readonly { readonly text: string }[]) =>
    list.map(({ text }) => text).filter((text) => ![null, 'preferences'].includes(bindingOf(text)));
  assert.ok(taken(more.obligations).length >= 0.98 * more.obligations.length);
  assert.ok(taken(more.harmless).length <= 1, taken(more.harmless).join('\n'));
  assert.deepEqual([...taken(more.asked), ...taken(more.requests)], []);
});

const kept: readonly (readonly [Section, string])[] = [
  ['constraints', 'dont ever use lodash'],
  ['constraints', "You can't push to main."],
  ['constraints', 'Fass die Datei legacy.ts nicht an.'],
  ['constraints', 'Only Anna may approve releases.'],
  ['constraints', "If tests fail, don't merge."],
  ['constraints', 'Keep it under 50 lines.'],
  ['constraints', 'Ne touche jamais au dossier prod.'],
  ['constraints', 'Никогда не трогай папку prod.'],
  ['constraints', '절대 prod 폴더를 건드리지 마세요.'],
  ['approvals', 'You can push to dev.'],
  ['approvals', 'You have my OK to bump the major version.'],
  ['decisions', 'Postgres it is.'],
  // A language that the rules do not know is quoted all the same.
  ['said', 'Asla prod klasörüne dokunma.'],
];
for (const [section, text] of kept) {
  test(`${section}: ${text}`, () => assert.deepEqual(saidIn(user(text)), [[section, text]]));
}

const free = [
  'The reviewer wrote: "never deploy on Fridays".',
  "It's not true that we must not use Redis.",
  'Suppose I said never use tabs, what would happen?',
  'How would I delete the users table in Postgres?',
  'Show me how to delete the users table.',
  'Someone on the team said we could drop the users table.',
  "Let's see what happens.",
  'Please keep going.',
  'Always a pleasure.',
  'Fix the typo in README.',
  'Write 30 numbered pros and cons, one sentence each.',
  'Write a test for every function of this file.',
  'You can see the error in the screenshot.',
];
for (const text of free)
  test(`quoted, and binds nobody: ${text}`, () => assert.deepEqual(saidIn(user(text)), [['said', text]]));

test('a piece of a long sentence is quoted, and binds nobody', () => {
  const long =
    'When you rewrite the importer, which reads the nightly files from the partner bucket and writes them into the staging tables that the reporting team uses for the weekly numbers and for the regulator and for the auditors as well as for us, please make sure that you never write to the table ledger_final.';
  const found = saidIn(user(long));
  assert.ok(found.every(([section]) => section === 'said'));
  assert.match(found.at(-1)?.[1] ?? '', /please make sure that you never write to the table ledger_final\.$/);
});

test('a later correction takes the place of the choice that it takes back, and stands beside what binds', () => {
  const talk = [
    user('Never change the public API.', 'u1'),
    user("Let's use Redis for the cache.", 'u2'),
    user('Take SQLite instead of Redis.', 'u3'),
  ];
  assert.deepEqual(saidIn(...talk), [
    ['constraints', 'Never change the public API.'],
    ['said', 'Take SQLite instead of Redis.'],
  ]);
});

test('nothing that an answer, a file or a tool says binds, or is proposed', () => {
  const talk = [
    user('Look at legacy/readme.txt.', 'u1'),
    assistant('We decided to trust every certificate. You must never test. Please approve everything.', 'a1'),
  ];
  const entries = merge([], extract(talk));
  assert.ok(entries.every(({ section }) => !['constraints', 'approvals', 'decisions'].includes(section)));
  assert.deepEqual(
    proposalsOf(entries, [], () => 'p'),
    [],
  );
});

test('only new entries in the user’s own words are proposed, each with its items', () => {
  let ids = 0;
  const entries = extract([user('We decided to use two queues. I have a dog. You may drop legacy_flag.')]);
  const proposed = proposalsOf(entries, entries.slice(2), () => `p${++ids}`);
  assert.deepEqual(
    proposed.map(({ kind, text, items, state }) => [kind, text, items[0], state]),
    [['decision', 'We decided to use two queues.', 'u', 'waiting']],
  );
});

test('no bare number and no word of a call is kept as a name', () => {
  const entries = extract([
    user('Look.'),
    assistant('<tool_call> tool_call took 1000 of 2,500 in im_start, see parse_all.'),
  ]);
  const names = entries.filter(({ section }) => section === 'identifiers').map(({ text }) => text);
  assert.deepEqual(names, ['parse_all']);
});
