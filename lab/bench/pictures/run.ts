// `npm run bench -- pictures --model FILE`: the animation of the README and the pictures of the walkthrough, from the real panel with a
// real model. What is shown is what the model wrote.
import { cpSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Frame, Locator } from 'playwright-core';
import sharp from 'sharp';
import { openPanel, type Panel } from '../../../test/harness/panel.ts';
import { projectRoot } from '../../../test/harness/program.ts';
import { type Settings, type Theme, workbenchSettings } from '../../../test/harness/settings.ts';
import { contextFrame } from '../../../test/harness/workbench.ts';
import { temporary } from '../../../test/temporary.ts';
import { setWidth } from '../../../test/ui/scenes/panelSteps.ts';
import { Recorder } from './animation.ts';

const { values } = parseArgs({ options: { model: { type: 'string' }, out: { type: 'string' } } });
if (values.model === undefined) {
  process.stderr.write('usage: npm run bench -- pictures --model FILE [--out FOLDER]\n');
  process.exit(2);
}
const media = values.out ?? join(projectRoot, 'media');
const viewport = { width: 1100, height: 760 };
const sideBar = 440;
const themes: readonly Theme[] = ['dark', 'light'];

const folder = temporary('tm-pictures-');
cpSync(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });

async function opened(
  settings: Settings,
): Promise<{ panel: Panel; chat: Frame; theme: (look: Theme) => Promise<void> }> {
  let now = workbenchSettings('dark', { 'tidemark.model.contextSize': 4096, ...settings });
  const panel = await openPanel({ folder, settings: now, viewport });
  panel.page.setDefaultTimeout(180_000);
  await setWidth(panel.page, sideBar);
  const file = join(panel.server.directory, 'data', 'Machine', 'settings.json');
  const theme = async (look: Theme) => {
    now = { ...now, 'workbench.colorTheme': workbenchSettings(look)['workbench.colorTheme'] ?? null };
    // At once: a file that is read half would be one without a model.
    writeFileSync(`${file}.new`, JSON.stringify(now));
    renameSync(`${file}.new`, file);
    await panel.page.waitForTimeout(1200);
  };
  return { panel, chat: panel.chat, theme };
}

/** A part of the side bar, in each of the themes. `top` and `height` are of the side bar, in pixels. */
async function keep(
  { panel, theme }: { panel: Panel; theme: (look: Theme) => Promise<void> },
  name: string,
  { top, height, looks = themes }: { readonly top: number; readonly height: number; readonly looks?: readonly Theme[] },
): Promise<void> {
  const box = await panel.page.locator('.part.sidebar').boundingBox();
  if (box === null) throw new Error('there is no side bar');
  for (const look of looks) {
    await theme(look);
    await panel.page.mouse.move(viewport.width - 60, viewport.height - 60);
    const clip = { x: box.x, y: box.y + top, width: box.width, height: Math.min(height, box.height - top) };
    const picture = await panel.page.screenshot({ clip, animations: 'disabled' });
    const small = await sharp(picture).png({ palette: true, colours: 48, effort: 10 }).toBuffer();
    writeFileSync(join(media, `${name}-${look}.png`), small);
  }
  await theme('dark');
}

const firstRun = await opened({});
await firstRun.chat.locator('.welcome vscode-button', { hasText: 'Choose a GGUF File' }).waitFor();
await keep(firstRun, 'walkthrough/first-run', { top: 0, height: 300 });
await firstRun.panel.close();

const scene = await opened({ 'tidemark.model.path': values.model, 'tidemark.generation.temperature': 0 });
const { panel, chat } = scene;
const { page } = panel;
await chat.locator('[data-engine="ready"]').waitFor();
await chat.locator('.context-bar[title*="Cache warm"]').waitFor();
const box = await page.locator('.part.sidebar').boundingBox();
if (box === null) throw new Error('there is no side bar');
const film = new Recorder(page, {
  x: box.x,
  y: 30,
  width: viewport.width - Math.ceil(box.x),
  height: viewport.height - 54,
});
const composer = chat.locator('.composer textarea');

await openFile('duration.ts');
await composer.click();
await film.record(
  { caption: 'The question is read while it is typed', faster: 9 },
  async () => {
    await page.keyboard.type('Where is parseDuration defined?', { delay: 90 });
    await chat.locator('.found summary').waitFor();
    // The rest of the question is read once it is sent.
    await chat.locator('.context-cost', { hasText: /in (?:\d+ ms|[01]\.\d s)|^\+\d+ tokens/ }).waitFor();
  },
  400,
);
await film.record({ caption: 'The first word comes at once', faster: 6 }, answered, 700);
await keep(scene, 'walkthrough/answer', { top: 0, height: 430 });
await composer.click();
await film.record(
  { caption: 'The second question costs its own tokens', faster: 12 },
  async () => {
    await page.keyboard.type('Which units does it know?', { delay: 60 });
    await answered();
  },
  700,
);
const context = await contextFrame(page, chat);
await context.locator('.status-line.warm').waitFor();
await film.record(
  { caption: 'The window fills; passages that no answer used are pruned', faster: 120 },
  async () => {
    for (const name of ['forecast', 'harmonics', 'stations', 'report']) {
      await composer.fill(`@file:src/${name}.ts What does this file do? One sentence.`);
      await answered();
    }
  },
  1200,
);
await page.setViewportSize({ ...viewport, height: 1100 });
await page.waitForTimeout(1000);
const contextTop = await topOf(page.locator('.pane-header[aria-label^="Context"]'));
await context.locator('[role="tab"]', { hasText: 'Contents' }).click();
await keep(scene, 'contents', { top: contextTop, height: 430, looks: ['dark'] });
await page.setViewportSize(viewport);
await page.waitForTimeout(1000);
await film.record({ caption: 'Five lines are edited in place', faster: 16 }, editInPlace, 1500);
const { bytes, seconds } = await film.save(join(media, 'tour.gif'), 2000);
await panel.close();
process.stdout.write(`tour.gif: ${(bytes / 1e6).toFixed(2)} MB, ${seconds.toFixed(1)} s\n`);

/** Sends the draft, and waits until its answer has ended. */
async function answered(): Promise<void> {
  await composer.press('Enter');
  await chat.locator('[data-running="true"]').waitFor();
  await chat.locator('[data-running="false"]').waitFor();
  await chat.locator('.context-bar[title*="Cache warm"]').waitFor();
}

async function openFile(name: string): Promise<void> {
  await page.keyboard.press('Control+p');
  await page.locator('.quick-input-widget input[type="text"]').fill(name);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
  await page.locator('.tab.active', { hasText: name }).waitFor();
}

async function editInPlace(): Promise<void> {
  await page.locator('.editor-instance .view-line').first().click();
  await page.keyboard.press('Control+g');
  await page.keyboard.type('16');
  await page.keyboard.press('Enter');
  for (let line = 0; line < 5; line++) await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Control+Alt+r');
  const quick = page.locator('.quick-input-widget');
  await quick.filter({ hasText: /tokens to read/ }).waitFor();
  await page.keyboard.type('rename total to seconds', { delay: 60 });
  await page.keyboard.press('Enter');
  await page.locator('.codelens-decoration', { hasText: 'Keep' }).first().waitFor();
}

async function topOf(header: Locator): Promise<number> {
  const at = await header.boundingBox();
  return (at?.y ?? 0) - (box?.y ?? 0);
}
