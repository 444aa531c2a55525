// The composer in a real workbench: mentions, commands, prompts, history, the queue, dropped and pasted files.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { openPanel, type Panel } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { contextFrame, runCommand, takePicture } from '../../harness/workbench.ts';
import { temporary } from '../../temporary.ts';
import { composed, overflow, say, setTheme, setWidth, themes } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const settings = {
  'terminal.integrated.gpuAcceleration': 'off',
  'tidemark.model.path': '/models/scripted.gguf',
  'tidemark.model.contextSize': 4096,
};

let panel: Panel;
let chat: Frame;

/** The sample project with a prompt of its own. */
function createFolder(): string {
  const folder = temporary('tm-composer-');
  cpSync(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });
  mkdirSync(join(folder, '.tidemark', 'prompts'), { recursive: true });
  const text = '---\ndescription: Look at units\n---\nWhich units has {{arguments}}? Mind @problems.';
  writeFileSync(join(folder, '.tidemark', 'prompts', 'units.md'), text);
  return folder;
}

const folder = createFolder();

before(async () => {
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings });
  chat = panel.chat;
  await chat.locator('[data-engine="ready"]').waitFor();
});

after(() => panel?.close());

const area = () => chat.locator('.composer textarea');
const options = () => chat.locator('.completion .completion-label');
const option = (name: string) => chat.locator('.completion', { hasText: name });
const chosen = () => chat.locator('.completion[aria-selected="true"] .completion-label');
const idle = () => chat.locator('[data-running="false"]').waitFor();

beforeEach(async () => {
  await area().fill('');
  await area().click();
});

const caret = (): Promise<number> =>
  area().evaluate((element) => (element as unknown as { selectionStart: number }).selectionStart);

test('a # opens the list of an @, and what is taken from it begins with an @; a number behind it opens none', async () => {
  await area().fill('');
  await area().pressSequentially('Look at #sel');
  await option('selection').waitFor();
  await area().press('Enter');
  await composed(chat, 'Look at @selection ');
  await area().fill('');
  await area().pressSequentially('Fixes #12');
  await panel.page.waitForTimeout(500);
  assert.equal(await chat.locator('.completions').count(), 0);
  await area().fill('');
});

test('an @ opens a list that arrows and Enter use, and the text area names the option it is at', async () => {
  await area().pressSequentially('What is @');
  await option('selection').waitFor();
  assert.equal(await chosen().innerText(), 'selection');
  await area().press('ArrowDown');
  await area().press('ArrowUp');
  await area().press('ArrowDown');
  assert.equal(await chosen().innerText(), 'file');
  const active = () =>
    area().evaluate(
      (element) => (element as { ariaActiveDescendantElement?: { id: string } }).ariaActiveDescendantElement?.id,
    );
  assert.equal(await active(), 'completion-1');
  await area().press('Enter');
  await composed(chat, 'What is @file:');
  await area().pressSequentially('dur');
  await option('src/duration.ts').waitFor();
  await option('src/forecast.ts').waitFor({ state: 'detached' });
  assert.deepEqual(await options().allInnerTexts(), ['src/duration.ts', 'test/duration.test.ts']);
  await area().press('Tab');
  await composed(chat, 'What is @file:src/duration.ts ');
  await chat.locator('.completions').waitFor({ state: 'detached' });
  assert.equal(await active(), undefined);
});

test('Escape closes the list until another word is begun, and a click takes an option', async () => {
  await area().pressSequentially('@fo');
  await option('folder').waitFor();
  await area().press('Escape');
  await chat.locator('.completions').waitFor({ state: 'detached' });
  await area().pressSequentially('l x @fol');
  await option('folder').first().click();
  await composed(chat, '@fol x @folder:');
  await option('src').first().click();
  await composed(chat, '@fol x @folder:src ');
});

test('in the midst of a mention the whole of it is replaced, and a caret that only moves opens nothing', async () => {
  await area().fill('See @file:src/report.ts please');
  for (let i = 0; i < 'port.ts please'.length; i++) await area().press('ArrowLeft');
  assert.equal(await chat.locator('.completions').count(), 0);
  await area().pressSequentially('p');
  await option('src/report.ts').waitFor();
  await area().press('Enter');
  await composed(chat, 'See @file:src/report.ts please');
});

test('chips show what a draft takes along, with tokens, and why something cannot be had', async () => {
  await area().fill('See @file:src/duration.ts:1-10, @file:src/nowhere.ts and @selection please');
  await chat.locator('.chip').nth(2).waitFor();
  const words = await chat.locator('.chip-words').allInnerTexts();
  assert.match(words[0] ?? '', /^@file:src\/duration\.ts:1-10 \d+ tokens$/);
  assert.match(words[1] ?? '', /^@file:src\/nowhere\.ts There is no "src\/nowhere\.ts" in the workspace\.$/);
  assert.match(words[2] ?? '', /No editor is open/);
  await chat.locator('.context-bar.forecast').waitFor();
  await takePicture(panel.page, join(projectRoot, 'out', 'composer-chips.png'));
  await chat.locator('button[aria-label="Remove @file:src/nowhere.ts"]').press('Enter');
  await composed(chat, 'See @file:src/duration.ts:1-10, and @selection please');
  await chat.locator('.chip').nth(2).waitFor({ state: 'detached' });
});

test('a message takes its files along: the text is in the prompt once, and the conversation shows it', async () => {
  await say(chat, 'Short @file:src/report.ts');
  await chat.locator('.info', { hasText: 'src/report.ts (' }).first().waitFor();
  const context = await contextFrame(panel.page, chat);
  await context.locator('.item', { hasText: 'src/report.ts (' }).first().waitFor();
});

test('@selection is what is selected in the editor, with its lines', async () => {
  await panel.page.keyboard.press('Control+P');
  await panel.page.locator('.quick-input-widget input[type="text"]').fill('src/duration.ts');
  await panel.page.locator('.quick-input-list .monaco-list-row', { hasText: 'duration.ts' }).first().waitFor();
  await panel.page.keyboard.press('Enter');
  await panel.page.locator('.monaco-editor.focused').waitFor();
  for (const key of ['Control+Home', 'Shift+ArrowDown', 'Shift+ArrowDown']) await panel.page.keyboard.press(key);
  await area().click();
  await area().fill('/explain');
  await chat.locator('.chip', { hasText: '@selection' }).waitFor();
  const chip = chat.locator('.chip', { hasText: '@selection' });
  assert.equal(await chip.getAttribute('title'), 'src/duration.ts (lines 1-2, selected)');
  assert.equal(await chip.locator('button').count(), 0, 'what the prompt itself says cannot be removed from the draft');
});

test('@terminal is the last command with what it wrote', async () => {
  await runCommand(panel.page, 'Terminal: Create New Terminal');
  await panel.page.locator('.terminal-wrapper.active .xterm-helper-textarea').waitFor({ state: 'attached' });
  await panel.page.locator('.terminal-command-decoration, .xterm-rows').first().waitFor();
  await panel.page.keyboard.type('echo tide-$((40 + 2))');
  await panel.page.keyboard.press('Enter');
  await panel.page.locator('.xterm-rows', { hasText: 'tide-42' }).waitFor();
  await area().click();
  for (let i = 0; i < 20; i++) {
    await area().fill(`@terminal ${i}`);
    await chat.locator('.chip', { hasText: '@terminal' }).waitFor();
    if ((await chat.locator('.chip.problem').count()) === 0) break;
    await chat.page().waitForTimeout(250);
  }
  assert.match((await chat.locator('li.chip').getAttribute('title')) ?? '', /^Terminal \(the last \d commands?\)$/);
});

test('a slash lists commands and own prompts; a whole command is sent with one Enter', async () => {
  await area().pressSequentially('/');
  await option('/new').waitFor();
  await takePicture(panel.page, join(projectRoot, 'out', 'composer-commands.png'));
  await area().pressSequentially('uni');
  await option('/new').waitFor({ state: 'detached' });
  await area().press('Tab');
  await composed(chat, '/units ');
  await area().pressSequentially('parseFoo');
  await area().press('Enter');
  await chat.locator('.message.user', { hasText: 'Which units has parseFoo? Mind @problems.' }).waitFor();
  await idle();
  await area().fill('/help');
  await option('/help').waitFor();
  await area().press('Enter');
  await chat.locator('.info', { hasText: '.tidemark/prompts' }).last().waitFor();
  assert.equal(await area().inputValue(), '');
});

test('ArrowUp brings earlier messages back and ArrowDown the unsent draft', async () => {
  await say(chat, 'first of two');
  await say(chat, 'second\nof two');
  await area().fill('not sent yet');
  await area().press('ArrowUp');
  await composed(chat, 'second\nof two');
  await area().press('ArrowUp');
  await composed(chat, 'first of two');
  await area().press('ArrowDown');
  await composed(chat, 'second\nof two');
  await area().press('ArrowDown');
  await composed(chat, 'not sent yet');
  await area().fill('two\nlines');
  await area().press('ArrowUp');
  await composed(chat, 'two\nlines');
  assert.equal(await caret(), 3, 'between two lines the caret moves');
});

test('what is sent while an answer is written waits its turn, and stop gives it back', async () => {
  await area().fill('slow please');
  await area().press('Enter');
  await chat.locator('.message.assistant[data-end="running"]').waitFor();
  await chat.locator('vscode-button[aria-label="Stop"]').waitFor();
  await area().fill('for later');
  await chat.locator('vscode-button[aria-label="Send"]').click();
  await composed(chat, '');
  await area().press('Escape');
  await idle();
  await composed(chat, 'for later');
});

test('the text area grows with its text, up to a third of the view', async () => {
  const height = async () => (await area().boundingBox())?.height ?? 0;
  const small = await height();
  await area().fill('line\n'.repeat(5));
  const grown = await height();
  assert.ok(grown > small + 30, `${small} ${grown}`);
  await area().fill('line\n'.repeat(100));
  const third = (Number(await chat.evaluate('innerHeight')) || 0) / 3;
  assert.ok((await height()) <= third + 2, `${await height()} ${third}`);
});

/** Sends a drop or a paste with this data into the text area. */
const bring = (kind: 'drop' | 'paste', type: string, data: string) =>
  chat.evaluate(`(() => {
    const data = new DataTransfer();
    data.setData(${JSON.stringify(type)}, ${JSON.stringify(data)});
    const options = { bubbles: true, composed: true, cancelable: true };
    const event = ${JSON.stringify(kind)} === 'drop'
      ? new DragEvent('drop', { ...options, dataTransfer: data })
      : new ClipboardEvent('paste', { ...options, clipboardData: data });
    document.querySelector('.composer-input').control.dispatchEvent(event);
  })()`);

test('dropped files and pasted paths become mentions; what is elsewhere is said', async () => {
  await area().fill('Look at');
  await bring('drop', 'text/uri-list', `file://${folder}/src/report.ts\r\nfile:///etc/hostname`);
  await composed(chat, 'Look at @file:src/report.ts ');
  await chat.locator('.composer-words', { hasText: 'Not in this folder: hostname' }).waitFor();
  await bring('paste', 'text/plain', `${folder}/src`);
  await composed(chat, 'Look at @file:src/report.ts @folder:src ');
  await bring('paste', 'text/plain', '/usr/bin/env');
  await composed(chat, 'Look at @file:src/report.ts @folder:src /usr/bin/env');
  await area().press('Control+z');
  await composed(chat, 'Look at @file:src/report.ts @folder:src ');
});

test('the composer with list and chips has nothing that axe objects to', async () => {
  await area().fill('See @file:src/duration.ts:1-10, @file:src/nowhere.ts and @');
  await option('selection').waitFor();
  await chat.locator('.chip').nth(1).waitFor();
  await chat.evaluate(readFileSync(join(projectRoot, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8'));
  const found = await chat.evaluate(
    `axe.run('.composer').then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html).join()))`,
  );
  assert.deepEqual(found, []);
});

test('nothing is cut off in a narrow view, in a light theme as in a dark one', { timeout: 90_000 }, async () => {
  for (const width of [420, 280]) {
    await setWidth(panel.page, width);
    await area().fill('See @file:src/duration.ts:1-10, @file:src/nowhere.ts and @');
    await option('selection').waitFor();
    await chat.locator('.chip').nth(1).waitFor();
    assert.deepEqual(await overflow(chat), []);
    await takePicture(panel.page, join(projectRoot, 'out', `composer-dark-${width}.png`));
  }
  await setTheme(panel.page, themes.light);
  await area().click();
  await area().fill('See @file:src/duration.ts:1-10, @file:src/nowhere.ts and @sel');
  await option('selection').waitFor();
  await takePicture(panel.page, join(projectRoot, 'out', 'composer-light-280.png'));
});
