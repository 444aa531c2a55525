// A view that is hidden, whenever that is, leaves the other one working, and comes back whole.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { openPanel, type Panel, sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { contextFrame, runCommand, webviewFrame } from '../../harness/workbench.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const folder = join(projectRoot, 'test', 'fixtures', 'sample');
const settings = { 'tidemark.model.path': '/models/scripted.gguf', 'tidemark.model.contextSize': 4096 };

let panel: Panel;
let chat: Frame;

before(async () => {
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings });
  chat = panel.chat;
  await chat.locator('[data-engine="ready"]').waitFor();
  await (await contextFrame(panel.page, chat)).locator('.status-line.warm').waitFor();
});

after(() => panel?.close());

async function hide(name: 'Chat' | 'Context'): Promise<void> {
  await panel.page.locator(`.pane-header[aria-label^="${name}"]`).first().click({ button: 'right' });
  const item = panel.page.locator('.monaco-menu .action-item', { hasText: `Hide '${name}'` });
  await item.hover();
  // A menu takes no click in its first moments.
  await panel.page.waitForTimeout(300);
  await item.click();
  await panel.page.locator(`.pane-header[aria-label^="${name}"]`).first().waitFor({ state: 'detached' });
}

const answered = (text: string) => chat.locator('.message.assistant', { hasText: `You said: ${text}` }).waitFor();
const idle = () => chat.locator('[data-running="false"]').waitFor();

test('with the Context view hidden a question is answered, and a new session begins', async () => {
  await hide('Context');
  await sendMessage(chat, 'one');
  await answered('one');
  await idle();
  await runCommand(panel.page, 'Tidemark: New Conversation');
  await chat.locator('.welcome').waitFor();
});

test('hidden while an answer is written, it comes back with that answer in its stack', async () => {
  await runCommand(panel.page, 'Tidemark: Focus on Context View');
  await (await webviewFrame(panel.page, 'Context')).locator('.layers').waitFor();
  await sendMessage(chat, 'slow please');
  await chat.locator('.message.assistant[data-end="running"]', { hasText: 'One word' }).waitFor();
  await hide('Context');
  await chat.locator('vscode-button[aria-label="Stop"]').click();
  await idle();
  await sendMessage(chat, 'two');
  await answered('two');
  await runCommand(panel.page, 'Tidemark: Focus on Context View');
  const context = await webviewFrame(panel.page, 'Context');
  await context.locator('.item', { hasText: 'You: two' }).waitFor();
  assert.match(await context.locator('.item', { hasText: 'You: slow' }).innerText(), /slow please/);
});

test('the Chat view hidden while an answer is written comes back with all of it', async () => {
  await sendMessage(chat, 'slow again');
  await chat.locator('.message.assistant[data-end="running"]').last().waitFor();
  await hide('Chat');
  await panel.page.waitForTimeout(500);
  await runCommand(panel.page, 'Tidemark: Focus on Chat View');
  chat = await webviewFrame(panel.page, 'Chat');
  await chat.locator('.message.user', { hasText: 'slow again' }).waitFor();
  const stop = chat.locator('vscode-button[aria-label="Stop"]');
  if (await stop.isVisible()) await stop.click();
  await idle();
  await sendMessage(chat, 'three');
  await answered('three');
});
