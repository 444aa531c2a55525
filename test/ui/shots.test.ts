// The panel's twelve states, reached one after the other. With TIDEMARK_SHOTS=1 each is kept as a picture in three themes.

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { openPanel, type Panel, sendMessage } from '../harness/panel.ts';
import { projectRoot } from '../harness/program.ts';
import { type Settings, workbenchSettings } from '../harness/settings.ts';
import { contextFrame, runCommandByKeyboard } from '../harness/workbench.ts';
import { temporary } from '../temporary.ts';
import { ask, say, setWidth } from './scenes/panelSteps.ts';
import { prepareExtension } from './scenes/scriptedExtension.ts';
import { shrinkPng } from './scenes/shrinkPng.ts';

const keeps = process.env.TIDEMARK_SHOTS === '1';
const kept = join(projectRoot, 'test', 'ui', 'shots');
/** Some of them stand in the walkthrough as well. */
const walkthrough = join(projectRoot, 'media', 'walkthrough');
const largest = 60_000;
const folder = temporary('tm-shots-');
const settings = workbenchSettings('dark', { 'tidemark.model.contextSize': 4096 });
const viewport = { width: 1000, height: 1000 };

let panel: Panel;
let chat: Frame;
let context: Frame;

before(async () => {
  cpSync(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings, viewport });
  panel.page.setDefaultTimeout(15_000);
  chat = panel.chat;
  await setWidth(panel.page, 400);
});

after(() => panel?.close());

const area = () => chat.locator('.composer textarea');
const item = (label: string) => context.locator('.item', { hasText: label });

let now: Settings = settings;

/** In the machine's file, because that one counts. */
function set(values: Settings): void {
  now = { ...now, ...values };
  writeFileSync(join(panel.server.directory, 'data', 'Machine', 'settings.json'), JSON.stringify(now));
}

const bodies = { dark: 'vscode-dark', light: 'vscode-light', highContrast: 'vscode-high-contrast' } as const;
type Look = keyof typeof bodies;

/** Through the file of settings: a picker would take the focus, which some states live of. */
async function useTheme(look: Look): Promise<void> {
  set({ 'workbench.colorTheme': workbenchSettings(look)['workbench.colorTheme'] ?? null });
  await chat.locator(`body.${bodies[look]}`).waitFor();
}

/** The state is there: its pictures, where they are wanted. */
async function shoot(name: string, part = '.part.sidebar'): Promise<void> {
  if (!keeps) return;
  mkdirSync(kept, { recursive: true });
  for (const theme of Object.keys(bodies) as Look[]) {
    await useTheme(theme);
    await panel.page.mouse.move(viewport.width - 100, viewport.height - 100);
    await panel.page.waitForTimeout(300);
    const picture = shrinkPng(await panel.page.locator(part).screenshot({ animations: 'disabled' }));
    assert.ok(picture.length < largest, `${name} has ${picture.length} bytes`);
    for (const place of [kept, walkthrough]) {
      const file = join(place, `${name}-${theme}.png`);
      if (place === kept || existsSync(file)) writeFileSync(file, picture);
    }
  }
}

async function section(name: string): Promise<void> {
  await context.locator('.sections button', { hasText: name }).click();
  await context.locator('.sections button[aria-current]', { hasText: name }).waitFor();
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
  await context.locator('.status-line.warm').waitFor();
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

test('diff-open', async () => {
  await chat.locator('.message.assistant .code [data-act="applyCode"]').click();
  await panel.page.locator('.tab', { hasText: 'report.ts: proposed' }).waitFor();
  await panel.page.locator('.editor-actions .action-label[aria-label^="Accept Change"]').first().waitFor();
  await panel.page.setViewportSize({ ...viewport, height: 640 });
  await shoot('diff-open', 'body');
  await panel.page.setViewportSize(viewport);
  await panel.page.locator('.editor-actions .action-label[aria-label^="Discard Change"]').first().click();
  await panel.page.locator('.tab', { hasText: 'report.ts: proposed' }).waitFor({ state: 'detached' });
});

test('error-with-button', async () => {
  await newSession();
  await sendMessage(chat, 'The harbour office writes its books by hand. '.repeat(600));
  await chat.locator('.fault vscode-button').first().waitFor();
  await chat.locator('.ending', { hasText: 'Stopped before the answer began.' }).waitFor();
  await chat.locator('[data-running="false"]').waitFor();
  await area().fill('');
  await shoot('error-with-button');
});

test('session-list', async () => {
  await newSession();
  await say(chat, 'Which harbour has the highest tide?');
  await runCommandByKeyboard(panel.page, 'Tidemark: Sessions');
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

test('context-overview', async () => {
  await say(chat, 'Where is parseDuration defined?');
  await item('Result: 15 matches').waitFor();
  await context.locator('.status-line.warm').waitFor();
  await shoot('context-overview');
});

test('item-detail-with-restore', async () => {
  await ask(chat, '/context evict 4');
  await context.locator('.item.stubbed', { hasText: 'Result: 15 matches' }).waitFor();
  await item('Result: 15 matches').locator('summary').click();
  await item('Result: 15 matches').locator('vscode-button[aria-label^="Restore"]').waitFor();
  await item('Result: 15 matches').locator('.version').nth(1).waitFor();
  await context.evaluate("document.querySelector('.item.stubbed').scrollIntoView({ block: 'start' })");
  await shoot('item-detail-with-restore');
});

test('cache-after-a-break', async () => {
  await say(chat, 'And where is it tested?');
  await section('Cache');
  await context.locator('.breaks li', { hasText: 'you removed something' }).waitFor();
  await shoot('cache-after-a-break');
});

test('fold-before-and-after', async () => {
  await newSession();
  const filler = 'The clerk reads the gauge at dawn and at dusk. '.repeat(22);
  for (const text of [
    'Constraint: keep the report readable.',
    'I prefer short answers.',
    'We still need tests.',
    'Go on.',
  ])
    await say(chat, `${text} ${filler}`);
  await section('Folds');
  await context.locator('vscode-button[aria-label^="Fold now"]').click();
  await context.locator('.entry-line').first().waitFor();
  await context.locator('.folded-items summary').first().click();
  await context.locator('.folded-items .verbatim').first().waitFor();
  await shoot('fold-before-and-after');
});
