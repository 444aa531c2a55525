// Answers to a message that was asked in other words: each can be reached below the answer, by mouse and by keyboard.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { type Panel, sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { takePicture } from '../../harness/workbench.ts';
import { setTheme, themes } from '../scenes/panelSteps.ts';
import { openScriptedPanel } from '../scenes/scriptedPanel.ts';

let panel: Panel;
let chat: Frame;

before(async () => {
  panel = await openScriptedPanel();
  chat = panel.chat;
});

after(() => panel?.close());

const answered = (text: string) =>
  chat
    .locator('.message.assistant', { hasText: `You said: ${text}` })
    .last()
    .waitFor();
const idle = () => chat.locator('[data-running="false"]').waitFor();
const branches = () => chat.locator('.branches');
const button = (name: string) => chat.locator(`.branches [aria-label="${name}"]`);

test('an edited message has two answers, one shown, and the way between them goes there and back', async () => {
  await sendMessage(chat, 'tides');
  await answered('tides');
  await idle();
  assert.equal(await branches().count(), 0);
  await chat.locator('vscode-button[aria-label="Edit and resend"]').click();
  await chat.locator('.message.user.editing textarea:focus').fill('currents');
  await chat.locator('.message.user.editing vscode-button', { hasText: 'Send' }).click();
  await answered('currents');
  await idle();
  assert.equal((await branches().innerText()).trim(), '2/2');
  assert.ok(await button('Next answer').isDisabled());
  for (const [name, theme] of Object.entries(themes)) {
    await setTheme(panel.page, theme);
    await takePicture(panel.page, join(projectRoot, 'out', 'ui', `branches-${name}.png`));
  }
  await button('Previous answer').click();
  await answered('tides');
  assert.equal((await branches().innerText()).trim(), '1/2');
  assert.equal(await chat.locator('.message.assistant', { hasText: 'currents' }).count(), 0);
  await button('Next answer').focus();
  await panel.page.keyboard.press('Enter');
  await answered('currents');
  assert.equal((await branches().innerText()).trim(), '2/2');
});

test('what is said in a branch stays with it', async () => {
  await button('Previous answer').click();
  await answered('tides');
  await sendMessage(chat, 'and harbours');
  await answered('and harbours');
  await idle();
  await button('Next answer').click();
  await answered('currents');
  assert.equal(await chat.locator('.message', { hasText: 'and harbours' }).count(), 0);
  await button('Previous answer').click();
  await answered('and harbours');
});

test('a message that is edited has the focus and is in sight; Escape leaves it as it was, Enter asks again', async () => {
  const { keyboard } = panel.page;
  const area = chat.locator('.message.user.editing textarea');
  const edit = () => chat.locator('vscode-button[aria-label="Edit and resend"]').last().click();
  await sendMessage(chat, 'harbours');
  await answered('harbours');
  await idle();
  await edit();
  await chat.locator('.message.user.editing textarea:focus').waitFor();
  const [form, list] = [
    await chat.locator('.message.user.editing').boundingBox(),
    await chat.locator('.entries').boundingBox(),
  ];
  assert.ok(form !== null && list !== null && form.y + form.height > list.y && form.y < list.y + list.height);
  await keyboard.type('XYZ');
  assert.ok((await area.inputValue()).endsWith('XYZ'), 'the caret is at the end');
  await keyboard.press('Escape');
  await area.waitFor({ state: 'detached' });
  await edit();
  await chat.locator('.message.user.editing textarea:focus').waitFor();
  await area.fill('short');
  await keyboard.press('Enter');
  await answered('short');
  await idle();
});
