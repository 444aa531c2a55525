// Tests how little is found where a message says itself what it is about: around lines that the user gave, or a name that the folder declares.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passageText } from '../../src/core/prompt/found.ts';
import type { Query } from '../../src/finding/finder.ts';
import { pathsOf, placesOf, scene } from './scene.ts';

const body = (name: string, text: string) => `export function ${name}(value) {\n  ${text}\n}\n`;
const files = {
  'lib/option.js': [
    '/** Turns dashes into humps. */',
    'function camelcase(str) {',
    "  return str.split('-').reduce((one, word) => one + upperFirst(word));",
    '}',
    '',
    'function negatedName(option) {',
    "  return option.name().replace(/^no-/, '');",
    '}',
  ].join('\n'),
  'lib/text.js': body('upperFirst', 'return value[0].toUpperCase() + value.slice(1);'),
  'lib/split.js': body('splitWords', "return value.split('-');"),
  'lib/name.js': body('optionName', "return value.option.name + ' splits dashes and words';"),
  'lib/limit.js': 'export const mostOptions = 9;\n',
  'one/toText.js': body('toText', "return 'one';"),
  'two/toText.js': body('toText', "return 'two';"),
  'three/toText.js': body('toText', "return 'three';"),
  'four/toText.js': body('toText', "return 'four';"),
};
const message = (more: Partial<NonNullable<Query['message']>> = {}): Partial<Query> => ({
  message: { given: [], edits: false, ...more },
});
const selected = message({ given: [{ path: 'lib/option.js', from: 2, to: 4 }] });

test('beside lines that the user gave stands what they call, and little of their file; nothing of the rest', async (context) => {
  const { find } = await scene(context, files);
  const found = await find('What does this do? Give one example.', selected);
  assert.deepEqual(pathsOf(found), ['lib/text.js']);
  assert.match(found.passages[0]?.why ?? '', /upperFirst, which is called there/);
  assert.deepEqual([found.most, found.weak], [300, '']);
  const other = await find('How are dashes of an option split?', selected);
  assert.deepEqual(new Set(pathsOf(other)), new Set(['lib/option.js', 'lib/text.js']));
  const all = await find('How are dashes of an option split?', message());
  assert.ok(pathsOf(all).includes('lib/name.js') && all.most === undefined, `${pathsOf(all)}`);
});

test('a name as code writes it, declared in the folder, is what a message is about', async (context) => {
  const { find } = await scene(context, files);
  const found = await find('What does splitWords do with dashes of an option?', message());
  assert.deepEqual(pathsOf(found), ['lib/split.js']);
  assert.ok((found.most ?? 0) > 300 && (found.most ?? 0) < 330, 'the function itself, and 300 beside it');
  const plain = await find('In lib/option.js make camelcase also split at underscores', message());
  assert.match(placesOf(plain)[0] ?? '', /^lib\/option\.js:/);
  assert.deepEqual(new Set(pathsOf(plain)), new Set(['lib/option.js', 'lib/text.js']));
  assert.equal(plain.weak, '', 'what is new is in no file yet');
});

test('a name that many files declare, one that is asked for elsewhere, and a plain word are none', async (context) => {
  const { find } = await scene(context, files);
  for (const text of [
    'What does toText do?',
    'Where is splitWords used?',
    'How does camelcase split?',
    'What is mostOptions?',
  ])
    assert.equal((await find(text, message())).most, undefined, text);
  assert.equal((await find('What does splitWords do?')).most, undefined, 'what a tool asks is no message');
});

test('each file that a change names brings its best part before another brings its second', async (context) => {
  const parts = (name: string) =>
    Array.from(
      { length: 30 },
      (_, at) =>
        `## Option ${at} of ${name}\n\nDescribe the option trim: words that the option trim adds are described in guide.md.\n`,
    );
  const { find } = await scene(context, {
    'guide.md': `# Guide\n\n${parts('trim').join('\n')}`,
    'lib/trim.js': `${Array.from({ length: 120 }, (_, at) => `export const limit${at} = ${at};`).join('\n')}\nexport const other = limit1;\n`,
  });
  const found = await find(
    'In lib/trim.js add the option trim, and describe the option in guide.md',
    message({ edits: true }),
  );
  const first = found.passages.slice(0, 2).map(({ path }) => path);
  assert.deepEqual(new Set(first), new Set(['guide.md', 'lib/trim.js']));
});

test('files that a change names are looked at alone, whatever it names besides, and with as much as there is room for', async (context) => {
  const { find } = await scene(context, files);
  const found = await find('In lib/option.js let camelcase call splitWords', message({ edits: true }));
  assert.deepEqual([placesOf(found), found.most], [['lib/option.js:1-8'], undefined]);
  assert.match(passageText(found.passages[0] ?? assert.fail()), /negatedName/);
});
