// The mode Edit in the real panel, with a model that calls no tools: chosen in the composer, the block of an answer is asked for with its diff,
// made after a yes, left out after a no.
import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { type Panel, sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { takePicture } from '../../harness/workbench.ts';
import { temporary } from '../../temporary.ts';
import { findings } from '../scenes/axe.ts';
import { overflow, setTheme, themes } from '../scenes/panelSteps.ts';
import { openScriptedPanel } from '../scenes/scriptedPanel.ts';

const folder = temporary('tm-edit-');
const report = () => readFileSync(join(folder, 'src', 'report.ts'), 'utf8');
const request = 'Print the height with two digits.';

let panel: Panel;
let chat: Frame;

before(async () => {
  cpSync(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });
  panel = await openScriptedPanel(folder);
  chat = panel.chat;
});

after(() => panel?.close());

const answerNow = async (name: string) => {
  await chat.locator('.approval vscode-button', { hasText: new RegExp(`^\\s*${name}\\s*$`) }).click();
  await chat.locator('.approval').waitFor({ state: 'detached' });
  await chat.locator('[data-running="false"]').waitFor();
};

test('the mode is chosen in the composer, for this conversation', async () => {
  await chat.locator('.mode-switch').click();
  const rows = panel.page.locator('.quick-input-list .monaco-list-row');
  await rows.filter({ hasText: 'asks before each change' }).waitFor();
  await takePicture(panel.page, join(projectRoot, 'out', 'ui', 'edit-modes.png'));
  await rows.filter({ hasText: 'asks before each change' }).click();
  await chat.locator('.mode-switch', { hasText: 'Edit' }).waitFor();
});

test('after a no the file is as it was', async () => {
  const before = report();
  await sendMessage(chat, request);
  await chat.locator('.approval', { hasText: 'Make this change?' }).waitFor();
  assert.match(await chat.locator('.approval').innerText(), /toFixed\(1\)[\s\S]*toFixed\(2\)/);
  assert.equal(report(), before, 'nothing is written before the answer');
  for (const [name, theme] of Object.entries(themes)) {
    await setTheme(panel.page, theme);
    await takePicture(panel.page, join(projectRoot, 'out', 'ui', `edit-asks-${name}.png`));
  }
  assert.deepEqual([await findings(chat), await overflow(chat)], [[], []]);
  await answerNow('Do Not Allow');
  assert.equal(report(), before);
});

test('after a yes the one line is changed on disk, and the chat says so', async () => {
  const before = report();
  await sendMessage(chat, request);
  await chat.locator('.approval').waitFor();
  await answerNow('Allow');
  const [head, tail] = before.split(/^function printTurn[\s\S]*?^}$/m);
  assert.deepEqual(report().split(/^function printTurn[\s\S]*?^}$/m), [head, tail], 'the rest is as it was');
  assert.match(report(), /height\.toFixed\(2\)/);
  await chat.locator('.message', { hasText: 'src/report.ts' }).last().waitFor();
  await takePicture(panel.page, join(projectRoot, 'out', 'ui', 'edit-made.png'));
});

test('a new conversation keeps the mode, and asks for its first change again', async () => {
  await sendMessage(chat, '/new');
  await chat.locator('.message').first().waitFor({ state: 'detached' });
  await chat.locator('.mode-switch', { hasText: 'Edit' }).waitFor();
  cpSync(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });
  const before = report();
  await sendMessage(chat, request);
  await chat.locator('.approval').waitFor();
  await answerNow('Do Not Allow');
  assert.equal(report(), before);
});
