// Data that outlives a conversation, in the real panel: `/remember` and `/memory`, the Remember button, and the list of conversations.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { openPanel, type Panel } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { contextFrame, runCommand, takePicture } from '../../harness/workbench.ts';
import { ask, composed, say, setTheme, setWidth, themes } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const folder = join(projectRoot, 'test', 'fixtures', 'sample');
const settings = { 'tidemark.model.path': '/models/scripted.gguf', 'tidemark.model.contextSize': 4096 };
const picture = (name: string) => takePicture(panel.page, join(projectRoot, 'out', `lasting-${name}.png`));

let panel: Panel;
let chat: Frame;

before(async () => {
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings });
  chat = panel.chat;
  await chat.locator('[data-engine="ready"]').waitFor();
  await setWidth(panel.page, 420);
});

after(() => panel?.close());

const area = () => chat.locator('.composer textarea');
const rows = () => chat.locator('.session');

async function rememberMessage(text: string): Promise<void> {
  const message = chat.locator('.message.user', { hasText: text });
  await message.hover();
  await message.locator('vscode-button[aria-label="Remember"]').click();
}

test('/remember keeps a text, and /memory lists it', async () => {
  assert.match(await ask(chat, '/remember The gauge stands in feet.'), /number 1, a fact: The gauge stands in feet\./);
  assert.match(await ask(chat, '/memory'), /1\s+The gauge stands in feet\.\s+fact/);
});

test('Remember puts a message into the composer as a command, and only Enter sends it', async () => {
  await say(chat, 'Harbours have three letters.\nAlways.');
  await rememberMessage('Harbours have three letters.');
  await composed(chat, '/remember Harbours have three letters. Always.');
  assert.doesNotMatch(await ask(chat, '/memory'), /three letters/);
});

test('words in the composer wait behind such a command', async () => {
  await area().fill('half a thought');
  await rememberMessage('Harbours have three letters.');
  await composed(chat, '/remember Harbours have three letters. Always.');
  const before = await chat.locator('.info').count();
  await panel.page.keyboard.press('Enter');
  await chat.locator('.info').nth(before).waitFor();
  assert.match(await chat.locator('.info').last().innerText(), /Remembered for this workspace as number 2/);
  await composed(chat, 'half a thought');
  await area().fill('');
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(panel.page, themes[theme]);
    await picture(`memory-${theme}`);
  }
});

test('the sessions of the folder are listed, and the chosen one comes back whole', async () => {
  await runCommand(panel.page, 'Tidemark: New Conversation');
  await chat.locator('.welcome').waitFor();
  await say(chat, 'a second conversation');
  const context = await contextFrame(panel.page, chat);
  await context.locator('.layer', { hasText: 'Workspace' }).locator('summary').click();
  await context.locator('.item', { hasText: 'memory' }).waitFor();
  await runCommand(panel.page, 'Tidemark: Conversations');
  await rows().filter({ hasText: 'a second conversation' }).waitFor();
  const listed = await rows().allInnerTexts();
  assert.equal(listed.length, 2, listed.join('; '));
  assert.match(listed[0] ?? '', /a second conversation\s+open · 1 turn/);
  assert.match(listed[1] ?? '', /Harbours have three letters[\s\S]*1 turn/);
  await picture('sessions-dark');
  await rows().filter({ hasText: 'Harbours have three letters' }).locator('.session-open').click();
  await chat.locator('.message.assistant', { hasText: 'You said: Harbours have three letters.' }).waitFor();
  assert.equal(await chat.locator('.message').count(), 2);
  assert.equal(await chat.locator('.message.user .words').innerText(), 'Harbours have three letters.\nAlways.');
  await say(chat, 'one more');
  assert.equal(await chat.locator('.message').count(), 4);
});

test('/sessions lists them with the open one first, and opens another by its number', async () => {
  assert.match(
    await ask(chat, '/sessions'),
    /1\s+Harbours have three letters\..*\(open\)\s+2[\s\S]*2\s+a second conversation\s+1/,
  );
  await area().fill('/sessions open 2');
  await area().press('Enter');
  await chat.locator('.message.assistant', { hasText: 'You said: a second conversation' }).waitFor();
  assert.equal(await chat.locator('.message.user').count(), 1);
});
