// Steps that several panel tests take: a command and its answer, themes, widths, and what the keyboard reaches.
import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';
import { sendMessage } from '../../harness/panel.ts';
import { runCommand } from '../../harness/workbench.ts';

/** Sends a command and gives its answer. */
export async function ask(chat: Frame, command: string): Promise<string> {
  // Rows that are far away are not in the document, so they cannot be counted.
  await chat.evaluate("document.querySelectorAll('.info').forEach((info) => { info.dataset.old = 'true'; })");
  await sendMessage(chat, command);
  const answer = chat.locator('.info:not([data-old])').last();
  await answer.waitFor();
  return answer.innerText();
}

/** Sends a message and waits until its turn ended. */
export async function say(chat: Frame, text: string): Promise<void> {
  await chat.evaluate(`{
    const main = document.querySelector('main');
    let ran = false;
    window.turned = new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error('no turn ended within a minute')), 60_000);
      new MutationObserver(() => {
        if (main.dataset.running === 'true') ran = true;
        else if (ran) resolve();
      }).observe(main, { attributes: true });
    });
    // The caller waits for the last value, so it must not be the promise.
    undefined;
  }`);
  await sendMessage(chat, text);
  await chat.evaluate('window.turned');
}

/** Waits until the composer holds these words. */
export async function composed(chat: Frame, words: string): Promise<void> {
  const area = chat.locator('.composer textarea');
  for (let i = 0; i < 100 && (await area.inputValue()) !== words; i++) await chat.page().waitForTimeout(50);
  assert.equal(await area.inputValue(), words);
}

export async function setWidth(page: Page, width: number): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  assert.ok(box !== null);
  await page.mouse.move(box.x + box.width, 200);
  await page.mouse.down();
  await page.mouse.move(box.x + width, 200, { steps: 5 });
  await page.mouse.up();
}

/** A theme's name in the list, and the class of the workbench then. */
export const themes = {
  dark: ['Dark Modern', 'vs-dark'],
  light: ['Light Modern', 'vs'],
  highContrast: ['Dark High Contrast', 'hc-black'],
} as const;

/** Chooses a theme as a user does. */
export async function setTheme(page: Page, [name, kind]: readonly [string, string]): Promise<void> {
  await runCommand(page, 'Preferences: Color Theme');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Light Modern' }).waitFor();
  await page.locator('.quick-input-widget input[type="text"]').fill(name);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
  await page.locator(`.monaco-workbench.${kind}`).waitFor();
}

/** Returns the elements that are wider than their view, but for those in something that scrolls by itself. */
export function overflow(frame: Frame): Promise<readonly string[]> {
  return frame.evaluate(`[...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && element.closest('pre, .markdown table, .formula *') === null)
    .map((element) => element.tagName + '.' + element.className)
    .slice(0, 5)`);
}

/** The controls of a view, and those of them that the Tab key does not reach. */
export async function tabStops(
  frame: Frame,
): Promise<{ readonly names: readonly string[]; readonly missed: readonly string[] }> {
  const controls = `[...document.querySelectorAll('summary, button, vscode-button, vscode-text-area')]
    .filter((control) => control.checkVisibility() && !control.hasAttribute('disabled'))
    // Only the chosen tab is a stop: the arrows lead to the others.
    .filter((control) => control.getAttribute('aria-selected') !== 'false')`;
  const names = (await frame.evaluate(
    `${controls}.map((control) => control.tagName + ' ' + (control.getAttribute('aria-label') || control.textContent.trim()))`,
  )) as readonly string[];
  await frame.evaluate(`${controls}[0].focus()`);
  const reached = new Set<number>();
  // Each scrolling element is a stop of its own, so there are more stops than controls.
  for (let i = 0; i < 2 * names.length; i++) {
    reached.add((await frame.evaluate(`${controls}.indexOf(document.activeElement)`)) as number);
    await frame.page().keyboard.press('Tab');
  }
  return { names, missed: names.filter((_, i) => !reached.has(i)) };
}
