// A message points at things, and that decides where is looked: at nothing beside a selection, at what else the message names, at nothing more behind an answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Query } from '../../src/finding/finder.ts';
import { pathsOf, scene } from './scene.ts';

const body = (name: string, text: string) => `export function ${name}(value) {\n  ${text}\n}\n`;
const other = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [`other/part${at}.js`, body(`part${at}`, `return value + ${at};`)]),
);
const files = {
  ...other,
  'lib/option.js':
    "function camelcase(str) {\n  return str.split('-').reduce(upperFirst);\n}\n\nfunction negated(str) {}\n",
  'lib/text.js': body('upperFirst', 'return value[0].toUpperCase();'),
  'lib/split.js': body('splitWords', "return value.split('-');"),
};
const about = (more: Partial<NonNullable<Query['message']>>): Partial<Query> => ({
  message: { pointed: [], standing: [], edits: false, files: [], ...more },
});
const lines = [{ path: 'lib/option.js', from: 1, to: 3 }];

test('beside lines that the user put there nothing is looked for, whatever the words are', async (context) => {
  const { find } = await scene(context, files);
  for (const text of [
    'What does this do?',
    'Split dashes and words here, too',
    'Was macht das?',
    '为什么 camelcase 要这样写?',
  ])
    assert.deepEqual(pathsOf(await find(text, about({ pointed: lines }))), [], text);
});

test('what the message names besides is found: a file, or a name as code writes it that the lines lack', async (context) => {
  const { find } = await scene(context, files);
  const found = async (text: string) => new Set(pathsOf(await find(text, about({ pointed: lines }))));
  assert.deepEqual(await found('Why not use splitWords here?'), new Set(['lib/split.js']));
  assert.deepEqual(await found('Is this like lib/text.js?'), new Set(['lib/text.js']));
  assert.deepEqual(await found('What does upperFirst do there?'), new Set(), 'the lines have it');
});

test('a follow-up that has no telling word which the passages of before lack looks for nothing', async (context) => {
  const { find } = await scene(context, files);
  const found = async (text: string) => pathsOf(await find(text, about({ standing: lines })));
  for (const text of [
    'In which line?',
    'In welcher Funktion genau?',
    'And what does camelcase return then?',
    'Show me.',
    'And where is that split?',
  ])
    assert.deepEqual(await found(text), [], text);
  assert.ok((await found('And where are words split into pieces?')).length > 0);
  assert.ok((await found('And lib/text.js?')).includes('lib/text.js'));
});

test('in a mode that changes files those that the message names are looked at alone, pointed at or not', async (context) => {
  const { find } = await scene(context, files);
  const found = await find('In lib/split.js split at dots too', about({ edits: true, pointed: lines }));
  assert.deepEqual(pathsOf(found), ['lib/split.js']);
});
