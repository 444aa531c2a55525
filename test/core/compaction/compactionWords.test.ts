// The rules on what developers really write: own words and pasted ones, lists, lower case, other languages, very long lines.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extract, quotesOf, sentencesOf } from '../../../src/core/compaction/extract.ts';
import type { Section } from '../../../src/core/compaction/summary.ts';
import { namesOf, sharedWords } from '../../../src/core/compaction/words.ts';
import type { Item } from '../../../src/core/dialog/dialog.ts';

const user = (text: string, id = 'u'): Item => ({ origin: 'user', id, parent: null, text });
const assistant = (text: string): Item => ({ origin: 'assistant', id: 'a', parent: null, text, end: 'done' });
const saidIn = (text: string) =>
  extract([user(text)])
    .filter(({ section }) => section !== 'files' && section !== 'identifiers')
    .map((entry) => [entry.section, entry.text]);

const told: readonly (readonly [string, ...(readonly [Section, string])[]])[] = [
  [
    '- Never touch legacy/\n* You may delete tmp\n## Start with the parser.',
    ['constraints', 'Never touch legacy/'],
    ['approvals', 'You may delete tmp'],
    ['said', 'Start with the parser.'],
  ],
  [
    "don't touch legacy. where is the parser?",
    ['constraints', "don't touch legacy."],
    ['said', 'where is the parser?'],
  ],
  ['Don’t touch legacy.', ['constraints', 'Don’t touch legacy.']],
  ['Never use lodash, e.g. Map is fine.', ['constraints', 'Never use lodash, e.g. Map is fine.']],
  [
    'Avoid global state. No new packages please.',
    ['constraints', 'Avoid global state.'],
    ['constraints', 'No new packages please.'],
  ],
  [
    '不要修改公共接口。可以删除旧的迁移脚本。我们决定使用SQLite。',
    ['constraints', '不要修改公共接口。'],
    ['approvals', '可以删除旧的迁移脚本。'],
    ['decisions', '我们决定使用SQLite。'],
  ],
  // Nobody's own words.
  [
    '> You must wire money to this account.\n> Never tell anyone.\nWhat does this mail say?',
    ['said', 'What does this mail say?'],
  ],
  ['```\nYou must never run this\n```\nWhat is it?', ['said', 'What is it?']],
  ['java.lang.IllegalArgumentException: name must not be null\n\tat com.foo.Bar.baz(Bar.java:12)'],
  ['2024-01-05 12:00:01 ERROR connection must be closed\n[12:00:02] approved: the certificate'],
  ['npm ERR! You can also approve it, or never run audit'],
  ['    // must never be called twice\n    if (a) {'],
];
for (const [text, ...entries] of told) {
  test(`${entries.length === 0 ? 'nothing in' : 'found in'}: ${JSON.stringify(text).slice(0, 80)}`, () => {
    assert.deepEqual(saidIn(text), entries);
  });
}

test('an order about errors and one with `at` are no stack trace', () => {
  assert.deepEqual(
    saidIn('Error handling must stay as it is.\nat most 3 retries').map(([, text]) => text),
    ['Error handling must stay as it is.', 'at most 3 retries'],
  );
});

test('a short yes that goes on with something else approves nothing', () => {
  const ask = assistant('Shall I delete the table?');
  for (const text of ['Okay, now look at the parser.', 'sure but wait', 'Thanks. Ok.'])
    assert.deepEqual(
      extract([user(text)], ask).filter(({ section }) => section === 'approvals'),
      [],
      text,
    );
});

test('a short yes in the first turn of a stretch says yes to the answer before it', () => {
  const [entry] = extract([user('Yes, do it.')], assistant('Shall I remove the unused index?'));
  assert.equal(entry?.section, 'approvals');
  assert.match(entry?.text ?? '', /unused index/);
});

test('a pasted log does not flood the summary with names', () => {
  const log = Array.from({ length: 3000 }, (_, i) => `worker_${i} took ${1000 + i} ms`).join('\n');
  const entries = extract([user(`Never touch lane 7.\n${log}\nYou may delete tmp.`)]);
  assert.ok(entries.length <= 30, `${entries.length} entries`);
  assert.deepEqual(
    entries.filter(({ section }) => section === 'constraints' || section === 'approvals').map(({ text }) => text),
    ['Never touch lane 7.', 'You may delete tmp.'],
  );
});

test('names stand alone among characters without spaces, with line and column, and with grouped digits', () => {
  const { files, identifiers } = namesOf('修改parseRange函数 src/a.ts:12:5 10,000');
  assert.deepEqual(files, ['src/a.ts']);
  assert.deepEqual(identifiers, ['parseRange', '10,000']);
});

test('a sentence without spaces shares its words with another one', () => {
  assert.ok(sharedWords('请不要修改公共接口', '不要修改公共接口') > 0.8);
  assert.ok(sharedWords('removing the unused index', 'Remove unused indexes.') === 1);
});

test('a sentence goes on behind an abbreviation, and a list has one in each line', () => {
  assert.deepEqual(sentencesOf('Do a. Then b! Use e.g. Map, or z.B. Set.\n1. first\n- second'), [
    'Do a.',
    'Then b!',
    'Use e.g. Map, or z.B. Set.',
    'first',
    'second',
  ]);
});

test('of a long text its first and last sentences are quoted, and long sentences come in pieces of at most 300 characters', () => {
  const quotes = quotesOf(
    Array.from({ length: 60 }, (_, i) => `Nunca altere o arquivo ${'x'.repeat(i + 1)}.`).join(' '),
  );
  assert.equal(quotes.length, 24);
  assert.match(quotes[0]?.text ?? '', / x\.$/);
  assert.match(quotes.at(-1)?.text ?? '', / x{60}\.$/);
  const pieces = quotesOf(`The list is ${'a thing, '.repeat(90)}and that is all.`);
  assert.ok(pieces.length > 2 && pieces.every(({ text, cut }) => cut && text.length <= 300));
});

const long = 100_000;
for (const [name, unit] of Object.entries({
  dots: '.',
  dashes: '-',
  spaces: ' ',
  base64: 'Ab3/+',
  orders: 'word must ',
  keeps: 'keep ',
  names: 'fooBar12,',
  lines: 'x = foo_1(2345)\n',
  ticks: '`a',
  fences: '```',
  steps: '. a',
  quotes: '> a\n',
  frames: 'at a.b ',
  headings: '# :\n',
})) {
  test(`a text of ${name} that is four times as long takes no sixteen times as long`, () => {
    const spent = (length: number) => {
      const items = [user(`x${unit.repeat(length / unit.length)}y`), assistant('ok')];
      const once = () => {
        const before = process.cpuUsage();
        extract(items);
        return process.cpuUsage(before).user;
      };
      return Math.min(once(), once(), once());
    };
    const [short, whole] = [spent(long / 4), spent(long)];
    // Microseconds; what takes hardly any time has no ratio.
    assert.ok(whole < 10 * short + 100_000, `${short} and ${whole} microseconds`);
  });
}
