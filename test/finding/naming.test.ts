// Commands that the words of a message spell out, by the programs that are there.
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { namedThings } from '../../src/finding/naming.ts';
import { makeFolder } from '../tools/sandbox.ts';
import { scene } from './scene.ts';

const tasks = [
  { name: 'test', command: 'npm run test' },
  { name: 'lint', command: 'npm run lint' },
];

test('a command is what the message spells out and a program begins', (t) => {
  const root = makeFolder(t, { '.venv/bin/python': '#!/bin/sh\n', 'bin/gen.sh': '#!/bin/sh\n', 'src/a.ts': '' });
  for (const name of ['.venv/bin/python', 'bin/gen.sh']) chmodSync(join(root, name), 0o755);
  for (const [text, command, isCommand] of [
    ['npm run lint', 'npm run lint', true],
    ['please npm run lint for me', 'npm run lint', false],
    ['run .venv/bin/python -m pytest -q tests/test_a.py', '.venv/bin/python -m pytest -q tests/test_a.py', false],
    ['Run `sh -c true` and say what it prints', 'sh -c true', false],
    ['`sh -c true`', 'sh -c true', true],
    ['npm test --silent', 'npm test --silent', true],
    ['npm test', 'npm test', true],
    ['run the tests with /bin/sh -c true', '/bin/sh -c true', false],
    ['./bin/gen.sh', './bin/gen.sh', true],
    ['bin/gen.sh prints twice; fix it', '', false],
    ['run sh -c true', 'sh -c true', false],
    ['test the -x of it', '', false],
    ['make it two', '', false],
    ['test the `parse` function', '', false],
    ['`no-such-program -x`', '', false],
    ['src/a.ts -- what is it', '', false],
  ] as const) {
    const named = namedThings(text, ['src/a.ts'], root, tasks);
    assert.deepEqual([named.command, named.isCommand], [command, isCommand], text);
  }
});

test('nothing runs a message whose files are all documents or data', (t) => {
  const root = makeFolder(t, { 'README.md': '', 'config.toml': '', 'src/a.ts': '', 'test/a.test.ts': '' });
  const files = ['README.md', 'config.toml', 'src/a.ts', 'test/a.test.ts'];
  for (const [text, expected] of [
    ['in README.md change "npm run test" to "npm test"', true],
    ['write the timeout of config.toml into README.md', true],
    ['run the tests', false],
    ['run test/a.test.ts', false],
    ['move the example of README.md to src/a.ts', false],
  ] as const)
    assert.equal(namedThings(text, files, root, tasks).mayRun, !expected, text);
});

test('commands of the other folders of the window come behind those of the first, as a terminal would run them', async (context) => {
  const script = (test: string) => JSON.stringify({ scripts: { test } });
  const { finder } = await scene(
    context,
    {
      'package.json': script('node --test'),
      '../api/package.json': script('vitest'),
      '../a b/package.json': script('x'),
    },
    { others: ['../api', '../a b'] },
  );
  assert.deepEqual(
    finder.named('run the tests').tasks.map(({ command }) => command),
    ['npm run test', 'cd api && npm run test'],
  );
});
