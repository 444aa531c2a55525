// The mode Edit in the real panel: chosen in the composer, a change is asked for with its diff, made after a yes, left out after a no.
import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { openPanel, type Panel, sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { takePicture } from '../../harness/workbench.ts';
import { temporary } from '../../temporary.ts';
import { findings } from '../scenes/axe.ts';
import { setTheme, themes } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const folder = temporary('tm-edit-');
const settings = { 'tidemark.model.path': '/models/scripted.gguf', 'tidemark.model.contextSize': 4096 };
const stations = () => readFileSync(join(folder, 'src', 'stations.ts'), 'utf8');
const request = 'Set the mean level of Brest to 4.2.';

let panel: Panel;
let chat: Frame;

before(async () => {
  cpSync(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings });
  chat = panel.chat;
  await chat.locator('[data-engine="ready"]').waitFor();
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
  const before = stations();
  await sendMessage(chat, request);
  await chat.locator('.approval', { hasText: 'Make this change?' }).waitFor();
  assert.match(await chat.locator('.approval').innerText(), /meanLevel: 4\.13,[\s\S]*meanLevel: 4\.2,/);
  assert.equal(stations(), before, 'nothing is written before the answer');
  for (const [name, theme] of Object.entries(themes)) {
    await setTheme(panel.page, theme);
    await takePicture(panel.page, join(projectRoot, 'out', 'ui', `edit-asks-${name}.png`));
  }
  assert.deepEqual(await findings(chat), []);
  await answerNow('Do Not Allow');
  assert.equal(stations(), before);
});

test('after a yes the one line is changed on disk, and the step says so', async () => {
  const before = stations();
  await sendMessage(chat, request);
  await chat.locator('.approval').waitFor();
  await answerNow('Allow');
  assert.equal(stations(), before.replace('meanLevel: 4.13,', 'meanLevel: 4.2,'));
  await takePicture(panel.page, join(projectRoot, 'out', 'ui', 'edit-made.png'));
});

test('a new conversation asks again, and has no tool that writes', async () => {
  await sendMessage(chat, '/new');
  await chat.locator('.mode-switch', { hasText: 'Ask' }).waitFor();
  const before = stations();
  await sendMessage(chat, request);
  await chat.locator('[data-running="true"]').waitFor();
  await chat.locator('[data-running="false"]').waitFor();
  assert.equal(await chat.locator('.approval').count(), 0);
  assert.equal(stations(), before);
});
