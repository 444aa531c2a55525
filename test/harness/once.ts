// Asks one question through the real chat panel, headless, and prints what the panel shows.

import { join } from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { openPanel, type Panel, sendMessage } from './panel.ts';
import { projectRoot } from './program.ts';
import type { Settings } from './settings.ts';
import { takePicture } from './workbench.ts';

export type Question = { readonly text: string; readonly folder: string; readonly settings: Settings };

const engineLimit = 300_000;
const beginLimit = 30_000;
const answerLimit = 300_000;

/** `opened` gets the panel as soon as there is one, so that an interruption can close it. */
export async function askOnce(question: Question, opened: (panel: Panel) => void): Promise<void> {
  const panel = await openPanel({ folder: question.folder, settings: question.settings });
  opened(panel);
  const picture = join(projectRoot, 'out', 'once.png');
  try {
    await waitForEngine(panel.chat);
    await ask(panel.chat, question.text);
    await printAnswer(panel.chat);
  } catch (error) {
    // The reason is what counts: a page that is already gone must not put a complaint about its picture in its place.
    await takePicture(panel.page, picture).then(
      () => console.error(`Picture: ${picture}`),
      (trouble: unknown) => console.error(`no picture could be taken: ${String(trouble).split('\n')[0]}`),
    );
    throw error;
  }
  await takePicture(panel.page, picture);
  console.log(`Picture: ${picture}`);
}

async function waitForEngine(chat: Frame): Promise<void> {
  const settled = chat.locator('[data-engine="ready"], [data-engine="failed"]').first();
  await within(
    settled.waitFor({ state: 'attached', timeout: engineLimit }),
    `the model was not ready within ${engineLimit / 1000} s`,
  );
  await failIfEngineFailed(chat);
}

async function failIfEngineFailed(chat: Frame): Promise<void> {
  if ((await chat.locator('[data-engine="failed"]').count()) === 0) return;
  const told = await chat.locator('.engine-message, .engine .advice').all();
  const words = (await Promise.all(told.map(shownText))).join(' ') || 'the panel gives no reason';
  throw new Error(`the model could not be started: ${words}`);
}

async function ask(chat: Frame, text: string): Promise<void> {
  await sendMessage(chat, text);
  const begun = chat.locator('[data-running="true"], .message.assistant').first();
  await within(begun.waitFor({ state: 'attached', timeout: beginLimit }), 'the panel did not take the question');
  const ended = chat.locator('[data-engine="failed"], [data-running="false"]').first();
  await within(ended.waitFor({ state: 'attached', timeout: answerLimit }), `no answer within ${answerLimit / 1000} s`);
  await failIfEngineFailed(chat);
}

async function printAnswer(chat: Frame): Promise<void> {
  for (const found of await chat.locator('.info', { hasText: 'Found:' }).all()) await printFound(found);
  for (const step of await chat.locator('.step-title').all()) console.log(`- ${oneLine(await shownText(step))}`);
  const answer = chat.locator('.message.assistant').last().locator('.markdown').last();
  if ((await answer.count()) === 0) {
    throw new Error(`the turn ended without an answer. The panel shows:\n${await shownText(chat.locator('body'))}`);
  }
  console.log(`\n${await shownText(answer)}\n`);
  const budget = chat.locator('.context-bar').first();
  if ((await budget.count()) > 0) console.log(oneLine(await shownText(budget)));
}

/** The places that were found, and the reason why they may not be what is meant. */
async function printFound(found: Locator): Promise<void> {
  await found.locator('summary').click();
  console.log(oneLine(await shownText(found.locator('summary'))));
  const [weak] = await found.locator('.markdown > p').allInnerTexts();
  if (weak !== undefined) console.log(oneLine(weak));
  for (const lines of await found.locator('pre').allInnerTexts()) console.log(`- ${lines.trim().split('\n')[0]}`);
}

async function shownText(element: Locator): Promise<string> {
  return (await element.innerText()).trim();
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Playwright's time-out speaks of selectors; the reader wants to know what did not happen. */
async function within<T>(work: Promise<T>, complaint: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') throw new Error(complaint, { cause: error });
    throw error;
  }
}
