// Ten jobs of a new user, played in the real workbench with what can be seen and heard: roles and names. Each says how many clicks and
// keys it took; the list goes to out/ui/ten-jobs.txt.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame, Locator } from 'playwright-core';
import { openPanel, type Panel } from '../harness/panel.ts';
import { projectRoot } from '../harness/program.ts';
import { webviewFrame } from '../harness/workbench.ts';
import { type FakeHub, startFakeHub } from '../models/scenes/fakeHub.ts';
import { nanoModel } from '../models/scenes/nano.ts';
import { temporary } from '../temporary.ts';
import { prepareExtension } from './scenes/scriptedExtension.ts';

const folder = temporary('tm-jobs-');
const models = temporary('tm-jobs-models-');
const lines: string[] = [];

let hub: FakeHub;
let panel: Panel;
let chat: Frame;
let clicks = 0;
let keys = 0;

before(async () => {
  cpSync(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });
  hub = await startFakeHub(readFileSync(nanoModel()), 'fetched-q4_k_m.gguf');
  const settings = {
    'tidemark.network.huggingFace': hub.server.address,
    'tidemark.models.folder': models,
    'tidemark.model.contextSize': 4096,
    // The scripted model calls its tools, and no test of its abilities chooses otherwise.
    'tidemark.finding.enabled': false,
    'tidemark.agent': 'unified',
  };
  panel = await openPanel({ folder, extension: pinning(hub.server.sha256), settings });
  panel.page.setDefaultTimeout(20_000);
  chat = panel.chat;
});

after(async () => {
  const out = join(projectRoot, 'out', 'ui');
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'ten-jobs.txt'), `${lines.join('\n')}\n`);
  await panel?.close();
  await hub?.server.close();
});

/** The mirror has a small model in the place of each that the catalog has, so its hash is the one that is known. */
function pinning(sha256: string): string {
  const extension = prepareExtension('scripted');
  const bundle = join(extension, 'dist', 'extension.cjs');
  const text = readFileSync(bundle, 'utf8');
  const pinned = text.replace(/(sha256"?: ?")[0-9a-f]{64}"/g, `$1${sha256}"`);
  assert.notEqual(pinned, text);
  writeFileSync(bundle, pinned);
  return extension;
}

/** The one model that was fetched. */
function fetched(): string {
  const [name = ''] = readdirSync(models).filter((one) => one.endsWith('.gguf'));
  return join(models, name);
}

async function click(place: Locator): Promise<void> {
  clicks += 1;
  await place.click();
}

/** Each character is a key. */
async function type(words: string): Promise<void> {
  keys += words.length;
  await panel.page.keyboard.type(words);
}

async function press(key: string): Promise<void> {
  keys += 1;
  await panel.page.keyboard.press(key);
}

const message = () => chat.getByRole('textbox', { name: 'Message' });
const button = (name: string | RegExp) => chat.getByRole('button', { name });
const answer = (words: string | RegExp) => chat.getByText(words).last().waitFor();
const row = (name: RegExp) => panel.page.getByRole('option', { name }).first();

async function answered(): Promise<void> {
  await chat.getByRole('button', { name: 'Send', exact: true }).last().waitFor();
}

function job(name: string, play: () => Promise<void>): void {
  test(name, async () => {
    [clicks, keys] = [0, 0];
    await play();
    lines.push(`${name}: ${clicks} clicks, ${keys} keys`);
  });
}

job('get a model', async () => {
  await click(button('Get a Model'));
  await row(/mentioned for local use/).waitFor();
  await press('Enter');
  await click(panel.page.getByRole('dialog').getByRole('button', { name: 'Download' }));
  await button(/^Model: (Qwen|my|scripted)/i).waitFor();
  assert.ok(readFileSync(fetched()).length > 0);
});

job('load a file of my own', async () => {
  const own = join(models, 'my-own.gguf');
  cpSync(fetched(), own);
  await click(button(/^Model: (Qwen|my|scripted)/i));
  await panel.page.getByText('Tidemark: Models', { exact: true }).waitFor();
  await click(row(/my-own\.gguf/));
  await panel.page.getByRole('option').first().waitFor({ state: 'detached' });
  await click(button(/^Model: (Qwen|my|scripted)/i));
  await panel.page.getByRole('option', { name: /my-own\.gguf.*in use/ }).waitFor();
  await press('Escape');
});

job('ask about the folder', async () => {
  await click(button('Where is parseDuration defined?'));
  await answer('src/duration.ts:14');
  await answered();
});

job('ask about a selection', async () => {
  await press('Control+p');
  await type('duration.ts');
  await row(/duration\.ts/).waitFor();
  await press('Enter');
  await panel.page.getByRole('button', { name: 'Ln 1, Col 1' }).waitFor();
  await press('Shift+ArrowDown');
  await click(message());
  await button(/(?<!\/)duration\.ts:1\b/).waitFor();
  await type('What is this?');
  await press('Enter');
  await answer('You said: What is this?');
  await answered();
  await answer(/src\/duration\.ts \(/);
});

job('attach a file', async () => {
  await click(button('Add context'));
  await type('stat');
  await chat
    .getByRole('option', { name: /stations\.ts/ })
    .first()
    .waitFor();
  await press('Enter');
  await type('what is in it');
  await press('Enter');
  await answer(/src\/stations\.ts \(/);
  await answered();
});

job('stop and go on', async () => {
  await click(message());
  await type('slow please');
  await press('Enter');
  await answer('One word after the other');
  await click(button('Stop'));
  await click(button('Continue'));
  await button('Stop').waitFor();
  await answered();
  assert.equal(await chat.getByText('Continue.', { exact: true }).count(), 0);
});

job('apply a block and undo it', async () => {
  await click(message());
  await type('two digits');
  await press('Enter');
  await answer('rounds to one digit');
  await answered();
  await click(button('Apply').last());
  const line = panel.page.getByText('height.toFixed(2)').first();
  await line.waitFor();
  await click(chat.getByRole('button', { name: 'Undo' }).first());
  await line.waitFor({ state: 'detached' });
});

job('see why a turn was slow', async () => {
  await click(button(/% full/));
  const context = await webviewFrame(panel.page, 'Context');
  await click(context.getByRole('tab', { name: 'Performance' }));
  await context.getByRole('table', { name: /Model calls of the last turn/ }).waitFor();
});

job('make room in a full window', async () => {
  const context = await webviewFrame(panel.page, 'Context');
  await click(context.getByRole('tab', { name: 'Summaries' }));
  await click(context.getByRole('button', { name: /^Compact now/ }));
  await chat
    .getByText(/Older turns are now a summary|Nothing was compacted/)
    .first()
    .waitFor();
});

job('find an old conversation', async () => {
  await click(message());
  // A hand needs as long from the mouse to the keys; the editor hears of the focus meanwhile.
  await panel.page.waitForTimeout(300);
  await press('Control+n');
  await button('What does this project do, and how is it structured?').waitFor();
  await panel.page.getByText('Chat', { exact: true }).first().hover();
  await click(panel.page.getByRole('button', { name: 'Conversations' }).first());
  // The list takes the focus when it is there.
  await chat.getByRole('dialog', { name: 'Conversations' }).waitFor();
  await type('parseDuration');
  await chat.getByRole('button', { name: /^Where is parseDuration[\s\S]*turns/ }).waitFor();
  await press('ArrowDown');
  await press('Enter');
  await answer('src/duration.ts:14');
});
