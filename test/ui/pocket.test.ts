// The whole road with nothing scripted: the pocket model answers in the real panel, pictured in three themes.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openPanel, sendMessage } from '../harness/panel.ts';
import { projectRoot } from '../harness/program.ts';
import { contextFrame, takePicture } from '../harness/workbench.ts';
import { setTheme, themes } from './scenes/panelSteps.ts';

const folder = join(projectRoot, 'test', 'fixtures', 'sample');
const settings = {
  'tidemark.model.path': join(projectRoot, 'test', 'fixtures', 'pocket.gguf'),
  'tidemark.model.contextSize': 4096,
  'tidemark.generation.reserve': 256,
  'tidemark.generation.temperature': 0,
};
const viewport = { width: 1280, height: 1000 };

/** Drags the border between side bar and editor to the right. */
async function widenSideBar(page: Page): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  assert.ok(box !== null);
  await page.mouse.move(box.x + box.width, 300);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width + 140, 300, { steps: 5 });
  await page.mouse.up();
}

test('the pocket model names file and line after a look-up, and looks right in three themes', async () => {
  const panel = await openPanel({ folder, settings, viewport });
  const { chat, page } = panel;
  const picture = (name: string) => takePicture(page, join(projectRoot, 'out', `panel-${name}.png`));
  try {
    await chat.locator('[data-engine="ready"]').waitFor();
    await widenSideBar(page);
    await sendMessage(chat, 'Where is parseDuration defined?');
    const place = chat.locator('.message.assistant .place', { hasText: 'src/duration.ts:14' });
    await place.waitFor();
    assert.match(await chat.locator('.step-title').innerText(), /Looked up "parseDuration"/);
    assert.match(await chat.locator('.engine').innerText(), /Tiny demo model/);
    await place.click();
    await page.locator('.tab', { hasText: 'duration.ts' }).waitFor();
    await chat.locator('[data-running="false"]').waitFor();
    const context = await contextFrame(page, chat);
    await context.locator('.item', { hasText: 'Answer:' }).waitFor();
    await context.locator('.status-line.warm').waitFor();
    for (const theme of ['dark', 'light', 'highContrast'] as const) {
      await setTheme(page, themes[theme]);
      await page.mouse.move(900, 600);
      await picture(theme);
    }
  } catch (error) {
    await picture('failed');
    throw error;
  } finally {
    await panel.close();
  }
});
