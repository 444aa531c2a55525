// The plan of a task in the real panel, with a model that calls tools: above the message box while it goes on, and on the work board by a word.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { type Panel, sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { takePicture } from '../../harness/workbench.ts';
import { findings } from '../scenes/axe.ts';
import { overflow, setTheme, themes } from '../scenes/panelSteps.ts';
import { openScriptedPanel } from '../scenes/scriptedPanel.ts';

let panel: Panel;
let chat: Frame;

before(async () => {
  panel = await openScriptedPanel(undefined, 'scripted-calls');
  chat = panel.chat;
  await sendMessage(chat, '/probe');
  await chat.locator('.info', { hasText: 'Calls tools by itself.' }).waitFor();
  await chat.locator('.mode-switch').click();
  await panel.page.locator('.quick-input-list .monaco-list-row', { hasText: 'asks before each change' }).click();
  await chat.locator('.mode-switch', { hasText: 'Edit' }).waitFor();
});

after(() => panel?.close());

const bar = () => chat.locator('.plan');

async function plan(first: string, second: string): Promise<void> {
  const steps = [
    { text: 'Add a test for <b>', state: first },
    { text: 'Mend it', state: second },
  ];
  const call = JSON.stringify({ name: 'update_plan', arguments: { steps } });
  await sendMessage(chat, `Answer with:\n<tool_call>\n${call}\n</tool_call>\nEnd.`);
  await chat.locator('[data-running="true"]').waitFor();
  await chat.locator('[data-running="false"]').waitFor();
}

test('the steps that the model writes down stand above the message box, without a question', async () => {
  await plan('done', 'doing');
  assert.equal(await chat.locator('.approval').count(), 0);
  assert.match(await bar().innerText(), /Plan: 1 of 2 done\s+Add a test for <b>\s+Mend it/);
  for (const [name, theme] of Object.entries(themes)) {
    await setTheme(panel.page, theme);
    await takePicture(panel.page, join(projectRoot, 'out', 'ui', `plan-${name}.png`));
  }
  assert.deepEqual([await findings(chat), await overflow(chat)], [[], []]);
});

test('closed, it says what is being done', async () => {
  await bar().locator('summary').click();
  await bar().locator('.plan-now', { hasText: 'Mend it' }).waitFor();
  await bar().locator('summary').click();
});

test('a step reaches the work board by a word', async () => {
  await sendMessage(chat, '/work');
  await chat.locator('.info', { hasText: "The model's plan in this conversation" }).waitFor();
  await sendMessage(chat, '/work take P2');
  await chat.locator('.info', { hasText: 'Added as number 1: Mend it' }).waitFor();
});

test('it stays while it is unfinished, and is over with the message after its end', async () => {
  await sendMessage(chat, 'What now?');
  await chat.locator('.message', { hasText: 'You said: What now?' }).waitFor();
  assert.match(await bar().innerText(), /1 of 2/);
  await plan('done', 'done');
  assert.match(await bar().innerText(), /2 of 2/);
  await sendMessage(chat, 'And now?');
  await bar().waitFor({ state: 'detached' });
});

test('the conversation that is opened again has its plan', async () => {
  await plan('open', 'open');
  const first = await bar().innerText();
  await sendMessage(chat, '/new');
  await bar().waitFor({ state: 'detached' });
  await sendMessage(chat, '/conversations');
  await chat.locator('.info', { hasText: 'Answer with' }).waitFor();
  await sendMessage(chat, '/conversations open 1');
  await bar().waitFor();
  assert.equal(await bar().innerText(), first);
});
