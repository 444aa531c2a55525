// Two whole jobs, as a user does them: code of an answer goes into the file that is open, and a file goes along, out and back in.

import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { openPanel, type Panel } from '../harness/panel.ts';
import { projectRoot } from '../harness/program.ts';
import { contextFrame, runCommandByKeyboard } from '../harness/workbench.ts';
import { temporary } from '../temporary.ts';
import { say, setWidth } from './scenes/panelSteps.ts';
import { prepareExtension } from './scenes/scriptedExtension.ts';

const folder = temporary('tidemark-jobs-');
const settings = { 'tidemark.model.path': '/models/scripted.gguf', 'tidemark.model.contextSize': 4096 };
const viewport = { width: 1280, height: 1200 };

let panel: Panel;
let chat: Frame;
let context: Frame;

before(async () => {
  cpSync(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings, viewport });
  chat = panel.chat;
  panel.page.setDefaultTimeout(15_000);
  await chat.locator('[data-engine="ready"]').waitFor();
  context = await contextFrame(panel.page, chat);
  await setWidth(panel.page, 420);
});

after(() => panel?.close());

const key = (name: string) => panel.page.keyboard.press(name);
const picked = () => panel.page.locator('.quick-input-list .monaco-list-row');
const attachment = () => context.locator('.item', { hasText: 'Attachment: src/stations.ts' }).first();
const decide = (name: string) => attachment().locator('vscode-button', { hasText: name });
const said = () => attachment().locator('.said');

async function goTo(name: string, line: number): Promise<void> {
  await key('Control+p');
  await panel.page.locator('.quick-input-widget input[type="text"]').fill(`${name}:${line}`);
  await picked().filter({ hasText: name }).first().waitFor();
  await key('Enter');
  await panel.page.locator('.statusbar-item', { hasText: `Ln ${line}, Col 1` }).waitFor();
  await panel.page.locator('.monaco-editor.focused').waitFor();
}

async function saved(): Promise<void> {
  const there = () => /let words = ''/.test(readFileSync(join(folder, 'src', 'duration.ts'), 'utf8'));
  for (let i = 0; i < 100 && !there(); i++) await panel.page.waitForTimeout(50);
  assert.ok(there(), 'what was clean is saved again');
}

/** Tokens that the line below the composer says the message will cost. */
async function price(): Promise<number> {
  const words = await chat.locator('.context-bar.forecast', { hasText: /\+[\d,]+/ }).innerText();
  return Number(/\+([\d,]+)/.exec(words)?.[1]?.replace(',', ''));
}

test('without a selection the file in the editor comes first among those that the code may change', async () => {
  await goTo('duration.ts', 20);
  await say(chat, "shorter\n```ts\n  let words = '';\n```");
  await chat.locator('.message.assistant .code [data-act="applyCode"]').first().click();
  await panel.page.locator('.quick-input-widget', { hasText: 'src/stations.ts' }).waitFor();
  assert.match(await picked().first().innerText(), /^src\/duration\.ts\s*open in the editor$/);
  await key('Escape');
});

test('a file of the message comes before the one in the editor', async () => {
  await say(chat, "@file:src/stations.ts Answer with:\nshorter\n```ts\n  let words = '';\n```\nEnd.");
  await chat.locator('.message.assistant .code [data-act="applyCode"]').last().click();
  await panel.page.locator('.quick-input-widget', { hasText: 'src/forecast.ts' }).waitFor();
  assert.match(await picked().nth(0).innerText(), /^src\/stations\.ts\s*beside the message$/);
  assert.match(await picked().nth(1).innerText(), /^src\/duration\.ts\s*open in the editor$/);
  await key('Escape');
});

test('an answer about a selection takes its place, and keeping it saves the file', async () => {
  await goTo('duration.ts', 26);
  await key('Shift+End');
  await panel.page.locator('.statusbar-item', { hasText: 'selected' }).waitFor();
  await runCommandByKeyboard(panel.page, 'Tidemark: Ask About Selection');
  await chat.locator('.composer textarea:focus').waitFor();
  await chat.locator('.editor-chip.on').waitFor();
  await say(chat, "shorter\n```ts\n  let words = '';\n```");
  await chat.locator('.message.assistant .code [data-act="applyCode"]').last().click();
  await panel.page.locator('.view-line', { hasText: "let words = ''" }).waitFor();
  assert.doesNotMatch(readFileSync(join(folder, 'src', 'duration.ts'), 'utf8'), /let words = ''/);
  await chat.locator('.applied button', { hasText: 'Keep' }).first().click();
  await chat.locator('.applied').first().waitFor({ state: 'detached' });
  await saved();
});

test('a file taken out comes back with the next message, whose price says so before', async () => {
  await say(chat, '@file:src/stations.ts what is in it');
  await attachment().locator('summary').first().click();
  await decide('Remove').click();
  await said().filter({ hasText: 'Removed from the next message on' }).waitFor();
  await decide('Restore').waitFor();
  await chat.locator('.composer textarea').fill('and again');
  const without = await price();
  await chat.locator('.composer textarea').fill('');
  await decide('Restore').click();
  await said().filter({ hasText: 'Restored with your next message' }).waitFor();
  await chat.locator('.composer textarea').fill('and again');
  // The price of the same words as before stands there until the new one is known.
  for (let i = 0; i < 100 && (await price()) <= without + 380; i++) await panel.page.waitForTimeout(100);
  assert.ok((await price()) > without + 380, `${await price()} against ${without}`);
  await say(chat, 'and again');
  await context.locator('.item', { hasText: 'Restored' }).waitFor();
  assert.equal(await said().innerText(), '', 'what was said of the message before is over');
});
