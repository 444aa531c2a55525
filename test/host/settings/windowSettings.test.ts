// The settings of a window: the editor's configuration is read when it changes, and a turn, a draft or idle work reads nothing.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { projectRoot } from '../../harness/program.ts';
import { editor } from '../fakeVscode.ts';

const { followSettings } = await import('../../../src/window/settings.ts');

const subscriptions: { dispose(): unknown }[] = [];
afterEach(() => {
  editor.settings = {};
  for (const one of subscriptions.splice(0)) one.dispose();
});

const agents = { quiet: { instructions: 'Be quiet.' } };

test('until they change they are the same objects, for each agent', () => {
  editor.settings = { agents };
  const settings = followSettings({ appendLine: () => assert.fail() }, subscriptions);
  const [usual, quiet] = [settings(), settings('quiet')];
  assert.equal(quiet.chat.agent.instructions, 'Be quiet.');
  editor.settings = { agents, 'model.contextSize': 4096 };
  assert.deepEqual([settings() === usual, settings('quiet') === quiet], [true, true]);
});

test('a change is there for all that hear of it, and what is wrong with it is said', () => {
  const said: string[] = [];
  const settings = followSettings({ appendLine: (words) => said.push(words) }, subscriptions);
  assert.equal(settings().load.contextSize, null, 'it is chosen');
  editor.settings = { 'model.contextSize': 4096, 'cache.conversations': 'many' };
  for (const heard of [...editor.configured]) heard({ affectsConfiguration: () => true });
  assert.equal(settings().load.contextSize, 4096);
  assert.equal(said.length, 1);
  for (const one of subscriptions.splice(0)) one.dispose();
  assert.equal(editor.configured.size, 0);
});

/** Who changes a setting, lists what can be chosen, or looks at settings of the editor's own. */
const others = [
  'src/host/completion/otherProviders.ts',
  'src/host/completion/suggestionStatus.ts',
  'src/host/edits/readOnly.ts',
  'src/host/finding/finding.ts',
  'src/host/models/hereRows.ts',
  'src/host/models/models.ts',
  'src/host/models/useModel.ts',
  'src/host/settings/pickAgent.ts',
  'src/host/settings/readSettings.ts',
  'src/host/settings/switchTool.ts',
];

test('nobody else reads the configuration, and the settings are read in one place', () => {
  const holding = (words: RegExp) =>
    globSync('src/**/*.ts', { cwd: projectRoot })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => words.test(readFileSync(join(projectRoot, path), 'utf8')))
      .sort();
  assert.deepEqual(holding(/\bgetConfiguration\(/), others);
  assert.deepEqual(holding(/\bread(?:Values|Settings)\(/), [
    'src/host/settings/readSettings.ts',
    'src/window/settings.ts',
  ]);
});
