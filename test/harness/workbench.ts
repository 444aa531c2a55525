// Moves about in the page of a VS Code: opens it, finds Tidemark's views, runs commands, takes pictures.

import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import type { CodeServer } from './codeServer.ts';

const paintLimit = 90_000;
const viewLimit = 60_000;

/** Loads the workbench and waits until it is painted. */
export async function openWorkbench(page: Page, server: CodeServer): Promise<void> {
  await page.goto(server.address([['skipWelcome', 'true']]), { waitUntil: 'domcontentloaded', timeout: paintLimit });
  await page.locator('.monaco-workbench .activitybar').waitFor({ timeout: paintLimit });
}

/** Opens Tidemark's side bar by its command: a click on the icon would close one that is there, or that the editor is about to bring back. */
export async function openTidemarkView(page: Page): Promise<void> {
  await page.locator('.activitybar .action-label[aria-label^="Tidemark"]').first().waitFor({ timeout: viewLimit });
  // With one view alone its title is the side bar's.
  const title = page.locator('.part.sidebar .composite.title', { hasText: /tidemark/i });
  if (!(await title.isVisible())) await runCommandByKeyboard(page, 'Focus on Chat View');
  await title.waitFor({ timeout: viewLimit });
}

/**
 * The document of a Tidemark view ("Chat", "Context"): <iframe class="webview" src=".../webview/browser/pre/...extensionId=..."> holds
 * <iframe id="active-frame" title="Chat">. Views of hidden containers stay in the page, so only a visible one counts.
 */
export async function webviewFrame(page: Page, title: string, limit: number = viewLimit): Promise<Frame> {
  const end = Date.now() + limit;
  while (Date.now() < end) {
    for (const frame of page.frames()) {
      if (await isView(frame, title)) return frame;
    }
    await page.waitForTimeout(50);
  }
  const seen = page.frames().map((frame) => frame.url().slice(0, 120));
  throw new Error(
    `The view "${title}" did not appear within ${limit / 1000} s. Frames of the page:\n${seen.join('\n')}`,
  );
}

/** The Context view is hidden until the line at the foot of the chat is clicked, which also closes it. */
export async function contextFrame(page: Page, chat: Frame): Promise<Frame> {
  const line = chat.locator('.context-bar');
  if ((await line.getAttribute('aria-expanded')) !== 'true') await line.click();
  return webviewFrame(page, 'Context');
}

async function isView(frame: Frame, title: string): Promise<boolean> {
  const outer = frame.parentFrame();
  const address = outer?.url().toLowerCase() ?? '';
  if (
    outer === null ||
    !address.includes('/webview/browser/pre/') ||
    !address.includes('extensionid=tidemark.tidemark')
  )
    return false;
  try {
    const element = await frame.frameElement();
    if ((await element.getAttribute('id')) !== 'active-frame' || (await element.getAttribute('title')) !== title)
      return false;
    return await (await outer.frameElement()).isVisible();
  } catch (error) {
    // The frame went away between two looks (VS Code swaps frames when a view is filled): the next round sees its successor.
    if (frame.isDetached() || outer.isDetached()) return false;
    throw error;
  }
}

/** Runs a command by its full title through the command palette. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await inPalette(page, title, async (limit) => {
    await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click({ timeout: limit });
  });
}

/** The same without the mouse. Enter before the list shows the command would run another one. */
export async function runCommandByKeyboard(page: Page, title: string): Promise<void> {
  await inPalette(page, title, async (limit) => {
    const row = page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title });
    await row.waitFor({ timeout: limit });
    await page.keyboard.press('Enter');
  });
}

async function inPalette(page: Page, title: string, choose: (limit: number) => Promise<void>): Promise<void> {
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first();
  const end = Date.now() + viewLimit;
  const widget = page.locator('.quick-input-widget');
  const open = async () => {
    // A list that was just chosen from closes late, and would take the palette with it; one that stays open gives way to it.
    await widget.waitFor({ state: 'hidden', timeout: 2000 }).catch(() => undefined);
    await page.keyboard.press('F1');
    await widget.locator('input[type="text"]').fill(`>${title}`, { timeout: viewLimit });
    return row.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    );
  };
  // The palette lists what is registered when it opens; in a window that was just loaded an extension's commands come later.
  while (!(await open()) && Date.now() < end) await page.keyboard.press('Escape');
  await choose(viewLimit);
}

/** A picture of the whole page, without a tooltip under the mouse and without running animations. */
export async function takePicture(page: Page, file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const size = page.viewportSize() ?? { width: 1400, height: 900 };
  await page.mouse.move(size.width / 2, size.height / 2);
  await page.waitForTimeout(500);
  await page.screenshot({ path: file, animations: 'disabled' });
}
