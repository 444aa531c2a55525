// The beginning of a conversation says what can be asked about: without a folder, and in one that is not trusted.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { type Panel, sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { takePicture } from '../../harness/workbench.ts';
import { setTheme, themes } from '../scenes/panelSteps.ts';
import { openScriptedPanel } from '../scenes/scriptedPanel.ts';

let panel: Panel;
let chat: Frame;

before(async () => {
  panel = await openScriptedPanel();
  chat = panel.chat;
});

after(() => panel?.close());

/** The page is told when it is made; here it is told later, and begins anew. */
async function beginWith(told: 'folder' | 'trusted'): Promise<void> {
  await chat.evaluate(`document.body.dataset.${told} = 'false'`);
  await sendMessage(chat, 'Hello');
  await chat.locator('.message.assistant').waitFor();
  await chat.locator('[data-running="false"]').waitFor();
  await sendMessage(chat, '/new');
  await chat.locator('.welcome').waitFor();
}

for (const [told, words, button] of [
  ['trusted', 'Restricted Mode: no files are read or changed until you trust this folder.', 'Manage Trust'],
  ['folder', "No folder is open. You can chat, but the model can't look anything up.", 'Open Folder'],
] as const)
  test(`where it is not so that a ${told === 'folder' ? 'folder is open' : 'folder is trusted'}, that is said with a way out`, async () => {
    await beginWith(told);
    assert.equal(await chat.locator('.welcome .lead').innerText(), words);
    await chat.locator('.welcome vscode-button', { hasText: button }).waitFor();
    for (const [name, theme] of Object.entries(themes)) {
      await setTheme(panel.page, theme);
      await takePicture(panel.page, join(projectRoot, 'out', 'ui', `ground-${told}-${name}.png`));
    }
    await chat.evaluate(`document.body.dataset.${told} = 'true'`);
  });
