// A file dragged from VS Code's Explorer into the composer, with the mouse. VS Code lets a webview see a drag only while Shift is held.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { openPanel, type Panel } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { runCommand, webviewFrame } from '../../harness/workbench.ts';
import { composed } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const folder = join(projectRoot, 'test', 'fixtures', 'sample');
const settings = { 'tidemark.model.path': '/models/scripted.gguf', 'tidemark.model.contextSize': 4096 };

let panel: Panel;
let chat: Frame;

/** The Chat view stands beside the Explorer. */
before(async () => {
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings });
  const { page } = panel;
  await panel.chat.locator('[data-engine="ready"]').waitFor();
  await runCommand(page, 'View: Move View');
  const row = (name: string) => page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first();
  await row('Chat').click();
  await row('New Secondary Side Bar Entry').click();
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  // A side bar that has lost its only view shows another one, and a click on that one's icon would close it.
  const explorer = page.locator('.explorer-folders-view');
  if (!(await explorer.isVisible())) await page.locator('.activitybar .action-label[aria-label^="Explorer"]').click();
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'package.json' }).waitFor();
  // A view that moves gets a document of its own.
  for (let i = 0; i < 100 && !panel.chat.isDetached(); i++) await page.waitForTimeout(50);
  chat = await webviewFrame(page, 'Chat');
  await chat.evaluate(
    `{ window.over = 0; addEventListener('dragover', () => { window.over += 1; }, true); undefined; }`,
  );
});

after(() => panel?.close());

/** Drags the file over the composer and lets it go there. */
async function drag(name: string): Promise<void> {
  const { mouse, keyboard } = panel.page;
  const row = panel.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
  const [from, to] = [await row.boundingBox(), await chat.locator('.composer textarea').boundingBox()];
  assert.ok(from !== null && to !== null);
  await mouse.move(from.x + 40, from.y + 10);
  await mouse.down();
  // Held earlier it would only select rows.
  await keyboard.down('Shift');
  await mouse.move(from.x + 80, from.y + 12, { steps: 4 });
  for (let i = 0; i < 40 && Number(await chat.evaluate('window.over')) < 3; i++)
    await mouse.move(to.x + 60 + i, to.y + 20, { steps: 8 });
  await mouse.up();
  await keyboard.up('Shift');
}

test('a file of the Explorer that is dropped with Shift held becomes a mention', async () => {
  await drag('package.json');
  await composed(chat, '@file:package.json ');
  await chat.locator('.chip', { hasText: '@file:package.json' }).waitFor();
});
