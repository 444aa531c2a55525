// Tests ask and replay as child processes: exit codes and words for wrong arguments, traces and models, and an answer.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTrace } from '../../lab/bench/traces.ts';
import { nanoModel } from '../models/scenes/nano.ts';
import { command, folderWith, sample, type WrongModel, wrongModels } from './command.ts';

test('replay exits with 2, the line and the reason for a bad trace, before any model is loaded', async (t) => {
  const folder = folderWith(t, {
    'a.json': '[\n{"role": "user", "content": "x"},\n{"role": "robot"}\n]',
    'b.json': '[\n\nx]',
  });
  const run = (name: string) => command('replay', '--model', 'none.gguf', join(folder, name));
  const [a, b, missing] = await Promise.all([run('a.json'), run('b.json'), run('c.json')]);
  assert.deepEqual([a.code, b.code, missing.code], [2, 2, 2]);
  assert.match(a.err, /a\.json, line 3: role must be .*"robot"\n$/);
  assert.match(b.err, /b\.json, line 3: not JSON: Unexpected token/);
  assert.match(missing.err, /c\.json cannot be read: /);
  assert.deepEqual([a.out, b.out, missing.out], ['', '', '']);
});

test('wrong arguments exit with 2 and the usage', async () => {
  const wrong = await Promise.all([
    command('replay'),
    command('replay', '--context-size', '12', 'a.json'),
    command('replay', '--idle', 'some', 'a.json'),
    command('replay', '--nonsense', 'a.json'),
    command('ask', 'why?'),
    command('ask', '--workspace', sample),
    command('ask', '--workspace', sample, '--context-size', 'x', 'why?'),
  ]);
  for (const { code, out, err } of wrong) {
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /^usage: |\nusage: /);
  }
  const noFolder = await command('ask', '--workspace', join(sample, 'nowhere'), 'why?');
  assert.deepEqual([noFolder.code, noFolder.out], [2, '']);
  assert.match(noFolder.err, /nowhere is not a folder\n$/);
});

test('a model that cannot be loaded ends ask and replay with 1 and words', async (t) => {
  const path = join(
    folderWith(t, {
      'trace.json': JSON.stringify(createTrace({ turns: 1, callsPerTurn: 0, resultLines: 1, seed: 1 })),
    }),
    'trace.json',
  );
  const check = async ({ what, path: model, words }: WrongModel) => {
    const replayed = await command('replay', '--model', model, path);
    const asked = await command('ask', '--model', model, '--workspace', sample, 'why?');
    for (const { code, out, err } of [replayed, asked]) {
      assert.deepEqual([code, out], [1, ''], what);
      assert.match(err, words, what);
      assert.doesNotMatch(err, /\n\s+at /, what);
      assert.equal(err.trimEnd().split('\n').length, 1, `${what}: ${err}`);
    }
  };
  await Promise.all(wrongModels(t).map(check));
});

test('ask prints one JSON object with the answer, the steps and the report', async () => {
  const args = ['--model', nanoModel(), '--workspace', sample, '--context-size', '2048'];
  const { code, out, err } = await command('ask', ...args, '--json', 'Where is a duration read?');
  assert.equal(code, 0);
  assert.match(
    err,
    /^Settings, what the model was seen to do, memory and the work board are not known: --storage names/,
  );
  const said: unknown = JSON.parse(out);
  assert.ok(said !== null && typeof said === 'object' && 'report' in said && 'answer' in said && 'steps' in said);
  assert.deepEqual(Object.keys(said), ['answer', 'steps', 'changes', 'report']);
  assert.ok(typeof said.answer === 'string' && Array.isArray(said.steps));
  const { report } = said;
  assert.ok(
    report !== null && typeof report === 'object' && 'fault' in report && 'total' in report && 'layers' in report,
  );
  assert.equal(report.fault, null);
  assert.ok(Array.isArray(report.layers));
  assert.equal(
    report.layers.reduce((all: number, row: { tokens: number }) => all + row.tokens, 0),
    report.total,
  );
});

test('ask says which window it chose and why, and nothing of one that was set', async () => {
  const args = ['--model', nanoModel({ contextLength: 16_384 }), '--workspace', sample];
  const asked = await command('ask', ...args, 'Where is a duration read?');
  assert.match(asked.err, /^The window is (?:16,384|8,192) tokens: /m);
  const set = await command('ask', ...args, '--context-size', '2048', 'Where is a duration read?');
  assert.doesNotMatch(set.err, /The window/);
});

test('a question that cannot fit ends ask with 1 and the numbers', async () => {
  const args = ['--model', nanoModel(), '--workspace', sample, '--context-size', '512'];
  const { code, err } = await command('ask', ...args, 'tide '.repeat(3000));
  assert.equal(code, 1);
  assert.match(
    err,
    /\nThe prompt is too long: [\d,]+ tokens, but only 384 fit \(the window has 512, 128 are reserved for the reply\)\./,
  );
});

test('ask --fix runs the tests, tries changes, and leaves the files as they were where none helps', async (t) => {
  const wrong = 'export const sum = (a, b) => {\n  return a - b;\n};\n';
  const files = {
    'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    'sum.js': wrong,
    'sum.test.js':
      "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { sum } from './sum.js';\n\ntest('adds', () => assert.equal(sum(1, 2), 3));\n",
  };
  const folder = folderWith(t, files);
  const args = ['--model', nanoModel(), '--workspace', folder, '--context-size', '2048', '--fix', '--yes'];
  const { code, out, err } = await command('ask', ...args);
  assert.equal(code, 1, err);
  assert.match(out, /at most 8 changes are tried/);
  assert.match(out, /1 failure of 1 left: `adds`\. 8 changes were tried in \d+ s, 0 kept\./);
  assert.equal(readFileSync(join(folder, 'sum.js'), 'utf8'), wrong);
  writeFileSync(join(folder, 'sum.js'), wrong.replace('a - b', 'a + b'));
  const passing = await command('ask', ...args);
  assert.deepEqual([passing.code, /passes: there is nothing to fix/.test(passing.out)], [0, true]);
});

test('ask --fix goes without --json, and --yes with nothing that only asks', async () => {
  for (const flags of [
    ['--fix', '--json'],
    ['--yes', 'why?'],
  ]) {
    const { code, err } = await command('ask', '--workspace', sample, ...flags);
    assert.deepEqual([code, /^--(?:fix goes without --json|yes goes with --edit or --fix)/.test(err)], [2, true]);
  }
});
