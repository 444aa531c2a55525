import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockNote } from '../../../src/core/agent/editing.ts';
import { blocksIn } from '../../../src/core/answer/readAnswer.ts';
import { editsOf } from '../../../src/edits/blocks/readBlocks.ts';

const found = (path: string, body = '') =>
  [{ head: `Found: ${path}:1-9`, body, found: { path } }] as unknown as Parameters<typeof blockNote>[1];

test('for a document the note shows a block that replaces a line, as the reader of answers reads it', () => {
  for (const path of ['README.md', 'docs/a b.mdx', 'notes.markdown'])
    assert.deepEqual(blocksIn(blockNote('Change it.', found(path))).flatMap(editsOf), [
      { path, is: 'hunks', hunks: [{ old: 'the line as it is\n', new: 'the line as it will be\n', line: null }] },
    ]);
});

test('for code the note asks for the whole function, in a block that begins with the file that was found', () => {
  assert.match(blockNote('Change it.', found('src/a.ts')), /the whole changed function .*```ts src\/a\.ts$/);
  assert.match(blockNote('Change it.', []), /``` path\/of\/the\/file$/);
});

test('the note is about the file that the message names first, whatever was found before it', () => {
  const beside = [...found('README.md'), ...found('lib/index.js'), ...found('lib/other.js')];
  assert.match(blockNote('Rename plural to many in index.js and in README.md.', beside), /```js lib\/index\.js$/);
  assert.match(blockNote('Rename plural in other.js.', beside), /```js lib\/other\.js$/);
});

test('the note names the file that was attached, and no terminal', () => {
  const attached = [
    { head: 'terminal (3 lines)', body: '' },
    { head: 'src/a.ts (lines 3-9)', body: '' },
  ];
  assert.match(blockNote('Make it shorter.', attached), /```ts src\/a\.ts$/);
});

const named = (message: string, path: string, ...lines: readonly string[]) =>
  /^The line that changes seems to be:\n(.*)\n/.exec(blockNote(message, found(path, lines.join('\n'))))?.[1] ?? null;

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
    /\n=======\n(?!the line as it will be)(.*)\n/.exec(blockNote(message, found(path, shown.join('\n'))))?.[1] ?? null;
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
    assert.match(blockNote('Set the version to 2.', found(path, '"version": 1')), /<<<<<<< SEARCH/, path);
});

test('a request for a new file is given that file, whatever was found beside', () => {
  const readme = found('README.md');
  for (const message of [
    'Create a new file examples/hello/hi.js that prints hello',
    'please add a file called examples/hello/hi.js with a greeting',
    'Write a small script examples/hello/hi.js.',
  ])
    assert.match(
      blockNote(message, readme),
      /^Write the whole new file in a code block that begins with ```js examples\/hello\/hi\.js$/,
    );
  for (const message of ['Add a line to the file README.md', 'Create a section about files', 'Make the title shorter'])
    assert.match(blockNote(message, readme), /```md README\.md/, message);
});

test('a message that asks to run something asks for a command, in a form that has it where the message says it', () => {
  for (const [message, command] of [
    ['Run the tests.', 'test'],
    ['run all unit tests and fix what fails', 'test'],
    ['Please build the project.', 'build'],
    ['Run the check of this project.', 'check'],
    ['Could you execute it?', 'the command'],
    ['Run sleep 60', 'sleep 60'],
    ['run gofmt -w .', 'gofmt -w .'],
    ['Run gofmt -w .', 'gofmt -w .'],
    ['Please run ./scripts/go.sh --all.', './scripts/go.sh --all'],
    ['Run `ls -1 src | wc -l`.', 'ls -1 src | wc -l'],
    ['How many lines has data.csv? Use wc -l.', 'wc -l'],
    ['What does the message of the last commit say? Use git log.', 'git log'],
    ['Which version of Node is installed? Run `node --version`.', 'node --version'],
  ] as const)
    assert.deepEqual(/```sh\n(.*)\n```$/.exec(blockNote(message, []))?.[1], command, message);
  for (const message of [
    'Fix range in src/it.js, then run the tests.',
    'Rename run to start in src/a.ts.',
    'Use tabs in src/a.ts.',
    'Add a test for parseDuration.',
    'Make the tests in test/a.ts shorter.',
    'Change the build date in README.md to "today".',
    'The running total is wrong in src/a.ts.',
    'Run in src/a.ts is spelled wrong.',
    'build.rs: add -Wno-unused-function',
    'README.md: benchmark with npm run benchmark',
    'In publish.yml use node-version 20 instead of 14.',
    'docs/vue.md: use pnpm',
    'Contributors must run the tests with coverage: replace "yarn test" by "yarn test --coverage" in CONTRIBUTING.md.',
  ])
    assert.match(blockNote(message, []), /^Write /, message);
});

test('a question that wants no change asks for no block', () => {
  for (const message of ['Do the tests pass?', 'What does that mean?', 'So, why does it fail?', 'Which line is it?'])
    assert.equal(blockNote(message, found('src/a.ts')), '', message);
  for (const message of [
    'Why does it fail? Fix it.',
    'Is it wrong? Then change it.',
    'What about making it faster? Make it so.',
  ])
    assert.notEqual(blockNote(message, found('src/a.ts')), '', message);
});
