import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockNote } from '../../../src/core/agent/editing.ts';
import { answerIntent, type Intent } from '../../../src/core/agent/intent.ts';
import { blocksIn } from '../../../src/core/answer/readAnswer.ts';
import { outputOf } from '../../../src/core/prompt/found.ts';
import { editsOf } from '../../../src/edits/blocks/readBlocks.ts';

type Beside = Parameters<typeof blockNote>[3];

const found = (path: string, body = '') => [{ head: `Found: ${path}:1-9`, body, found: { path } }] as unknown as Beside;

const noteFor = (message: string, beside: Beside, intent: Partial<Intent> = {}) =>
  blockNote('sh', message, { ...answerIntent, act: 'change', ...intent }, beside);

test('for a document the note shows a block that replaces a line, as the reader of answers reads it', () => {
  for (const path of ['README.md', 'docs/a b.mdx', 'notes.markdown'])
    assert.deepEqual(blocksIn(noteFor('Change it.', found(path))).flatMap(editsOf), [
      { path, is: 'hunks', hunks: [{ old: 'the line as it is\n', new: 'the line as it will be\n', line: null }] },
    ]);
});

test('for code the note asks for the whole function, in a block that begins with the file that was found', () => {
  assert.match(noteFor('Change it.', found('src/a.ts')), /the whole changed function .*```ts src\/a\.ts$/);
  assert.match(noteFor('Change it.', []), /``` path\/of\/the\/file$/);
});

test('beside a failing output the note asks first for what is wrong', () => {
  const ran = { head: 'The user ran a command. npm test exited with code 1.', body: '1 != 2', of: outputOf };
  const note = noteFor('Fix what fails.', [ran, ...found('src/a.ts')] as Beside);
  assert.match(note, /^Say in one sentence what is wrong\. Then write the whole changed function .*```ts src\/a\.ts$/);
});

test('the note is about the first file that the message is about, whatever was found before it', () => {
  const beside = [...found('README.md'), ...found('lib/index.js'), ...found('lib/other.js')];
  const files = ['lib/index.js', 'README.md'];
  assert.match(
    noteFor('Rename plural to many in index.js and in README.md.', beside, { files }),
    /```js lib\/index\.js$/,
  );
});

test('the note names the file that was attached, and no terminal', () => {
  const attached = [
    { head: 'terminal (3 lines)', body: '' },
    { head: 'src/a.ts (lines 3-9)', body: '' },
  ];
  assert.match(noteFor('Make it shorter.', attached), /```ts src\/a\.ts$/);
});

const named = (message: string, path: string, ...lines: readonly string[]) =>
  /^The line that changes seems to be:\n(.*)\n/.exec(noteFor(message, found(path, lines.join('\n'))))?.[1] ?? null;

test('of a document the note names the only line that the message quotes', () => {
  const lines = [
    '# Tides',
    '',
    '```sh',
    'npm install tides',
    '```',
    '',
    'Tested with `vitest`. See npm.',
    '| 7.x | yes |',
    'side_label: Tides',
  ];
  for (const [message, line] of [
    ['In README.md change "npm install tides" to "pnpm add tides".', 'npm install tides'],
    ['The tests use `jest` now, not `vitest`.', 'Tested with `vitest`. See npm.'],
    ['Version 7.x becomes 8.x.', '| 7.x | yes |'],
    ['Set side_label to Waves.', 'side_label: Tides'],
    ['Write \u201cnpm\u201d in capitals.', null],
    ['Change ```sh to ```bash.', null],
    ['Add a section about waves.', null],
  ] as const)
    assert.equal(named(message, 'README.md', ...lines), line, message);
});

test('of code the note names a line only where the message quotes what stands there and what shall stand there instead', () => {
  const lines = ['function open(url) {', '  throw new Error("not found");', '}'];
  for (const [message, line] of [
    ['In a.ts the text "not found" becomes "no such tide".', lines[1]],
    ['In a.ts `open` takes `options`.', null],
    ['In a.ts handle "not found".', null],
  ] as const)
    assert.equal(named(message, 'a.ts', ...lines), line, message);
});

test('where the message quotes both what stands there and what shall, the form has both lines in it', () => {
  const lines = [
    '$ npm test',
    'To run the tests you need [Node.js](x), or Node.',
    'The test is the test.',
    '## 1.9.0 (2024)',
  ];
  const becomes = (message: string, path = 'README.md', shown = lines) =>
    /\n=======\n(?!the line as it will be)(.*)\n/.exec(noteFor(message, found(path, shown.join('\n'))))?.[1] ?? null;
  for (const [message, line] of [
    ['The command is `npm run all`, not `npm test`.', '$ npm run all'],
    ['Change "To run the tests you need" to "For the tests install".', 'For the tests install [Node.js](x), or Node.'],
    ['Change "or Node" to "$& or $1".', 'To run the tests you need [Node.js](x), $& or $1.'],
    ['Change "the test" to "a test".', null],
    ['Change "npm test" to "npm run a" or "npm run b".', null],
    ['Fix "npm test".', null],
    ['In "To run the tests you need" it should be "texts".', 'To run the texts you need [Node.js](x), or Node.'],
    ['In "To run the tests you need" it should be "require".', null],
    ['The version 1.9.0 is 1.10.0 now.', '## 1.10.0 (2024)'],
    ['The version 1.9.0 takes 3 more.', null],
  ] as const)
    assert.equal(becomes(message), line, message);
  const ini = (message: string) => becomes(message, 'a.ini', ['timeout = 300', 'host = localhost:9876']);
  assert.equal(ini('Change "timeout" to "500".'), null);
  assert.equal(ini('Change "300" to "500".'), 'timeout = 500');
  assert.equal(ini('The host is localhost:8080, not localhost:9876.'), 'host = localhost:8080');
});

test('of a file that consists of lines the note asks for the line that changes', () => {
  for (const path of ['package.json', 'a.yml', 'Cargo.toml'])
    assert.match(noteFor('Set the version to 2.', found(path, '"version": 1')), /<<<<<<< SEARCH/, path);
});

test('a new file is asked for whole, by the path that the message gives, whatever was found beside', () => {
  assert.match(
    noteFor('Write a small script examples/hello/hi.js.', found('README.md'), {
      act: 'make',
      makes: 'examples/hello/hi.js',
    }),
    /^Write the whole new file in a code block that begins with ```js examples\/hello\/hi\.js$/,
  );
  assert.match(noteFor('Write a script.', [], { act: 'make' }), /begins with ``` path\/of\/the\/file$/);
});

test('a command is asked for in a form that has it where it is known', () => {
  const asked = (command: string) => /```sh\n(.*)\n```$/.exec(noteFor('Go on.', [], { act: 'run', command }))?.[1];
  assert.deepEqual([asked('npm run lint'), asked('')], ['npm run lint', 'the command']);
  assert.match(
    blockNote('powershell', 'Go on.', { ...answerIntent, act: 'run', command: 'ls' }, []),
    /```powershell\nls\n```$/,
  );
});

test('an answer takes no note, whatever stands beside it', () => {
  assert.equal(noteFor('Fix it.', found('src/a.ts'), { act: 'answer' }), '');
});
