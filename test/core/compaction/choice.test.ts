// A model may choose numbers of the user's sentences for a summary, and add a line that names nothing that the conversation does not hold.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { extract } from '../../../src/core/compaction/extract.ts';
import { shrink } from '../../../src/core/compaction/merge.ts';
import { stateText } from '../../../src/core/compaction/stateText.ts';
import { sourcesOf } from '../../../src/core/compaction/writing/source.ts';
import { auditLine, choiceGrammar, readChoice, withChoice } from '../../../src/core/compaction/writing/summarise.ts';
import type { Item } from '../../../src/core/dialog/dialog.ts';
import { cases } from '../../cases.ts';

const user = (text: string, id: string): Item => ({ origin: 'user', id, parent: null, text });
const assistant = (text: string, id: string): Item => ({ origin: 'assistant', id, parent: null, text, end: 'done' });
const sentences = Array.from({ length: 12 }, (_, i) => `I have looked at the harbour number ${'x'.repeat(i + 1)}.`);
const talk = sentences.flatMap((text, i) => [user(text, `u${i}`), assistant('Fine, then.', `a${i}`)]);
const entries = extract(talk);
const said = entries.filter(({ section }) => section === 'said');

test('what a model chooses goes last where there is no room, and its line takes the place of those by rules', () => {
  const chosen = withChoice(entries, said, { keep: [3, 5], done: 'The harbours were looked at.' });
  const left = shrink({ entries: chosen, left: 0 }, 260);
  const kept = left.entries.filter(({ section }) => section === 'said').map(({ text }) => text);
  assert.ok(kept.includes(sentences[2] ?? '') && kept.includes(sentences[4] ?? ''), kept.join('\n'));
  assert.ok(kept.length < sentences.length);
  const done = chosen.filter(({ section }) => section === 'done');
  assert.deepEqual(
    done.map(({ text, by, items }) => [text, by, ...items]),
    [['The harbours were looked at.', 'model', 'u0', 'a11']],
  );
  assert.match(stateText({ entries: chosen, left: 0 }), /Answered:\n- The harbours were looked at\./);
});

test('a choice takes no sentence away, and changes none', () => {
  const chosen = withChoice(entries, said, { keep: [12, 1], done: '' });
  const key = (list: typeof entries) => list.map(({ section, text, by }) => `${section} ${by} ${text}`).sort();
  assert.deepEqual(key(chosen), key(entries));
});

test('what only the assistant said is marked in the prompt', () => {
  const text = stateText({
    entries: [
      { section: 'constraints', text: 'Never test.', by: 'model', items: ['a'] },
      { section: 'constraints', text: 'Never touch lib.', by: 'user', items: ['u'] },
    ],
    left: 0,
  });
  assert.match(text, /- Never test\. \(said by the assistant, not by the user\)\n- Never touch lib\.$/);
});

for (const [name, text, complaint] of [
  ['words', 'Here is my choice:', /not whole JSON/],
  ['a list', '[]', /no JSON object/],
  ['half an object', '{"keep":[1', /not whole JSON/],
  ['no numbers', '{"keep":[],"done":"x"}', /keeps no sentence/],
  ['a sentence that is not there', '{"keep":[13],"done":""}', /there is no sentence 13/],
  ['no line', '{"keep":[1]}', /no JSON object with/],
] as const) {
  test(`${name}: refused in words`, () => {
    const read = readChoice(text, 12);
    assert.ok(typeof read === 'string');
    assert.match(read, complaint);
  });
}

test('whatever a model writes is read or refused, never thrown', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const read = readChoice(text, 12);
      assert.ok(typeof read === 'string' ? read !== '' : read.keep.every((number) => number >= 1 && number <= 12));
    }),
    { numRuns: cases(2000) },
  );
});

test('the grammar names exactly the sentences there are', () => {
  for (const count of [1, 2, 9, 10, 11, 19, 20, 99, 100, 101, 110, 200]) {
    const rule = /^number ::= (.*)$/m.exec(choiceGrammar(count))?.[1] ?? '';
    const form = new RegExp(`^(?:${rule.replace(/[" ]/g, '')})$`);
    for (let n = 0; n <= count + 1200; n++)
      assert.equal(form.test(String(n)), n >= 1 && n <= count, `${n} of ${count}`);
    assert.ok(!form.test('01'));
  }
});

const names = sourcesOf(
  [],
  [user('Look at src/range.ts: parseRange, ParseError, v1.2.3, 10,000 rows, OPS-4711, parse_all_ranges.', 'u')],
);
for (const line of [
  'parseRange.',
  "parseRange's loop",
  'several ParseErrors',
  'the parseRange-based loop',
  'range.ts:12',
  '(src/range.ts)',
  'version 1.2.3',
  '10000 rows',
  '"OPS-4711"',
])
  test(`a name that stands there passes: ${line}`, () => assert.deepEqual(auditLine(line, names), []));
for (const line of [
  'OPS-47',
  'OPS-47111',
  'parse_all',
  'parseRanger',
  'ange.ts',
  'src/range.tsx',
  '1000 rows',
  '1.2.33',
])
  test(`a name that is only a part of another is invented: ${line}`, () =>
    assert.match(auditLine(line, names).join(), /stands nowhere in the conversation/));
