// The intent of a message in the real panel: its chips, their keys and crosses, a command that runs after one yes, and the button that asks for a fix.
import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import type { Panel } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { takePicture } from '../../harness/workbench.ts';
import { temporary } from '../../temporary.ts';
import { findings } from '../scenes/axe.ts';
import { overflow, setTheme, setWidth, themes } from '../scenes/panelSteps.ts';
import { openScriptedPanel } from '../scenes/scriptedPanel.ts';

const folder = temporary('tm-intent-');
const picture = (name: string) => join(projectRoot, 'out', 'ui', `intent-${name}.png`);

let panel: Panel;
let chat: Frame;

before(async () => {
  cpSync(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    '{ "name": "a", "scripts": { "lint": "true", "test": "echo src/duration.ts:14: it is not two; exit 1" } }\n',
  );
  panel = await openScriptedPanel(folder, 'calls');
  chat = panel.chat;
});

after(() => panel?.close());

const area = () => chat.locator('.composer textarea');
const chip = (words: string | RegExp) => chat.locator('.intent-act', { hasText: words });
const idle = () => chat.locator('[data-running="false"]').waitFor();

test('a chip says what the message wants, and Alt+Down makes it something else; the chips are gone with the words', async () => {
  await area().fill('Where is parseDuration?');
  await chip('Answers').waitFor();
  for (const words of ['Shows a change', 'Runs', 'Shows a new file', 'Answers']) {
    await area().press('Alt+ArrowDown');
    await chip(words).waitFor();
  }
  await area().fill('');
  await chat.locator('.intent-chip').first().waitFor({ state: 'detached' });
});

test('files of a change have a cross each, reached by the keyboard; the act has one that makes it an answer', async () => {
  await area().fill('Rename limit in src/duration.ts and src/stations.ts');
  await chip('Answers').waitFor();
  await area().press('Alt+ArrowDown');
  const file = chat.locator('.intent-chip', { hasText: 'src/stations.ts' });
  await file.waitFor();
  await chip('Shows a change').focus();
  for (let at = 0; at < 3; at++) await panel.page.keyboard.press('Tab');
  await panel.page.keyboard.press('Enter');
  await file.waitFor({ state: 'detached' });
  for (const [name, theme] of Object.entries(themes)) {
    await setTheme(panel.page, theme);
    await takePicture(panel.page, picture(`change-${name}`));
  }
  assert.deepEqual([await findings(chat), await overflow(chat)], [[], []]);
  await setWidth(panel.page, 230);
  assert.deepEqual(await overflow(chat), []);
  await setWidth(panel.page, 300);
  await chat.getByRole('button', { name: 'It asks for an answer' }).click();
  await chip('Answers').waitFor();
  await area().fill('');
});

test('a command of the project runs after one yes, its output is open, and one click tries to fix it: what does not help is taken back', async () => {
  await area().fill('Please see whether all is well');
  await chip('Answers').waitFor();
  await area().press('Alt+ArrowDown');
  await chip('Shows a change').waitFor();
  await area().press('Alt+ArrowDown');
  await chip('Runs').waitFor();
  assert.equal(await chat.locator('.intent-chip select').inputValue(), 'npm run test');
  await area().press('Enter');
  const approval = chat.locator('.approval', { hasText: 'Run this command?' });
  await approval.locator('vscode-button', { hasText: /^Run/ }).first().click();
  await approval.waitFor({ state: 'detached' });
  await chat.locator('.step pre', { hasText: 'it is not two' }).waitFor();
  await idle();
  for (const [name, theme] of Object.entries(themes)) {
    await setTheme(panel.page, theme);
    await takePicture(panel.page, picture(`failed-${name}`));
  }
  assert.deepEqual(await findings(chat), []);
  await chat.getByRole('button', { name: 'Fix this' }).focus();
  await panel.page.keyboard.press('Enter');
  await chat.locator('.mode-switch', { hasText: 'Edit' }).waitFor();
  const told = (words: RegExp) => chat.locator('[data-kind="info"], .info', { hasText: words }).last();
  await told(/at most 8 changes are tried/).waitFor();
  await told(/1 failure of 1 left: the output names none\. 8 changes were tried in \d+ s, 0 kept\./).waitFor({
    timeout: 120_000,
  });
  await idle();
  assert.equal(await chat.locator('.message.user', { hasText: 'Fix src/duration.ts.' }).count(), 0);
  for (const [name, theme] of Object.entries(themes)) {
    await setTheme(panel.page, theme);
    await takePicture(panel.page, picture(`fix-${name}`));
  }
  assert.deepEqual(await findings(chat), []);
  // In a mode that changes files the next message may want the same.
  await area().fill('Please see whether all is well');
  await chip('Changes').waitFor();
  for (const words of ['Runs', 'Fixes what fails']) {
    await area().press('Alt+ArrowDown');
    await chip(words).waitFor();
  }
  await takePicture(panel.page, picture('fixes'));
  assert.deepEqual([await findings(chat), await overflow(chat)], [[], []]);
  await area().fill('');
});
