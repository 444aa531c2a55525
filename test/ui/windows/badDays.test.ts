// The real panel with the real engine on bad days: killed while it answers, and given files that are no models.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { openPanel, type Panel, sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { takePicture } from '../../harness/workbench.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { temporary } from '../../temporary.ts';
import { enginesBelow, prepareExtension } from '../scenes/scriptedExtension.ts';

const folder = join(projectRoot, 'test', 'fixtures', 'sample');
const nano = nanoModel();
const settings = {
  'tidemark.model.path': nano,
  'tidemark.generation.reserve': 2048,
  'tidemark.advanced': { maxToolRounds: 0 },
};

let panel: Panel;
let chat: Frame;

before(async () => {
  panel = await openPanel({ folder, extension: prepareExtension('real'), settings });
  chat = panel.chat;
  await chat.locator('[data-engine="ready"]').waitFor();
});

after(() => panel?.close());

const send = (text: string) => sendMessage(chat, text);

test('an engine killed while it answers is said, and the answer goes on in a new one', async () => {
  await send('tell me everything');
  await chat.locator('.message.assistant[data-end="running"]').waitFor();
  const [pid] = await enginesBelow(panel.server.directory);
  assert.ok(pid !== undefined);
  process.kill(pid, 'SIGKILL');
  const fault = chat.locator('.fault');
  await fault.waitFor();
  assert.match(await fault.innerText(), /ended unexpectedly \(SIGKILL[\s\S]*Continue/);
  const words = await chat.locator('.message.assistant .markdown').first().innerText();
  assert.ok(words.length > 0, 'the words said so far stay');
  await takePicture(panel.page, join(projectRoot, 'out', 'panel-crash.png'));
  await chat.locator('[data-engine="ready"]').waitFor();
  await chat.locator('.fault vscode-button', { hasText: 'Continue' }).click();
  await chat.locator('.message.assistant[data-end="running"]').waitFor();
  const now = () => chat.locator('.message.assistant .markdown').innerText();
  for (let i = 0; i < 200 && (await now()).length <= words.length + 20; i++) await panel.page.waitForTimeout(50);
  assert.ok((await now()).length > words.length + 20);
  await chat.locator('vscode-button[aria-label="Stop"]').click();
  await chat.locator('[data-running="false"]').waitFor();
  assert.ok((await now()).startsWith(words.slice(0, 40)));
  assert.deepEqual([await chat.locator('.message.user').count(), await fault.count()], [1, 0]);
  assert.equal(await chat.locator('.notice').count(), 0);
  const [next] = await enginesBelow(panel.server.directory);
  assert.ok(next !== undefined && next !== pid);
});

const bad = temporary('tidemark-bad-');
mkdirSync(join(bad, 'folder.gguf'));
const file = (name: string, content: string | Buffer) => {
  writeFileSync(join(bad, name), content);
  return join(bad, name);
};
const cases: readonly (readonly [string, string, RegExp])[] = [
  ['a truncated GGUF', file('cut.gguf', readFileSync(nano).subarray(0, 300_000)), /cannot be loaded[\s\S]*incomplete/],
  [
    'a web page named .gguf',
    file('page.gguf', '<!DOCTYPE html><html>Not found</html>'),
    /is not a GGUF file[\s\S]*download it again/,
  ],
  ['24 bytes', file('short.gguf', readFileSync(nano).subarray(0, 24)), /only 24 bytes[\s\S]*download it again/],
  ['0 bytes', file('empty.gguf', ''), /is not a GGUF file: it begins with nothing/],
  ['a folder', join(bad, 'folder.gguf'), /is a folder[\s\S]*file inside it/],
  ['a missing file', join(bad, 'missing.gguf'), /does not exist[\s\S]*tidemark\.model\.path/],
];

async function wordsComeBack(words: string): Promise<void> {
  const area = chat.locator('.composer textarea');
  for (let i = 0; i < 100 && (await area.inputValue()) !== words; i++) await panel.page.waitForTimeout(50);
  assert.equal(await area.inputValue(), words);
}

for (const [name, path, words] of cases) {
  test(`${name} as the model is said in words with advice, and the panel stays usable`, async () => {
    const machine = join(panel.server.directory, 'data', 'Machine', 'settings.json');
    writeFileSync(machine, JSON.stringify({ ...settings, 'tidemark.model.path': path }));
    const shown = chat.locator('.engine.failed', { hasText: path.split('/').at(-1) ?? path });
    await shown.waitFor();
    assert.match(await shown.innerText(), words);
    await send(`a question for ${name}`);
    await chat.locator('[data-running="false"]').waitFor();
    await chat
      .locator('.fault', { hasText: path.split('/').at(-1) ?? path })
      .last()
      .waitFor();
    await wordsComeBack(`a question for ${name}`);
  });
}

test('after all of them a good model loads and answers', async () => {
  writeFileSync(join(panel.server.directory, 'data', 'Machine', 'settings.json'), JSON.stringify(settings));
  await chat.locator('[data-engine="ready"]').waitFor();
  const before = await chat.locator('.message.assistant').count();
  await send('and now?');
  await chat.locator('.message.assistant').nth(before).waitFor();
  await chat.locator('[data-running="false"]').waitFor();
});
