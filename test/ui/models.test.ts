// Getting a model in the real editor from a mirror on this machine: ranked rows, consent, pause, going on, use, list, delete, offline.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { changeSettings, openPanel, type Panel } from '../harness/panel.ts';
import { projectRoot } from '../harness/program.ts';
import { runCommand, takePicture } from '../harness/workbench.ts';
import { type FakeHub, startFakeHub } from '../models/scenes/fakeHub.ts';
import { good } from '../models/scenes/fileServer.ts';
import { nanoModel } from '../models/scenes/nano.ts';
import { temporary } from '../temporary.ts';
import { setTheme, setWidth, themes } from './scenes/panelSteps.ts';
import { prepareExtension } from './scenes/scriptedExtension.ts';

const name = 'mirrored-q4_k_m.gguf';
const models = temporary('tidemark-fetched-');
const path = join(models, name);
const model = readFileSync(nanoModel());

let hub: FakeHub;
let panel: Panel;
let chat: Frame;
let settings: Record<string, string | number | boolean>;

before(async () => {
  hub = await startFakeHub(model, name);
  hub.server.part = `${path}.part`;
  settings = { 'tidemark.network.huggingFace': hub.server.address, 'tidemark.models.folder': models };
  panel = await openPanel({ folder: temporary('tidemark-empty-'), extension: prepareExtension('real'), settings });
  chat = panel.chat;
  panel.page.setDefaultTimeout(30_000);
  await setWidth(panel.page, 420);
});

after(async () => {
  await panel?.close();
  await hub?.server.close();
});

const picture = (shot: string) => takePicture(panel.page, join(projectRoot, 'out', `models-${shot}.png`));
const rows = () => panel.page.locator('.quick-input-list .monaco-list-row');
const row = (words: string) => rows().filter({ hasText: words }).first();
const dialog = () => panel.page.locator('.monaco-dialog-box');
const toast = (words: string) => panel.page.locator('.notification-toast', { hasText: words });

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 400 && !holds(); i++) await panel.page.waitForTimeout(50);
  assert.ok(holds());
}

const button = (words: string) => ({ hasText: words });

test('the first start offers to get a model, and nothing is asked of any server by looking at the list', async () => {
  await chat.locator('[data-engine="failed"]').waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(panel.page, themes[theme]);
    await picture(`first-${theme}`);
    await chat.locator('vscode-button', { hasText: 'Get a Model' }).click();
    await panel.page.locator('.quick-input-title', { hasText: /^Tidemark: Models$/ }).waitFor();
    await picture(`ranked-${theme}`);
    if (theme === 'light') await panel.page.keyboard.press('Escape');
  }
  const first = await rows().first().innerText();
  assert.match(
    first,
    /first word ~\d+ (s|min) · ~[\d.]+ tokens\/s · [\d.]+ GB · not tried by us · [\w.-]+[\s\S]*mentioned for local use[\s\S]*Needs about [\d.]+ GB/,
  );
  assert.deepEqual(hub.asked, []);
});

test('before anything is fetched it is said from where, how much, under which licence and to where', async () => {
  await row('Qwen2.5-Coder 1.5B').click();
  await dialog().waitFor();
  const words = await dialog().innerText();
  assert.match(words, /Download Qwen2\.5-Coder 1\.5B Instruct \(\w+\) from 127\.0\.0\.1:\d+\?/);
  assert.match(words, /Size: 1\.1 GB[\s\S]*License: Apache-2\.0[\s\S]*To: \/\S+ \([\d.]+ GB free\)/);
  assert.ok(words.includes(models));
  await picture('consent');
  assert.deepEqual(hub.asked, []);
  await dialog().locator('.monaco-button', button('Cancel')).click();
  await dialog().waitFor({ state: 'detached' });
  assert.deepEqual(hub.asked, []);
});

test('finding by meaning is a row of the list, once a chat model was offered, and asks in the same way', async () => {
  assert.equal(await chat.locator('vscode-button', { hasText: 'to find by meaning' }).count(), 0);
  await runCommand(panel.page, 'Tidemark: Get or Choose a Model');
  await row('Qwen2.5-Coder').waitFor();
  await panel.page.locator('.quick-input-widget input[type="text"]').fill('gte-small');
  await row('Get gte-small (37 MB) to find by meaning').click();
  await dialog().waitFor();
  const words = await dialog().innerText();
  assert.match(words, /Download gte-small \(Q8_0\) from 127\.0\.0\.1:\d+\?/);
  assert.match(words, /Size: about 37 MB[\s\S]*License: MIT/);
  await picture('meaning');
  await dialog().locator('.monaco-button', button('Cancel')).click();
  await dialog().waitFor({ state: 'detached' });
  assert.deepEqual(hub.asked, []);
});

test('a download shows in the view how far it is, is paused there, goes on from there, and the first model is used', {
  timeout: 120_000,
}, async () => {
  hub.place = good({ slowly: [20_000, 100] });
  await runCommand(panel.page, 'Tidemark: Get or Choose a Model');
  // The catalog's files are pinned by their hashes, which a mirror of the test cannot have.
  await row('Another model').click();
  await panel.page.locator('.quick-input-widget input[type="text"]').fill(`hf:some/repository/${name}`);
  await panel.page.keyboard.press('Enter');
  await dialog().locator('.monaco-button', button('Download')).click();
  await dialog().filter({ hasText: 'Size: 2.5 MB' }).locator('.monaco-button', button('Download')).click();
  const running = chat.locator('.download');
  await running.getByText(/of 2\.5 MB · .*\/s · /).waitFor();
  await running.getByText(`Downloading ${name}`).waitFor();
  await picture('running');
  await running.locator('vscode-button', button('Pause')).click();
  const paused = toast('is paused');
  await paused.waitFor();
  await picture('paused');
  assert.ok(existsSync(`${path}.part`) && !existsSync(path));
  hub.place = good();
  await paused.locator('.monaco-button', button('Resume')).click();
  await chat.locator('[data-engine="ready"]').waitFor();
  assert.equal(await running.count(), 0);
  assert.deepEqual(readFileSync(path), model);
  assert.deepEqual(readdirSync(models), [name]);
  assert.equal(hub.server.twice, 0);
});

test('the list of models has it, in use, with what it takes; what is in use is not deleted', async () => {
  await runCommand(panel.page, 'Tidemark: Get or Choose a Model');
  // The file's header is looked at meanwhile.
  await row(name).filter({ hasText: 'Fits: needs about' }).waitFor();
  assert.match(await row(name).innerText(), /2\.5 MB · [\s\S]*Fits: needs about[\s\S]*in use/);
  await row(name).hover();
  await picture('list');
  await row(name).locator('.action-label[aria-label="Delete"]').click();
  await toast(`${name} is in use`).waitFor();
  assert.ok(existsSync(path));
});

test('a download of an earlier window is listed as paused, and goes on from there', async () => {
  const half = model.subarray(0, 1_000_000);
  writeFileSync(join(models, 'earlier.gguf.part'), half);
  const url = `${hub.server.address}/some/repository/resolve/main/earlier.gguf`;
  const state = { url, version: hub.server.sha256, total: model.length, sha256: null };
  writeFileSync(join(models, 'earlier.gguf.part.json'), JSON.stringify(state));
  hub.server.part = join(models, 'earlier.gguf.part');
  await runCommand(panel.page, 'Tidemark: Get or Choose a Model');
  assert.match(await row('earlier.gguf').innerText(), /1\.0 MB of 2\.5 MB · paused[\s\S]*Continues where it stopped/);
  await picture('unfinished');
  await row('earlier.gguf').click();
  await toast('earlier.gguf downloaded (its SHA-256 matches)').waitFor();
  assert.deepEqual(readFileSync(join(models, 'earlier.gguf')), model);
  assert.equal(hub.server.twice, 0);
});

test('a model that is not in use is deleted after asking', async () => {
  await runCommand(panel.page, 'Tidemark: Get or Choose a Model');
  await row('earlier.gguf').hover();
  await row('earlier.gguf').locator('.action-label[aria-label="Delete"]').click();
  await dialog().waitFor();
  assert.match(await dialog().innerText(), /Delete earlier\.gguf\?[\s\S]*2\.5 MB in/);
  await dialog().locator('.monaco-button', button('Delete')).click();
  await until(() => !existsSync(join(models, 'earlier.gguf')));
  assert.deepEqual(readdirSync(models), [name]);
});

test('the folder moves with its models, and the one in use is loaded from its new place', async () => {
  const to = temporary('tidemark-moved-');
  await runCommand(panel.page, 'Tidemark: Get or Choose a Model');
  // The list is longer than what is drawn of it.
  await panel.page.locator('.quick-input-widget input[type="text"]').fill('Move the folder');
  await row('Move the folder').click();
  await panel.page.locator('.quick-input-widget', { hasText: 'Move the models to this folder' }).waitFor();
  // The dialog writes the open folder into its box some time after it is there, over whatever was typed.
  const typed = panel.page.locator('.quick-input-widget input[type="text"]');
  await panel.page.waitForFunction(() =>
    /\/$/.test(document.querySelector<HTMLInputElement>('.quick-input-widget input[type="text"]')?.value ?? ''),
  );
  await typed.fill(to);
  // The editor's dialog looks at the folder that is typed before it takes it.
  await panel.page.waitForTimeout(1000);
  await panel.page.locator('.quick-input-widget .monaco-button', button('Move here')).click();
  await dialog().waitFor();
  assert.match(await dialog().innerText(), /Move 2\.5 MB of models\?/);
  await dialog().locator('.monaco-button', button('Move')).click();
  await until(() => existsSync(join(to, name)));
  assert.deepEqual(readdirSync(models), []);
  const machine = join(panel.server.directory, 'data', 'Machine', 'settings.json');
  await until(() => {
    const text = readFileSync(machine, 'utf8');
    // The editor is writing it.
    if (!text.trimEnd().endsWith('}')) return false;
    const now = JSON.parse(text) as Record<string, unknown>;
    return now['tidemark.model.path'] === join(to, name) && now['tidemark.models.folder'] === to;
  });
  await chat.locator('[data-engine="ready"]').waitFor();
});

test('offline nothing is asked of any server, and that is said with a button to the setting', async () => {
  const before = hub.asked.length;
  await changeSettings(panel, { 'tidemark.network.offline': true });
  await runCommand(panel.page, 'Tidemark: Get or Choose a Model');
  await row('Downloads are off').click();
  const said = toast('tidemark.network.offline is on');
  await said.locator('.monaco-button', button('Show the setting')).waitFor();
  await picture('offline');
  assert.equal(hub.asked.length, before);
});
