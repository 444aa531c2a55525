// Settings that there are no more: one with a successor is read as that, and none that a user still has passes unsaid.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import type { Removed } from '../../../src/settings/removed.ts';
import { projectRoot } from '../../harness/program.ts';
import { editorKeys, namesFile } from '../../settingFiles.ts';
import { editor } from '../fakeVscode.ts';

const { editorConfiguration, readSettings, sayRemoved } = await import('../../../src/host/settings/readSettings.ts');
const { formerValue, isOfMachine, removedSettings } = await import('../../../src/settings/removed.ts');

const words = () => 'see the guide';
const removals: Readonly<Record<string, Removed>> = {
  'old.target': { successor: 'generation.reserve', words },
  'old.path': { successor: 'model.path', words },
  'old.gone': { successor: null, words },
};

beforeEach(() => {
  Object.assign(editor, { isTrusted: true, settings: {}, foreign: {} });
  editor.warned.length = 0;
});

test('every setting that there ever was is there, or is said to be removed; none is both', () => {
  const names: readonly string[] = JSON.parse(readFileSync(join(projectRoot, namesFile), 'utf8'));
  assert.deepEqual(
    names.filter((name) => editorKeys.includes(name) === Object.hasOwn(removedSettings, name)),
    [],
  );
});

test('a setting is read by its former name, of a folder only where the folder may set it', () => {
  const both = () =>
    (['generation.reserve', 'model.path'] as const).map((key) => formerValue(editorConfiguration(), key, removals));
  assert.deepEqual(both(), [undefined, undefined]);
  editor.settings = { 'old.target': 0.5, 'old.path': '/mine.gguf' };
  assert.deepEqual(both(), [0.5, '/mine.gguf']);
  editor.foreign = { 'old.target': 0.6, 'old.path': '/evil.gguf' };
  assert.deepEqual(both(), [0.6, '/mine.gguf']);
  editor.isTrusted = false;
  assert.deepEqual(both(), [0.5, '/mine.gguf']);
  assert.deepEqual([isOfMachine('old.path', removals), isOfMachine('old.gone', removals)], [true, false]);
});

test('the new name goes before the former one, whoever says it, and the former one before the default', (t) => {
  const target = () => readSettings(assert.fail).chat.agent.policy.reserve;
  Object.assign(removedSettings, { 'old.target': removals['old.target'] });
  t.after(() => Reflect.deleteProperty(removedSettings, 'old.target'));
  editor.settings = { 'old.target': 512 };
  assert.equal(target(), 512);
  editor.foreign = { 'generation.reserve': 900 };
  assert.equal(target(), 900);
});

test('a setting that became a part of the advanced one is carried over, the part goes before it, and a wrong one is said', () => {
  const said: string[] = [];
  const settings = () => readSettings((words) => said.push(words));
  const { pruneAt, keepRecentToolResults } = settings().chat.agent.policy;
  editor.settings = { 'context.pruneAt': 0.3, 'cache.persist': false };
  assert.equal(settings().chat.agent.policy.pruneAt, 0.3);
  assert.equal(settings().chat.snapshotBytes, 0);
  editor.settings = { 'context.pruneAt': 0.3, advanced: { pruneAt: 0.4, keepRecentToolResults: -1, other: 1 } };
  assert.equal(settings().chat.agent.policy.pruneAt, 0.4);
  assert.equal(settings().chat.agent.policy.keepRecentToolResults, keepRecentToolResults);
  assert.deepEqual(
    [...new Set(said)],
    [
      'tidemark.advanced has no "other"; it is left out.',
      'tidemark.advanced.keepRecentToolResults is -1, but it must be from 0 to 100. 2 is used.',
    ],
  );
  assert.notEqual(pruneAt, 0.3);
});

function keeping() {
  const kept = new Map<string, unknown>();
  const memento = {
    get: (key: string, other: unknown) => kept.get(key) ?? other,
    update: async (key: string, value: unknown) => void kept.set(key, value),
  } as unknown as Parameters<typeof sayRemoved>[0];
  const lines: string[] = [];
  const log = { appendLine: (line: string) => lines.push(line) };
  return { lines, say: (of = removals) => sayRemoved(memento, log, of) };
}

test('all that are set are named in one message, once for the same ones; the log has them each time', async () => {
  const { lines, say } = keeping();
  await say();
  editor.settings = { 'old.gone': false, 'old.target': 0.5 };
  await say();
  await say();
  const both =
    'These settings no longer exist: tidemark.old.target (see the guide), tidemark.old.gone (see the guide).';
  assert.deepEqual([editor.warned, lines], [[both], [both, both]]);
  editor.settings = { 'old.gone': false };
  await say();
  assert.equal(editor.warned.length, 1);
  editor.settings = { 'old.gone': false, 'old.path': '/mine.gguf' };
  await say();
  assert.match(editor.warned[1] ?? '', /old\.path .* tidemark\.old\.gone/);
});

test('a name of 0.1.0 that is read no more is said with the one that takes its place', async () => {
  editor.settings = { 'context.lowWater': 0.5 };
  await keeping().say(removedSettings);
  assert.deepEqual(editor.warned, [
    'These settings no longer exist: tidemark.context.lowWater (use "trimTarget" in tidemark.advanced).',
  ]);
});
