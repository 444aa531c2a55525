// The package of this machine in a clean VS Code: installed as a user installs it, it answers by itself.
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPanel, sendMessage } from '../harness/panel.ts';
import { projectRoot } from '../harness/program.ts';
import { makePackage } from './run.ts';
import { wanted } from './targets.ts';

const settings = {
  'tidemark.model.path': join(projectRoot, 'test', 'fixtures', 'pocket.gguf'),
  'tidemark.model.contextSize': 4096,
  'tidemark.generation.reserve': 256,
  'tidemark.generation.temperature': 0,
};

test('an installed package of at most 16 MB loads a model and answers', async () => {
  const what = wanted('linux-x64', 'cpu');
  assert.ok(typeof what !== 'string');
  const { file } = await makePackage(what);
  assert.ok(statSync(file).size <= 16e6, `${statSync(file).size} bytes`);
  const folder = join(projectRoot, 'test', 'fixtures', 'sample');
  const panel = await openPanel({ folder, extension: file, settings });
  try {
    const { chat } = panel;
    await chat.locator('[data-engine="ready"]').waitFor();
    await sendMessage(chat, 'Where is parseDuration defined?');
    await chat.locator('.message.assistant .place', { hasText: 'src/duration.ts:14' }).waitFor();
    const installed = readdirSync(join(panel.server.directory, 'extensions')).filter((name) =>
      name.startsWith('tidemark'),
    );
    assert.equal(installed.length, 1);
  } finally {
    await panel.close();
  }
});
