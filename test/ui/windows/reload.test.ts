// An answer survives a reload of the window at any moment: the words that were on the screen stand there again, and go on.

import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { numbers } from '../../app/scenes/longChat.ts';
import { openPanel, type Panel, sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { takePicture, webviewFrame } from '../../harness/workbench.ts';
import { temporary } from '../../temporary.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const folder = temporary('tm-reload-');
const settings = { 'tidemark.model.path': '/models/scripted.gguf', 'tidemark.model.contextSize': 8192 };
/** Milliseconds. */
const [shortest, longest] = [150, 4000];

let panel: Panel;
let chat: Frame;

before(async () => {
  cpSync(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings });
  chat = panel.chat;
  await chat.locator('[data-engine="ready"]').waitFor();
});

after(async () => {
  await panel?.close();
  rmSync(folder, { recursive: true, force: true });
});

const last = () => chat.locator('.message.assistant').last();
const words = (text: string) => text.replace(/\s+/g, ' ').trim();

test('ten reloads at random moments of an answer lose nothing that was on the screen', {
  timeout: 240_000,
}, async () => {
  const random = numbers(11);
  const lost: number[] = [];
  for (let i = 1; i <= 10; i++) {
    await sendMessage(chat, `slow ${i}`);
    await chat.locator('.message.assistant[data-end="running"] .markdown').last().waitFor();
    await panel.page.waitForTimeout(shortest + random() * (longest - shortest));
    const shown = words(await last().locator('.markdown').innerText());
    await panel.page.reload();
    chat = await webviewFrame(panel.page, 'Chat');
    await chat.locator('.message.user', { hasText: `slow ${i}` }).waitFor();
    await chat.locator('[data-engine="ready"]').waitFor();
    const there = words((await last().locator('.markdown').allInnerTexts()).join(' '));
    assert.match((await last().getAttribute('data-end')) ?? '', /^interrupted$/);
    assert.ok(shown.startsWith(there.slice(0, shown.length)), `${there} is no beginning of ${shown}`);
    lost.push(Math.max(0, shown.length - there.length));
    await last().locator('vscode-button', { hasText: 'Continue' }).waitFor();
  }
  const there = words(await last().locator('.markdown').innerText());
  await last().locator('vscode-button', { hasText: 'Continue' }).click();
  await chat.locator('.message.assistant[data-end="done"]').waitFor();
  const whole = words(await last().locator('.markdown').innerText());
  assert.ok(whole.startsWith(there) && whole.length > there.length);
  assert.equal(await chat.locator('.message.assistant').count(), 10);
  // The script writes 240 characters a second.
  assert.ok(
    lost.every((characters) => characters <= 240),
    lost.join(),
  );
  console.log(`characters that were on the screen and are gone: ${lost.join(', ')}`);
  await takePicture(panel.page, join(projectRoot, 'out', 'ui', 'interrupted.png'));
});
