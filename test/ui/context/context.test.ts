// The context in the real panel: `/context` commands, pins, exports, stale workspace texts, pictured in three themes at two widths.

import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { openPanel, type Panel, sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { contextFrame, takePicture, webviewFrame } from '../../harness/workbench.ts';
import { temporary } from '../../temporary.ts';
import { ask as askChat, composed, overflow, setTheme, setWidth, tabStops, themes } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const folder = temporary('tm-context-');
const settings = { 'tidemark.model.path': '/models/scripted.gguf', 'tidemark.model.contextSize': 4096 };
const viewport = { width: 1280, height: 1500 };

let panel: Panel;
let chat: Frame;
let context: Frame;

before(async () => {
  cpSync(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });
  await appendFile(join(folder, 'README.md'), '\n- A line about one more harbour and its tides.'.repeat(200));
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings, viewport });
  chat = panel.chat;
  await chat.locator('[data-engine="ready"]').waitFor();
  context = await contextFrame(panel.page, chat);
});

after(() => panel?.close());

const lastInfo = () => chat.locator('.info').last();

const ask = (command: string) => askChat(chat, command);

test('the workspace layer names its files, as they are and as injected', async () => {
  const row = context.locator('.layer', { hasText: 'Workspace' });
  await row.locator('summary').click();
  const items = await row.locator('.item').allInnerTexts();
  assert.match(items[0] ?? '', /^AGENTS\.md/);
  assert.match(items.join(), /README\.md\s+shortened\s+[\d,]+ → \d+/);
});

test('/context tells what the context is made of in the chat', async () => {
  await sendMessage(chat, 'Where is parseDuration defined?');
  await chat.locator('.step.ok').waitFor();
  await chat.locator('[data-running="false"]').waitFor();
  const text = await ask('/context');
  assert.match(text, /of 4,096 tokens \(\d+\.\d %\)/);
  assert.match(text, /Workspace\tfixed\t/);
  assert.ok((await lastInfo().locator('tbody tr').count()) >= 5);
});

test('/context list numbers the items and /context detail shows one as sent', async () => {
  await ask('/context list');
  assert.match(await lastInfo().locator('tbody tr').first().innerText(), /^0\s+You: Where is parseDuration defined\?/);
  const detail = await ask('/context detail 0');
  assert.match(detail, /As sent:\s+Date: [\d-]+\.\s+Where is parseDuration defined\?/);
  assert.match(await ask('/context detail 77'), /There is no item 77/);
});

test('a pin shows in the Context view at once, and an eviction as a stub', async () => {
  await ask('/context pin 0');
  await context.locator('.item', { hasText: 'You: Where is' }).locator('.codicon-pinned').waitFor();
  await ask('/context evict 2');
  await context.locator('.item.stubbed', { hasText: 'Result: 15 matches' }).waitFor();
});

test('a mistyped command comes back to the composer with help', async () => {
  assert.match(await ask('/context lsit'), /There is no \/context lsit/);
  await composed(chat, '/context lsit');
  await chat.locator('.composer textarea').fill('');
});

test('a changed file shows as stale, and Read again takes it in', async () => {
  await writeFile(join(folder, 'AGENTS.md'), '# Rules\n- Answer in verse.\n');
  const stale = context.locator('.stale');
  await stale.waitFor();
  assert.match(await stale.innerText(), /Files changed since this conversation read them/);
  await ask('/context');
  await ask('/context list');
  await context.locator('.item.stubbed summary').press('Enter');
  assert.match(await context.locator('.item.stubbed .why').innerText(), /you removed it/);
  const problems: string[] = [];
  for (const [theme, names] of Object.entries(themes)) {
    await setTheme(panel.page, names);
    for (const width of [280, 420]) {
      await setWidth(panel.page, width);
      await takePicture(panel.page, join(projectRoot, 'out', `context-${theme}-${width}.png`));
      for (const frame of [chat, context])
        problems.push(...(await overflow(frame)).map((what) => `${theme} ${width}: ${what}`));
    }
  }
  assert.deepEqual(problems, []);
  await stale.locator('button').focus();
  await panel.page.keyboard.press('Enter');
  await stale.waitFor({ state: 'detached' });
  await context.locator('.item', { hasText: 'AGENTS.md' }).waitFor();
  assert.match(await ask('/context detail 0'), /pinned/, 'a pin outlives the refresh');
});

test('an export opens as a document that is not saved anywhere', async () => {
  await sendMessage(chat, '/context export markdown');
  await panel.page.locator('.tab', { hasText: '# Tidemark context report' }).waitFor();
  const shown = panel.page.locator('.editor-group-container.active .view-lines');
  await shown.filter({ hasText: 'Agent unified, graph unified' }).waitFor();
});

for (const view of ['Chat', 'Context'] as const) {
  test(`every control of the ${view} view is reached by the Tab key`, async () => {
    const frame = await webviewFrame(panel.page, view);
    const { names, missed } = await tabStops(frame);
    assert.ok(names.length > 3);
    assert.ok(view === 'Context' || names.includes('VSCODE-TEXT-AREA Message'));
    assert.deepEqual(missed, []);
  });
}
