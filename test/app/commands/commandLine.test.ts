// How a typed line is read: which are commands, what stands behind them, and what is said of what cannot be understood.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Command,
  format,
  helpOf,
  lineOf,
  numberOf,
  readCommand,
  rowsOn,
  wordsLeft,
} from '../../../src/app/ports/commandLine.ts';

const row = rowsOn<null, null>((context, act) => act(context));
const say = (...values: readonly unknown[]) => ({ title: '', text: JSON.stringify(values.slice(1)) });
const number = numberOf('a shell', '/shore');
const look = { detail: '', icon: '' };
const table: readonly Command<null>[] = [
  {
    ...{ ...look, name: 'shore', former: 'beach', title: 'Shore' },
    rows: [
      row('', [], 'what lies there', say),
      row('edit', [number, wordsLeft('its new text')], 'change one,', say),
      row('drop', [number], 'throw one away', say, { former: 'throw', needsModel: true }),
      row('name', [number, lineOf('TITLE')], 'name one', say),
      row('show', [number, format], '', say),
      row('log', [], 'what was done', say),
    ],
  },
  { ...look, name: 'seek', title: 'Seek', rows: [row('', [wordsLeft('words', 'WORDS')], 'find', say)] },
  { ...look, name: 'tide', title: 'Tide', rows: [row('', [], '', say)] },
  { ...look, name: 'prompt', title: '', rows: [] },
];

/** The values that a line gives, or what is said of it. */
function reading(line: string): unknown {
  const read = readCommand(table, line);
  if (read === null || 'told' in read) return read?.told.text ?? null;
  const answer = read.run(null);
  return 'text' in answer ? JSON.parse(answer.text) : assert.fail(line);
}

test('a line is a command where its first word is one, and no prompt', () => {
  for (const line of ['', '/', 'shore', ' see /shore', '/shores', '/shore/log', '/Shore', 'x\n/shore', '/prompt a'])
    assert.equal(readCommand(table, line), null, line);
  for (const line of ['/shore', ' /shore ', '/beach', '/tide', '/tide and so on']) assert.deepEqual(reading(line), []);
});

test('each argument takes a word, and the last all that is left', () => {
  assert.deepEqual(reading('/shore edit 2 a  b'), [2, 'a  b']);
  assert.deepEqual(reading('/shore\n edit  #12\na\nb '), [12, 'a\nb']);
  assert.deepEqual(reading('/shore name 1 **a**\n b'), [1, '**a** b']);
  assert.deepEqual(reading('/shore name 1'), [1, '']);
  assert.deepEqual(reading('/shore throw 3'), [3]);
  assert.deepEqual(reading('/shore show 3'), [3, 'markdown']);
  assert.deepEqual(reading('/shore show 3 json'), [3, 'json']);
  assert.deepEqual(reading('/seek help me'), ['help me']);
});

test('a number that is none names nothing, and neither do two', () => {
  for (const given of ['', '#', '-1', '1.5', '1e1', '0x1', 'one', '##1', '٣', '1 2', 'all'])
    assert.equal(reading(`/shore drop ${given}`), '`/shore drop` needs the number of a shell; `/shore` shows them.');
});

test('what is not understood is said from the row, and the help lists the rows', () => {
  assert.equal(
    reading('/shore edit'),
    '`/shore edit` needs the number of a shell and its new text; `/shore` shows them.',
  );
  assert.equal(reading('/shore edit 2'), reading('/shore edit'));
  assert.match(`${reading('/shore show 1 pdf')}`, /a shell and `json` or `markdown`; /);
  assert.equal(reading('/seek'), '`/seek` needs words.');
  const help = helpOf(table, 'Shore');
  assert.equal(reading('/shore help'), help);
  assert.equal(reading('/shore is *it*?'), `There is no \`/shore is\`.\n\n${help}`);
  assert.deepEqual(help.split('\n'), [
    '- `/shore` what lies there',
    '- `/shore edit N TEXT` change one, `drop N` throw one away',
    '- `/shore name N TITLE` name one',
    '- `/shore show N json`, `show N markdown`, `log` what was done',
  ]);
});
