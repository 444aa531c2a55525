// The list of sessions in the real panel, by mouse and by keyboard: found, opened, named, deleted, exported.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { openPanel, type Panel } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { runCommand, runCommandByKeyboard, takePicture } from '../../harness/workbench.ts';
import { findings } from '../scenes/axe.ts';
import { overflow, say, setTheme, setWidth, themes } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const folder = join(projectRoot, 'test', 'fixtures', 'sample');
const settings = { 'tidemark.model.path': '/models/scripted.gguf', 'tidemark.model.contextSize': 4096 };
const picture = (name: string) => takePicture(panel.page, join(projectRoot, 'out', `sessions-${name}.png`));

let panel: Panel;
let chat: Frame;

before(async () => {
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings });
  chat = panel.chat;
  panel.page.setDefaultTimeout(15_000);
  await chat.locator('[data-engine="ready"]').waitFor();
  await setWidth(panel.page, 420);
  for (const text of ['Harbours have three letters.', 'When is springtide?', 'What does duration.ts do?']) {
    await chat.locator('.welcome').waitFor();
    await say(chat, text);
    await newSession();
  }
});

after(() => panel?.close());

const rows = () => chat.locator('.session');
const key = (name: string) => panel.page.keyboard.press(name);
const titles = () => chat.locator('.session-title').allInnerTexts();
const focused = () => chat.locator('.session:has(.session-open:focus) .session-title').innerText();

async function newSession(): Promise<void> {
  await panel.page.locator('.part.sidebar .composite.title').hover();
  await panel.page.locator('.composite.title .action-label[aria-label^="New Conversation"]').click();
  await chat.locator('.welcome').waitFor();
}

async function list(): Promise<void> {
  await runCommandByKeyboard(panel.page, 'Tidemark: Conversations');
  await chat.locator('.sessions-search:focus-within').waitFor();
  await rows().first().waitFor();
}

async function closed(): Promise<void> {
  await chat.locator('.sessions').waitFor({ state: 'detached' });
  await chat.locator('.composer textarea:focus').waitFor();
}

test('the button of the view opens the list, the latest first, and Escape gives the composer back', async () => {
  await panel.page.locator('.part.sidebar .composite.title').hover();
  await panel.page.locator('.composite.title .action-label[aria-label="Conversations"]').click();
  await rows().nth(2).waitFor();
  assert.deepEqual(await titles(), [
    'What does duration.ts do?',
    'When is springtide?',
    'Harbours have three letters.',
  ]);
  assert.match(await rows().first().innerText(), /1 turn · just now/);
  await rows().first().hover();
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(panel.page, themes[theme]);
    await picture(theme);
    assert.deepEqual(await findings(chat), []);
  }
  await chat.locator('.sessions-search').click();
  await key('Escape');
  await closed();
});

test('words narrow the list to where they were said, Enter opens the first', async () => {
  await list();
  await panel.page.keyboard.type('you said: harbours');
  await chat.locator('.session-line').waitFor();
  assert.equal(await rows().count(), 1);
  assert.equal(await chat.locator('.session-line').innerText(), 'You said: Harbours have three letters.');
  await picture('search');
  await key('Enter');
  await closed();
  await chat.locator('.message.user', { hasText: 'Harbours' }).waitFor();
});

test('arrows go through the rows and back to the field; F2 names a session in its place', async () => {
  await list();
  assert.match(await rows().nth(2).innerText(), /Harbours[\s\S]*open/);
  await key('ArrowDown');
  await key('ArrowDown');
  assert.equal(await focused(), 'When is springtide?');
  await key('F2');
  await chat.locator('.session vscode-text-field:focus-within').waitFor();
  await panel.page.keyboard.type('Moon and tides');
  await picture('rename');
  assert.deepEqual(await findings(chat), []);
  await key('Enter');
  await chat.locator('.session-title', { hasText: 'Moon and tides' }).waitFor();
  assert.equal(await focused(), 'Moon and tides');
  await key('F2');
  await chat.locator('.session vscode-text-field:focus-within').waitFor();
  await key('Escape');
  assert.equal(await focused(), 'Moon and tides');
  await key('ArrowUp');
  await key('ArrowUp');
  await chat.locator('.sessions-search:focus-within').waitFor();
});

test('Delete asks first; then the session is gone, and the next row has the focus', async () => {
  await key('ArrowDown');
  await key('ArrowDown');
  await key('Delete');
  await chat.locator('.session-question vscode-button:focus', { hasText: 'Delete' }).waitFor();
  await picture('delete');
  assert.deepEqual(await findings(chat), []);
  await key('Escape');
  assert.equal(await focused(), 'Moon and tides');
  await key('Delete');
  await chat.locator('.session-question vscode-button:focus', { hasText: 'Delete' }).waitFor();
  await key('Enter');
  await chat.locator('.session', { hasText: 'Moon and tides' }).waitFor({ state: 'detached' });
  await chat.locator('.session-open:focus').waitFor();
  assert.deepEqual(await titles(), ['What does duration.ts do?', 'Harbours have three letters.']);
  assert.equal(await focused(), 'Harbours have three letters.');
});

test('the open session can be deleted: a new one begins below the list', async () => {
  await key('Delete');
  await chat.locator('.session-question vscode-button:focus').waitFor();
  await key('Enter');
  await chat.locator('.session', { hasText: 'Harbours' }).waitFor({ state: 'detached' });
  assert.deepEqual(await titles(), ['What does duration.ts do?']);
  await chat.locator('.session-open:focus').waitFor();
  await key('Escape');
  await closed();
  await chat.locator('.welcome').waitFor();
});

/** Another window has all stored conversations: this process, which lives. */
function takeElsewhere(): void {
  const storage = join(panel.server.directory, 'data', 'User', 'globalStorage', 'tidemark.tidemark');
  const database = new DatabaseSync(join(storage, 'tidemark.sqlite'));
  database
    .prepare("INSERT OR REPLACE INTO lease (name, holder, expires) SELECT 'session:' || id, ?, ? FROM session")
    .run(`${process.pid}:other`, Date.now() + 600_000);
  database.close();
}

test('a conversation of another window says so, and is opened here after a yes', async () => {
  takeElsewhere();
  await list();
  assert.match(await rows().first().innerText(), /open in another window/);
  await key('ArrowDown');
  await key('Enter');
  const yes = chat.locator('.session-question vscode-button:focus', { hasText: 'Open Here' });
  await yes.waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(panel.page, themes[theme]);
    await picture(`elsewhere-${theme}`);
    assert.deepEqual(await findings(chat), []);
  }
  await rows().first().locator('vscode-button', { hasText: 'Open Here' }).focus();
  await key('Escape');
  assert.equal(await focused(), 'What does duration.ts do?');
  await key('Enter');
  await yes.waitFor();
  await key('Enter');
  await closed();
  await chat.locator('.message.user, [data-kind="user"]', { hasText: 'What does duration.ts do?' }).first().waitFor();
});

test('an export opens as a document', async () => {
  await list();
  await rows().first().hover();
  await rows().first().locator('vscode-button[aria-label^="Export"]').click();
  await chat.locator('.session-question vscode-button', { hasText: 'JSON' }).click();
  await panel.page.locator('.tab[aria-label^="{"], .tab[aria-label^="Untitled"]').first().waitFor();
});

test('at 280 px nothing is wider than the view', async () => {
  await runCommand(panel.page, 'Tidemark: Conversations');
  await setWidth(panel.page, 280);
  await rows().first().waitFor();
  await rows().first().hover();
  assert.deepEqual(await overflow(chat), []);
  await picture('narrow');
});
