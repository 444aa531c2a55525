// Installs a package in a clean VS Code, as a user does, and has the demo model answer there.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openPanel, sendMessage } from '../harness/panel.ts';
import { projectRoot } from '../harness/program.ts';

const settings = {
  'tidemark.model.path': join(projectRoot, 'test', 'fixtures', 'pocket.gguf'),
  'tidemark.model.contextSize': 4096,
  'tidemark.generation.reserve': 256,
  'tidemark.generation.temperature': 0,
};

/** Returns what the view says of the model. Throws where no answer names file and line. */
export async function tryPackage(file: string): Promise<string> {
  const folder = join(projectRoot, 'test', 'fixtures', 'sample');
  const panel = await openPanel({ folder, extension: file, settings });
  try {
    const { chat } = panel;
    await chat.locator('[data-engine="ready"]').waitFor({ timeout: 120_000 });
    await sendMessage(chat, 'Where is parseDuration defined?');
    await chat.locator('.message.assistant .place', { hasText: 'src/duration.ts:14' }).waitFor({ timeout: 120_000 });
    // The answer came from the unpacked package: nothing of the project is linked in.
    const installed = readdirSync(join(panel.server.directory, 'extensions'), { withFileTypes: true });
    const ours = installed.filter(({ name }) => name.startsWith('tidemark'));
    assert.ok(ours.length === 1 && ours[0]?.isDirectory());
    return await chat.locator('.engine').innerText();
  } finally {
    await panel.close();
  }
}
