// From the first start without a model to questions out of the editor: welcome, model list, faults with buttons, side bars.

import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { openPanel, type Panel, sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { contextFrame, runCommand, runCommandByKeyboard, takePicture, webviewFrame } from '../../harness/workbench.ts';
import { temporary } from '../../temporary.ts';
import { findings } from '../scenes/axe.ts';
import { overflow, setTheme, setWidth, tabStops, themes } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const folder = join(temporary('tidemark-editor-'), 'sample');
cpSync(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });
const settings = { 'tidemark.model.contextSize': 2048 };
const picture = (name: string) => takePicture(panel.page, join(projectRoot, 'out', `editor-${name}.png`));
const models = temporary('tidemark-models-');
const file = (name: string, bytes: number) => {
  writeFileSync(join(models, name), Buffer.alloc(bytes));
  return join(models, name);
};

let panel: Panel;
let chat: Frame;

before(async () => {
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings });
  chat = panel.chat;
  panel.page.setDefaultTimeout(15_000);
  await setWidth(panel.page, 420);
});

after(() => panel?.close());

const key = (name: string) => panel.page.keyboard.press(name);
const area = () => chat.locator('.composer textarea');
const picked = () => panel.page.locator('.quick-input-list .monaco-list-row');
const status = () => panel.page.locator('[id="tidemark.tidemark.tidemark.status"]');
const lastMessage = () => chat.locator('.message.user .words').last();

function setModel(path: string): void {
  const machine = join(panel.server.directory, 'data', 'Machine', 'settings.json');
  writeFileSync(machine, JSON.stringify({ ...settings, 'tidemark.model.path': path }));
}

async function idle(): Promise<void> {
  await chat.locator('[data-running="false"]').waitFor();
}

async function openFile(name: string, line: number): Promise<void> {
  await panel.page.keyboard.press('Control+p');
  await panel.page.locator('.quick-input-widget input[type="text"]').fill(`${name}:${line}`);
  await picked().filter({ hasText: name }).first().waitFor();
  await key('Enter');
  await panel.page.locator('.tab.active', { hasText: name }).waitFor();
  await panel.page.locator('.statusbar-item', { hasText: `Ln ${line}, Col 1` }).waitFor();
  await panel.page.locator('.monaco-editor.focused').waitFor();
}

test('without a model the view says what Tidemark is, and its buttons get one or choose a file', async () => {
  await chat.locator('[data-engine="failed"]').waitFor();
  assert.match(await chat.locator('.welcome').innerText(), /runs on this computer[\s\S]*GGUF/);
  for (const label of ['Get a Model', 'Choose a GGUF File'])
    assert.equal(await chat.locator('vscode-button', { hasText: label }).count(), 1);
  assert.match(await status().innerText(), /Tidemark: no model/);
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(panel.page, themes[theme]);
    await picture(`first-${theme}`);
    assert.deepEqual(await findings(chat), []);
  }
  await chat.locator('vscode-button', { hasText: 'Choose a GGUF File' }).click();
  await panel.page.locator('.quick-input-widget', { hasText: 'Choose a GGUF model file' }).waitFor();
  await key('Escape');
});

test('with a model the empty chat names it, and three messages about this folder can be sent by a click', async () => {
  setModel(file('small.gguf', 3_000_000));
  await chat.locator('[data-engine="ready"]').waitFor();
  await chat.locator('.examples button').nth(2).waitFor();
  assert.match(await chat.locator('.welcome').innerText(), /You see what the model gets before you send it\./);
  assert.match(
    (await chat.locator('.examples button').allInnerTexts()).join('\n'),
    /Where is \w+ defined\?[\s\S]*src\/\w+\.ts/,
  );
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(panel.page, themes[theme]);
    await picture(`welcome-${theme}`);
    assert.deepEqual(await findings(chat), []);
  }
  const { missed } = await tabStops(chat);
  assert.deepEqual(missed, []);
  await chat.locator('.examples button').first().click();
  await chat.locator('.message.assistant').first().waitFor();
  await idle();
  assert.equal(await lastMessage().innerText(), 'What does this project do, and how is it structured?');
  assert.deepEqual(await findings(chat), []);
  assert.deepEqual(await findings(await contextFrame(panel.page, chat)), []);
});

test('the line about the model opens the list of models, and the chosen one is set', async () => {
  file('other.gguf', 12_000_000);
  file('other-00002-of-00002.gguf', 1);
  await chat.locator('.model-switch').click();
  await picked().filter({ hasText: 'other.gguf' }).waitFor();
  // The files' headers are looked at meanwhile.
  await picked()
    .filter({ hasText: /needs about 5\.\d GB/ })
    .first()
    .waitFor();
  const rows = await picked().allInnerTexts();
  assert.match(rows[0] ?? '', /small\.gguf[\s\S]*3\.0 MB[\s\S]*needs about 5\.\d GB of 6\.0 GB free/);
  assert.match(rows.join('\n'), /other\.gguf[\s\S]*12 MB[\s\S]*Choose a GGUF file…/);
  assert.doesNotMatch(rows.join('\n'), /00002/);
  await picture('models');
  await picked().filter({ hasText: 'other.gguf' }).click();
  await panel.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  // The setting is written, and the other model loaded, behind the list that closed.
  let now: readonly string[] = [];
  for (let i = 0; i < 20 && !/other\.gguf/.test(now[0] ?? ''); i++) {
    await chat.locator('.model-switch').click();
    await picked().filter({ hasText: 'Choose a GGUF file…' }).waitFor();
    now = await picked().allInnerTexts();
    await key('Escape');
    await panel.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }
  assert.match(now.join('\n'), /other\.gguf[\s\S]*in use[\s\S]*small\.gguf[\s\S]*on this computer/);
});

test('a fault has buttons that do what its advice says', async () => {
  await sendMessage(chat, 'too long '.repeat(2000));
  await chat.locator('.fault').waitFor();
  await idle();
  assert.deepEqual(await findings(chat), []);
  await area().fill('');
  await chat.locator('.fault vscode-button', { hasText: 'Change the context window' }).click();
  await panel.page.locator('.settings-editor').waitFor();
  await panel.page.locator('.setting-item-label', { hasText: 'Context Size' }).first().waitFor();
  await picture('fault');
  await key('Escape');
  await panel.page.locator('.settings-editor').waitFor({ state: 'hidden' });
  await chat.locator('.fault vscode-button', { hasText: 'New Conversation' }).click();
  await chat.locator('.welcome').waitFor();
});

test('Ask About Selection puts the lines beside the message, and the focus into its box', async () => {
  // The part of the view that had the focus last does not get it back.
  await chat.locator('.model-switch').focus();
  await openFile('duration.ts', 14);
  await key('Shift+ArrowDown');
  await panel.page.locator('.statusbar-item', { hasText: 'selected' }).waitFor();
  await panel.page
    .locator('.view-line', { hasText: 'function parseDuration' })
    .click({ button: 'right', position: { x: 60, y: 8 } });
  // A click would open it too, and then the pointer that rests there would open it again under the next click.
  await panel.page.locator('.monaco-menu .action-menu-item', { hasText: 'Tidemark' }).hover();
  await panel.page.locator('.monaco-menu .action-menu-item', { hasText: 'Ask About Selection' }).click();
  await chat.locator('.editor-chip.on', { hasText: 'duration.ts:14' }).waitFor();
  await chat.locator('.composer textarea:focus').waitFor();
  await panel.page.keyboard.type('what is this?');
  await picture('selection');
  await area().fill('');
});

test('what is typed right after the key of Ask About Selection lands in the message box, and none of it in the editor', async () => {
  await chat.locator('.model-switch').focus();
  await openFile('duration.ts', 14);
  await key('Shift+ArrowDown');
  await panel.page.locator('.statusbar-item', { hasText: 'selected' }).waitFor();
  const lines = () => panel.page.locator('.monaco-editor .view-lines').first().innerText();
  const before = await lines();
  await key('Control+Alt+t');
  // The words come faster than anybody types: the workbench gives a webview the keys a moment after it took them from the editor.
  await panel.page.keyboard.type('what does this function do with an empty text?', { delay: 20 });
  await chat.locator('.composer textarea:focus').waitFor();
  await chat.locator('.editor-chip.on', { hasText: 'duration.ts:14' }).waitFor();
  await panel.page.keyboard.type(' And with zero?');
  assert.match(await area().inputValue(), /^[ \w]*with an empty text\? And with zero\?$/);
  assert.equal(await lines(), before);
  assert.equal(await panel.page.locator('.tab.dirty').count(), 0);
  await area().fill('');
});

test('a selection goes with one message, and with a later one once it is chosen again', async () => {
  await openFile('duration.ts', 14);
  await key('Shift+ArrowDown');
  await chat.locator('.editor-chip.on', { hasText: 'duration.ts:14' }).waitFor();
  await sendMessage(chat, 'what is this?');
  await idle();
  await chat.locator('.editor-chip:not(.on)', { hasText: 'duration.ts:14' }).waitFor();
  await openFile('duration.ts', 14);
  await key('Shift+ArrowDown');
  await chat.locator('.editor-chip.on', { hasText: 'duration.ts:14' }).waitFor();
});

test('Explain sends the declaration around the cursor, by its lines', async () => {
  await openFile('duration.ts', 15);
  await runCommandByKeyboard(panel.page, 'Tidemark: Explain');
  await chat.locator('.message.user', { hasText: 'Explain what this does' }).waitFor();
  assert.match(await lastMessage().innerText(), /@file:src\/duration\.ts:14-\d+$/);
  await idle();
});

test('the quick fix of a problem sends the file, the line, the problem and its lines', async () => {
  await openFile('report.ts', 1);
  await panel.page.locator('.squiggly-error').first().waitFor({ timeout: 60_000 });
  await key('F8');
  await key('Control+.');
  await panel.page.locator('.action-widget', { hasText: 'Ask Tidemark to fix this' }).waitFor();
  const fixes = await panel.page.locator('.action-widget .monaco-list-row.action').allInnerTexts();
  assert.doesNotMatch(fixes[0] ?? '', /Tidemark/, 'what the language offers comes first');
  await picture('quick-fix');
  await panel.page.locator('.action-widget .monaco-list-row', { hasText: 'Ask Tidemark to fix this' }).click();
  await chat.locator('.message.user', { hasText: 'Fix this problem.' }).waitFor();
  assert.match(await lastMessage().innerText(), /src\/report\.ts, line \d+: ts \d+: .+$/);
  await chat
    .locator('.info', { hasText: /^src\/report\.ts \(lines? \d/ })
    .last()
    .waitFor();
  await idle();
});

test('the status bar names the model, its window and the cache, and says what goes on', async () => {
  await status().locator('.codicon-flame').waitFor();
  assert.match(await status().innerText(), /scripted · context \d+ %/);
  await sendMessage(chat, 'slow please');
  await panel.page.locator('.statusbar-item', { hasText: 'scripted: answering' }).waitFor();
  await chat.locator('vscode-button[aria-label="Stop"]').click();
  await idle();
});

test('at 280 px, in a low window as at 200 % zoom, nothing is cut off and the composer stays', async () => {
  await setWidth(panel.page, 280);
  assert.deepEqual(await overflow(chat), []);
  await picture('narrow');
  const size = panel.page.viewportSize();
  assert.ok(size !== null);
  await panel.page.setViewportSize({ width: 700, height: 450 });
  await area().waitFor();
  assert.deepEqual(await overflow(chat), []);
  const box = await area().boundingBox();
  assert.ok(box !== null && box.y + box.height <= 450);
  await picture('zoomed');
  await panel.page.setViewportSize(size);
  await setWidth(panel.page, 420);
});

test('who wants less motion sees no spinner turn', async () => {
  await panel.page.emulateMedia({ reducedMotion: 'reduce' });
  await sendMessage(chat, 'slow again');
  await chat.locator('.message.assistant[data-end="running"]').waitFor();
  const moving = `document.getAnimations().filter(({ playState }) => playState === 'running').length`;
  assert.equal(await chat.evaluate(moving), 0);
  await chat.locator('vscode-button[aria-label="Stop"]').click();
  await idle();
  await panel.page.emulateMedia({ reducedMotion: 'no-preference' });
});

test('in the secondary side bar the chat works as it does on the left', async () => {
  await runCommand(panel.page, 'View: Move View');
  await picked().filter({ hasText: 'Chat' }).first().click();
  await picked().filter({ hasText: 'New Secondary Side Bar Entry' }).click();
  await panel.page.locator('.part.auxiliarybar .pane-header, .part.auxiliarybar .composite.title').first().waitFor();
  chat = await webviewFrame(panel.page, 'Chat');
  await chat.locator('[data-engine="ready"]').waitFor();
  await sendMessage(chat, 'from the other side');
  await chat.locator('.message.assistant', { hasText: 'You said: from the other side' }).waitFor();
  await idle();
  assert.deepEqual(await overflow(chat), []);
  await picture('secondary');
});
