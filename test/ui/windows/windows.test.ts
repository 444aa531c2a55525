// Two windows of one editor in the real workbench, on a machine that saves its battery: one model, a question, and idle work that rests.

import assert from 'node:assert/strict';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { openPanel, type Panel, sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { contextFrame, openTidemarkView, openWorkbench, takePicture, webviewFrame } from '../../harness/workbench.ts';
import { temporary } from '../../temporary.ts';
import { findings } from '../scenes/axe.ts';
import { overflow, say, setTheme, setWidth, themes } from '../scenes/panelSteps.ts';
import { enginesBelow, prepareExtension } from '../scenes/scriptedExtension.ts';

const folder = join(projectRoot, 'test', 'fixtures', 'sample');
const settings = { 'tidemark.model.path': '/models/scripted.gguf', 'tidemark.model.contextSize': 4096 };
const programs = temporary('tm-power-');
const elsewhere = temporary('tm-elsewhere-');
const picture = (page: Page, name: string) => takePicture(page, join(projectRoot, 'out', `windows-${name}.png`));

let panel: Panel;
let second: { readonly page: Page; readonly chat: Frame };

before(async () => {
  const file = join(programs, 'powerprofilesctl');
  writeFileSync(file, '#!/bin/sh\necho power-saver\n');
  chmodSync(file, 0o755);
  // The editor takes its programs' PATH from the user's login shell.
  writeFileSync(join(programs, '.profile'), `PATH='${programs}':$PATH\n`);
  const env = { HOME: programs, SHELL: '/bin/sh' };
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings, env });
  await panel.chat.locator('[data-engine="ready"]').waitFor();
});

after(async () => {
  await panel?.close();
  for (const path of [programs, elsewhere]) rmSync(path, { recursive: true });
});

/** Each window has an extension host of its own; the folder of what is stored is the same. */
async function openSecond(): Promise<typeof second> {
  const { browser, server } = panel;
  const page = await browser.context.newPage();
  const address = (payload: Parameters<typeof server.address>[0]) => {
    const url = new URL(server.address(payload));
    url.searchParams.set('folder', elsewhere);
    return url.toString();
  };
  await openWorkbench(page, { ...server, address });
  await openTidemarkView(page);
  return { page, chat: await webviewFrame(page, 'Chat') };
}

test('on battery saver the Context view says that idle work rests, and a message is answered', async () => {
  const { page, chat } = panel;
  const context = await contextFrame(page, chat);
  await setWidth(page, 420);
  await say(chat, 'When is springtide?');
  const line = context.locator('.status-line', { hasText: 'Battery saver: nothing is prepared' });
  await line.waitFor();
  assert.equal(await context.locator('.cache-line').count(), 0, 'how much of it is warm is not claimed');
  await picture(page, 'saver');
  assert.deepEqual(await findings(context), []);
});

test('another window loads no model: it asks, and the words of a message stay in the composer', async () => {
  second = await openSecond();
  const { page, chat } = second;
  const line = chat.locator('.engine.failed');
  await line.waitFor();
  assert.match(await line.innerText(), /running in another window\.[\s\S]*Load It Here Too[\s\S]*Try again/);
  assert.equal((await enginesBelow(panel.server.directory)).length, 1);
  await sendMessage(chat, 'Hello there.');
  await chat.locator('.fault', { hasText: 'The model is running in another window.' }).waitFor();
  await chat.locator('.composer textarea:not(:placeholder-shown)').waitFor();
  assert.equal(await chat.locator('.composer textarea').inputValue(), 'Hello there.');
  assert.equal(await chat.locator('vscode-button', { hasText: 'Try again' }).count(), 1, 'it is asked in one place');
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, themes[theme]);
    for (const width of [420, 280]) {
      await setWidth(page, width);
      await picture(page, `asks-${theme}-${width}`);
      assert.deepEqual(await overflow(chat), []);
    }
    assert.deepEqual(await findings(chat), []);
  }
});

test('the button, by keyboard, loads one here as well, and the message that waited is sent and answered', async () => {
  const { page, chat } = second;
  await chat.locator('.fault vscode-button', { hasText: 'Load It Here Too' }).focus();
  await page.keyboard.press('Enter');
  await chat.locator('[data-engine="ready"]').waitFor();
  await chat.locator('.fault').waitFor({ state: 'detached' });
  assert.equal((await enginesBelow(panel.server.directory)).length, 2);
  await chat.locator('.message.assistant', { hasText: 'You said: Hello there.' }).waitFor();
  assert.equal(await chat.locator('.message.user').count(), 1);
  await chat.locator('.composer textarea:placeholder-shown').waitFor();
  await picture(page, 'both');
});
