// Two conversations in the real workbench: one in the side bar, one in an editor beside it, on one model.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { openPanel, type Panel, sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { contextFrame, runCommand, takePicture, webviewFrame } from '../../harness/workbench.ts';
import { findings } from '../scenes/axe.ts';
import { composed, overflow, say, setTheme, setWidth, themes } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const folder = join(projectRoot, 'test', 'fixtures', 'sample');
const settings = {
  'tidemark.model.path': '/models/scripted.gguf',
  'tidemark.model.contextSize': 4096,
  'tidemark.cache.conversations': 2,
  'files.autoSave': 'off',
};

let panel: Panel;
let chat: Frame;
let side: Frame;
let context: Frame;

before(async () => {
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings });
  chat = panel.chat;
  panel.page.setDefaultTimeout(15_000);
  await chat.locator('[data-engine="ready"]').waitFor();
  context = await contextFrame(panel.page, chat);
  await setWidth(panel.page, 420);
  await say(chat, 'Harbours have three letters.');
  await runCommand(panel.page, 'Tidemark: New Conversation');
  await chat.locator('.welcome').waitFor();
  await say(chat, 'When is springtide?');
});

after(() => panel?.close());

const list = async (view: Frame) => {
  await runCommand(panel.page, 'Tidemark: Conversations');
  await view.locator('.session').first().waitFor();
};
const tab = (title: string) => panel.page.locator('.tab', { hasText: title });
const about = () => panel.page.locator('.pane-header[aria-label^="Context"] .description');

test('a row of the list opens its conversation beside, and the side bar keeps its own', async () => {
  await list(chat);
  await chat
    .locator('.session', { hasText: 'Harbours' })
    .locator('vscode-button[aria-label^="Open to the Side"]')
    .click();
  await tab('Harbours have three letters.').waitFor();
  side = await webviewFrame(panel.page, 'Harbours have three letters.');
  await side.locator('.user', { hasText: 'Harbours have three letters.' }).waitFor();
  await chat.locator('.user', { hasText: 'When is springtide?' }).waitFor();
  await chat.locator('.sessions').waitFor({ state: 'detached' });
  await panel.page.locator('.tab.active', { hasText: 'Harbours' }).waitFor();
  await side.locator('.composer-input:focus-within').waitFor();
});

test('a turn in one waits for that of the other, and says so', async () => {
  await sendMessage(chat, 'Answer slowly: slow');
  await chat.locator('[data-running="true"]').waitFor();
  await sendMessage(side, 'And here?');
  await side.locator('.working', { hasText: 'Waiting for the other conversation' }).waitFor();
  await takePicture(panel.page, join(projectRoot, 'out', 'split-waits.png'));
  await chat.locator('vscode-button[aria-label^="Stop"]').click();
  await side.locator('.assistant', { hasText: 'You said: And here?' }).waitFor();
  await side.locator('[data-running="false"]').waitFor();
  assert.equal(await chat.locator('.user', { hasText: 'And here?' }).count(), 0);
});

test('code of the conversation beside is inserted into the file that was edited last', async () => {
  const { page } = panel;
  await page.keyboard.press('Control+P');
  await page.locator('.quick-input-widget input[type="text"]').fill('duration.ts');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'duration.ts' }).first().click();
  await page.locator('.tab.active', { hasText: 'duration.ts' }).waitFor();
  await page.locator('.editor-instance .view-lines').last().click();
  await tab('Harbours have three letters.').click();
  side = await webviewFrame(page, 'Harbours have three letters.');
  await side.locator('.user', { hasText: 'Harbours have three letters.' }).waitFor();
  await say(side, 'so\n\n```ts\n/* from beside */\n```');
  await side.locator('.message.assistant .code').last().locator('[data-act="insertCode"]').click();
  await page.locator('.tab.dirty', { hasText: 'duration.ts' }).waitFor();
  await tab('duration.ts').click();
  await page.locator('.editor-instance .view-lines', { hasText: 'from beside' }).waitFor();
  await runCommand(page, 'File: Revert File');
  await page.locator('.tab.dirty').waitFor({ state: 'detached' });
  await tab('Harbours have three letters.').click();
  side = await webviewFrame(page, 'Harbours have three letters.');
});

test('the Context view is about the conversation that was turned to last, and names it', async () => {
  await side.locator('.composer textarea').click();
  await about().filter({ hasText: 'Harbours have three letters.' }).waitFor();
  await context.locator('.item', { hasText: 'You: Harbours' }).waitFor();
  await chat.locator('.composer textarea').click();
  await about().filter({ hasText: 'When is springtide?' }).waitFor();
  await context.locator('.item', { hasText: 'You: When is springtide?' }).waitFor();
});

test('the editor with the conversation fits and reads well in two themes', async () => {
  assert.deepEqual(await findings(side), []);
  for (const theme of ['dark', 'light'] as const) {
    await setTheme(panel.page, themes[theme]);
    await takePicture(panel.page, join(projectRoot, 'out', `split-${theme}.png`));
    assert.deepEqual(await overflow(side), []);
  }
  await list(chat);
  for (const width of [280, 420]) {
    await setWidth(panel.page, width);
    await takePicture(panel.page, join(projectRoot, 'out', `split-list-${width}.png`));
    assert.deepEqual(await overflow(chat), []);
  }
});

test('what is open beside is shown there instead of twice, and is not deleted', async () => {
  const row = chat.locator('.session', { hasText: 'Harbours' });
  await row.locator('vscode-button[aria-label^="Delete"]').click();
  await row.locator('[data-first]').click();
  await chat.locator('.sessions-problem', { hasText: 'open beside' }).waitFor();
  await row.locator('.session-facts', { hasText: 'open beside' }).waitFor();
  await row.locator('.session-open').click();
  await chat.locator('.sessions').waitFor({ state: 'detached' });
  await chat.locator('.user', { hasText: 'When is springtide?' }).waitFor();
  await panel.page.locator('.tab.active', { hasText: 'Harbours' }).waitFor();
  await side.locator('.composer textarea:focus').waitFor();
  await panel.page.keyboard.type('here');
  await composed(side, 'here');
  await side.locator('.composer textarea').fill('');
});

test('a command leads to what is open beside', async () => {
  await sendMessage(chat, '/sessions');
  await chat.locator('.info td', { hasText: 'Harbours' }).waitFor();
  await sendMessage(chat, '/sessions open 1');
  await chat.locator('.info', { hasText: 'Shown where it is open' }).waitFor();
  await side.locator('.composer textarea:focus').waitFor();
  await panel.page.keyboard.type('there');
  await composed(side, 'there');
  await side.locator('.composer textarea').fill('');
});

test('a panel that is closed gives its conversation up, and what was being written in it comes back', async () => {
  await side.locator('.composer textarea').fill('half a thought');
  await context.locator('.forecast-words', { hasText: 'Your message' }).waitFor();
  await tab('Harbours').locator('.action-label[aria-label^="Close"]').click();
  await tab('Harbours').waitFor({ state: 'detached' });
  await list(chat);
  await chat
    .locator('.session', { hasText: 'Harbours' })
    .locator('vscode-button[aria-label^="Open to the Side"]')
    .click();
  side = await webviewFrame(panel.page, 'Harbours have three letters.');
  await composed(side, 'half a thought');
  await side.locator('.assistant', { hasText: 'You said: And here?' }).waitFor();
});

test('a command begins a new conversation beside where none is open', async () => {
  await tab('Harbours').locator('.action-label[aria-label^="Close"]').click();
  await tab('Harbours').waitFor({ state: 'detached' });
  await runCommand(panel.page, 'Tidemark: New Conversation to the Side');
  side = await webviewFrame(panel.page, 'New Conversation');
  await side.locator('.welcome').waitFor();
  await sendMessage(side, 'Something new.');
  await side.locator('.assistant', { hasText: 'You said: Something new.' }).waitFor();
  await tab('Something new.').waitFor();
});
