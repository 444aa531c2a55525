// The panel's sixteen states, reached one after the other, each without a serious finding of axe in four themes. With TIDEMARK_SHOTS=1
// each is kept as a picture in every theme.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import sharp from 'sharp';
import { openPanel, type Panel, scriptedSettings, sendMessage } from '../harness/panel.ts';
import { projectRoot } from '../harness/program.ts';
import { type Settings, workbenchSettings } from '../harness/settings.ts';
import { contextFrame, runCommandByKeyboard } from '../harness/workbench.ts';
import { temporary } from '../temporary.ts';
import { findings } from './scenes/axe.ts';
import { ask, say, setWidth } from './scenes/panelSteps.ts';
import { prepareExtension } from './scenes/scriptedExtension.ts';

const keeps = process.env.TIDEMARK_SHOTS === '1';
const kept = join(projectRoot, 'test', 'ui', 'shots');
const largest = 60_000;
const folder = temporary('tm-shots-');
const settings = workbenchSettings('dark', {
  ...scriptedSettings({ 'tidemark.model.path': '/models/scripted.gguf' }),
  'tidemark.model.contextSize': 4096,
});
const viewport = { width: 1000, height: 1000 };

let panel: Panel;
let chat: Frame;
let context: Frame | undefined;

before(async () => {
  cpSync(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings, viewport });
  panel.page.setDefaultTimeout(15_000);
  chat = panel.chat;
  await setWidth(panel.page, 400);
});

after(() => panel?.close());

const area = () => chat.locator('.composer textarea');
/** Returns the frame of the Context view, which is open by then. */
const opened = () => context as Frame;
const item = (label: string) => opened().locator('.item', { hasText: label });

let now: Settings = settings;

/** In the machine's file, because that one counts. */
function set(values: Settings): void {
  now = { ...now, ...values };
  writeFileSync(join(panel.server.directory, 'data', 'Machine', 'settings.json'), JSON.stringify(now));
}

const bodies = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  highContrast: 'vscode-high-contrast',
  highContrastLight: 'vscode-high-contrast-light',
} as const;
type Look = keyof typeof bodies;

/** Through the file of settings: a picker would take the focus, which some states live of. */
async function useTheme(look: Look): Promise<void> {
  set({ 'workbench.colorTheme': workbenchSettings(look)['workbench.colorTheme'] ?? null });
  await chat.locator(`body.${bodies[look]}`).waitFor();
}

/** The state is there: it is looked at in each theme, and kept as pictures where they are wanted. */
async function shoot(name: string, part = '.part.sidebar'): Promise<void> {
  const found: string[] = [];
  for (const theme of Object.keys(bodies) as Look[]) {
    await useTheme(theme);
    await panel.page.mouse.move(viewport.width - 100, viewport.height - 100);
    await panel.page.waitForTimeout(300);
    for (const frame of [chat, ...(context === undefined ? [] : [context])])
      found.push(...(await findings(frame)).map((one) => `${theme}: ${one}`));
    if (keeps)
      await keep(`${name}-${theme}.png`, await panel.page.locator(part).screenshot({ animations: 'disabled' }));
  }
  assert.deepEqual(found, []);
}

/** With 96 colors, which are enough for text. */
async function keep(name: string, picture: Buffer): Promise<void> {
  const small = await sharp(picture).png({ palette: true, colours: 96, effort: 10 }).toBuffer();
  assert.ok(small.length < largest, `${name} has ${small.length} bytes`);
  mkdirSync(kept, { recursive: true });
  writeFileSync(join(kept, name), small);
}

async function tab(name: 'Contents' | 'Performance' | 'Summaries'): Promise<void> {
  await opened().locator('[role="tab"]', { hasText: name }).click();
  await opened().locator('[role="tab"][aria-selected="true"]', { hasText: name }).waitFor();
}

async function newSession(): Promise<void> {
  await runCommandByKeyboard(panel.page, 'Tidemark: New Conversation');
  await chat.locator('.welcome').waitFor();
}

test('first-run', async () => {
  await chat.locator('.welcome vscode-button', { hasText: 'Choose a GGUF File' }).waitFor();
  await shoot('first-run');
});

test('empty-chat', async () => {
  set({ 'tidemark.model.path': '/models/scripted.gguf' });
  await chat.locator('[data-engine="ready"]').waitFor();
  await chat.locator('.examples button').first().waitFor();
  context = await contextFrame(panel.page, chat);
  await opened().locator('.status-line.warm').waitFor();
  await shoot('empty-chat');
});

test('streaming-with-tool-step', async () => {
  await sendMessage(chat, 'Where is parseDuration defined? Be slow.');
  await chat.locator('.step.ok').waitFor();
  await chat.locator('.message.assistant[data-end="running"]', { hasText: 'One word' }).waitFor();
  await shoot('streaming-with-tool-step');
  assert.equal(await chat.locator('[data-running="true"]').count(), 1);
  await chat.locator('vscode-button[aria-label="Stop"]').click();
  await chat.locator('[data-running="false"]').waitFor();
});

test('answer-with-code', async () => {
  await newSession();
  await say(chat, 'Print heights with two digits.');
  await chat.locator('.message.assistant .code .hljs-keyword').first().waitFor();
  await shoot('answer-with-code');
});

test('applied-changes', async () => {
  await chat.locator('.message.assistant .code [data-act="applyCode"]').click();
  await chat.locator('.applied button', { hasText: 'Undo' }).first().waitFor();
  await panel.page.locator('.codelens-decoration', { hasText: 'Keep' }).first().waitFor();
  await panel.page.setViewportSize({ ...viewport, height: 640 });
  await shoot('applied-changes', 'body');
  await panel.page.setViewportSize(viewport);
  await chat.locator('.applied button', { hasText: 'Undo' }).first().click();
  await chat.locator('.applied').waitFor({ state: 'detached' });
});

test('error-with-button', async () => {
  await newSession();
  await sendMessage(chat, 'The harbour office writes its books by hand. '.repeat(600));
  await chat.locator('.fault vscode-button').first().waitFor();
  await chat.locator('[data-running="false"]').waitFor();
  await area().fill('');
  await shoot('error-with-button');
});

test('session-list', async () => {
  await newSession();
  await say(chat, 'Which harbour has the highest tide?');
  await runCommandByKeyboard(panel.page, 'Tidemark: Conversations');
  await chat.locator('.session').nth(2).waitFor();
  await shoot('session-list');
  await panel.page.keyboard.press('Escape');
  await chat.locator('.sessions').waitFor({ state: 'detached' });
});

test('mentions-open', async () => {
  await area().focus();
  await area().pressSequentially('Explain @');
  await chat.locator('.completion.chosen').waitFor();
  await shoot('mentions-open');
  await panel.page.keyboard.press('Escape');
  await area().fill('');
});

test('commands-open', async () => {
  await area().pressSequentially('/co');
  await chat.locator('.completion').first().waitFor();
  await shoot('commands-open');
  await panel.page.keyboard.press('Escape');
  await area().fill('');
});

test('context-overview', async () => {
  await say(chat, 'Where is parseDuration defined?');
  await item('Result: 15 matches').waitFor();
  await opened().locator('.status-line.warm').waitFor();
  await shoot('context-overview');
});

test('item-detail-with-restore', async () => {
  await ask(chat, '/context remove 4');
  await opened().locator('.item.stubbed', { hasText: 'Result: 15 matches' }).waitFor();
  await item('Result: 15 matches').locator('summary').click();
  await item('Result: 15 matches').locator('vscode-button[aria-label^="Restore"]').waitFor();
  await item('Result: 15 matches').locator('.version').nth(1).waitFor();
  await opened().evaluate("document.querySelector('.item.stubbed').scrollIntoView({ block: 'start' })");
  await shoot('item-detail-with-restore');
});

test('exact-text', async () => {
  await item('Result: 15 matches').locator('summary').click();
  await opened().locator('.looks button', { hasText: 'Exact text' }).click();
  await opened().locator('.pieces').waitFor();
  await shoot('exact-text');
});

test('other-size', async () => {
  await opened().locator('.looks button', { hasText: 'Other size' }).click();
  await opened().locator('.what-if .chip', { hasText: /^8k/ }).click();
  await opened().locator('.what-if-table').waitFor();
  await shoot('other-size');
  await opened().locator('.looks button', { hasText: 'Parts' }).click();
});

test('performance', async () => {
  await say(chat, 'And where is it tested?');
  await tab('Performance');
  await opened().locator('.breaks li', { hasText: 'you removed something' }).waitFor();
  await shoot('performance');
});

test('summary', async () => {
  await newSession();
  const filler = 'The clerk reads the gauge at dawn and at dusk. '.repeat(22);
  for (const text of [
    'Constraint: keep the report readable.',
    'I prefer short answers.',
    'We still need tests.',
    'Go on.',
  ])
    await say(chat, `${text} ${filler}`);
  await tab('Summaries');
  await opened().locator('vscode-button[aria-label^="Compact now"]').click();
  await opened().locator('.entry-line').first().waitFor();
  await opened().locator('.compacted-items summary').first().click();
  await opened().locator('.compacted-items .verbatim').first().waitFor();
  await shoot('summary');
});

test('model-list', async () => {
  await chat.locator('.model-switch').click();
  await panel.page
    .locator('.quick-input-list .monaco-list-row', { hasText: /~\d+ tokens\/s/ })
    .first()
    .waitFor();
  await shoot('model-list', '.quick-input-widget');
  await panel.page.keyboard.press('Escape');
});
