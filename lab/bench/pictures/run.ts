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
const question = 'Explain step by step how parseDuration works.';

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

/** A part of the side bar, in each theme. `top` and `height` are of the side bar, in pixels. */
async function keep(
  { panel, theme }: { panel: Panel; theme: (look: Theme) => Promise<void> },
  name: string,
  { top, height }: { readonly top: number; readonly height: number },
): Promise<void> {
  const box = await panel.page.locator('.part.sidebar').boundingBox();
  if (box === null) throw new Error('there is no side bar');
  for (const look of themes) {
    await theme(look);
    await panel.page.mouse.move(viewport.width - 60, viewport.height - 60);
    const clip = { x: box.x, y: box.y + top, width: box.width, height: Math.min(height, box.height - top) };
    const picture = await panel.page.screenshot({ clip, animations: 'disabled' });
    const small = await sharp(picture).png({ palette: true, colours: 48, effort: 10 }).toBuffer();
    writeFileSync(join(media, 'walkthrough', `${name}-${look}.png`), small);
  }
  await theme('dark');
}

const firstRun = await opened({});
await firstRun.chat.locator('.welcome vscode-button', { hasText: 'Choose a GGUF File' }).waitFor();
await keep(firstRun, 'first-run', { top: 0, height: 300 });
await firstRun.panel.close();

const scene = await opened({ 'tidemark.model.path': values.model, 'tidemark.generation.temperature': 0 });
const { panel, chat } = scene;
const { page } = panel;
await chat.locator('[data-engine="ready"]').waitFor();
await chat.locator('.context-bar', { hasText: ', warm' }).waitFor();
const box = await page.locator('.part.sidebar').boundingBox();
if (box === null) throw new Error('there is no side bar');
const film = new Recorder(page, { ...box, width: Math.round(box.width), height: Math.round(box.height) });
const answered = () => chat.locator('[data-running="false"]').waitFor();

await chat.locator('.composer textarea').click();
film.start();
await page.keyboard.type(question, { delay: 60 });
await opensAndCloses(chat.locator('.found summary'));
await page.keyboard.press('Enter');
await chat.locator('[data-running="true"]').waitFor();
await answered();
await film.stop(1500);
await keep(scene, 'answer', { top: 0, height: 430 });
film.start();
const context = await contextFrame(page, chat);
await context.locator('.status-line.warm').waitFor();
await film.stop(2000);
film.start();
await context.locator('[role="tab"]', { hasText: 'Performance' }).click();
await context.locator('table.calls').first().waitFor();
await film.stop(3000);
const bytes = await film.save(join(media, 'tour.gif'), 2500);
await page.setViewportSize({ ...viewport, height: 1100 });
await page.waitForTimeout(1000);
const contextTop = await topOf(page.locator('.pane-header[aria-label^="Context"]'));
await keep(scene, 'performance', { top: contextTop, height: 430 });
await context.locator('[role="tab"]', { hasText: 'Contents' }).click();
await keep(scene, 'contents', { top: contextTop, height: 430 });
await panel.close();
process.stdout.write(`tour.gif: ${(bytes / 1e6).toFixed(2)} MB\n`);

async function opensAndCloses(row: Locator): Promise<void> {
  await row.waitFor();
  await page.waitForTimeout(400);
  await row.click();
  await page.waitForTimeout(1800);
  await row.click();
  await chat.locator('.composer textarea').click();
}

async function topOf(header: Locator): Promise<number> {
  const at = await header.boundingBox();
  return (at?.y ?? 0) - (box?.y ?? 0);
}
