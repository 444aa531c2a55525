// The conversation has most of the view: at the size in which the panel is used most, and with the Context view open what is left.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import type { Panel } from '../harness/panel.ts';
import { contextFrame } from '../harness/workbench.ts';
import { say, setWidth } from './scenes/panelSteps.ts';
import { openScriptedPanel } from './scenes/scriptedPanel.ts';

let panel: Panel;
let chat: Frame;

before(async () => {
  panel = await openScriptedPanel();
  chat = panel.chat;
  await panel.page.setViewportSize({ width: 1400, height: 900 });
  await setWidth(panel.page, 300);
});

after(() => panel?.close());

/** Returns the share of the side bar's height that the list of messages has; the bar's title counts too. */
async function shareOfList(): Promise<number> {
  const list = await chat.locator('.entries').boundingBox();
  const bar = await panel.page.locator('.part.sidebar').boundingBox();
  return (list?.height ?? 0) / (bar?.height ?? 1);
}

test('at 1400 x 900 with a side bar of 300 px the messages have 60 % of the view at least, also while an answer is written', async () => {
  assert.ok((await shareOfList()) >= 0.6, `${await shareOfList()} while it is empty`);
  await say(chat, 'Where is parseDuration defined?');
  assert.ok((await shareOfList()) >= 0.6, `${await shareOfList()} behind an answer`);
  await chat.locator('.composer textarea').fill('slow please');
  await panel.page.keyboard.press('Enter');
  await chat.locator('vscode-button[aria-label="Stop"]').waitFor();
  assert.ok((await shareOfList()) >= 0.6, `${await shareOfList()} while it is written`);
  await chat.locator('vscode-button[aria-label="Stop"]').click();
  console.log(`list of messages: ${Math.round(100 * (await shareOfList()))} % of the view`);
});

test('the line about the context opens the view with its tabs in sight, and closes it again', async () => {
  const context = await contextFrame(panel.page, chat);
  const tabs = await context.locator('[role="tablist"]').boundingBox();
  const rows = await context.locator('.layer').first().boundingBox();
  assert.ok(tabs !== null && rows !== null && rows.y + rows.height <= 900, 'the first parts are in sight');
  const before = await shareOfList();
  await chat.locator('.context-bar').click();
  await panel.page.locator('.pane-header[aria-label^="Context"]').waitFor({ state: 'detached' });
  assert.ok((await shareOfList()) > before + 0.2);
});
