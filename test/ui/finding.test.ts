// Passages found for a message, in the real panel: shown while it is written, left out or pinned, sent with it, and there for the follow-up.

import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { openPanel, type Panel } from '../harness/panel.ts';
import { projectRoot } from '../harness/program.ts';
import { contextFrame, takePicture } from '../harness/workbench.ts';
import { temporary } from '../temporary.ts';
import { findings } from './scenes/axe.ts';
import { ask, overflow, say, setTheme, themes } from './scenes/panelSteps.ts';
import { prepareExtension } from './scenes/scriptedExtension.ts';

const folder = temporary('tm-finding-');
const settings = {
  'tidemark.model.path': '/models/scripted.gguf',
  'tidemark.model.contextSize': 8192,
  'tidemark.finding.enabled': true,
};

let panel: Panel;
let chat: Frame;
let context: Frame;

before(async () => {
  cpSync(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });
  panel = await openPanel({
    folder,
    extension: prepareExtension('scripted'),
    settings,
    viewport: { width: 1280, height: 1400 },
  });
  chat = panel.chat;
  await chat.locator('[data-engine="ready"]').waitFor();
  context = await contextFrame(panel.page, chat);
});

after(async () => {
  await panel?.close();
  rmSync(folder, { recursive: true, force: true });
});

const area = () => chat.locator('.composer textarea');
const rows = () => chat.locator('.found-row');
const places = () => rows().locator('.found-place').allInnerTexts();

async function pictures(name: string): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await setTheme(panel.page, themes[theme]);
    await takePicture(panel.page, join(projectRoot, 'out', 'ui', `${name}-${theme}.png`));
  }
  await setTheme(panel.page, themes.dark);
}

test('a draft shows what it would bring, with tokens and reasons, and what it costs once it is read', async () => {
  await area().fill('how does it read a duration like 90m?');
  await chat.locator('.found summary', { hasText: /Found \d+ passages, [\d,]+ tokens, read$/ }).waitFor();
  await chat.locator('.found summary').click();
  assert.match((await places())[0] ?? '', /^src\/duration\.ts:\d+-\d+$/);
  assert.match(await rows().first().locator('.found-why').innerText(), /matches|declares/);
  const sizes = (await rows().locator('.found-size').allInnerTexts()).map((text) => Number(text.replace(/\D/g, '')));
  const cost = async () => {
    const title = (await chat.locator('.context-bar.forecast').getAttribute('title')) ?? '';
    return Number(/([\d,]+)(?: to [\d,]+)? tokens to decode/.exec(title)?.[1]?.replace(/,/g, ''));
  };
  // Text that was read is priced a moment later. The scripted engine counts its tools as not warm.
  const whole = sizes.reduce((a, b) => a + b, 0);
  for (let i = 0; i < 100 && (await cost()) >= whole; i++) await panel.page.waitForTimeout(50);
  assert.ok((await cost()) > 0 && (await cost()) < whole, `${await cost()} for ${sizes}`);
  assert.deepEqual(await overflow(chat), []);
  await pictures('found-draft');
});

test('a passage can be left out, pinned and opened before the message is sent', async () => {
  const [first = '', second = '', third = ''] = await places();
  await rows().nth(1).locator('button[aria-label^="Leave"]').click();
  await chat.locator('.found-place', { hasText: second }).waitFor({ state: 'detached' });
  await rows().first().locator('button[aria-label^="Pin"]').click();
  await chat.locator('.found-row [aria-pressed="true"]').waitFor();
  assert.ok((await places()).includes(third));
  await chat.locator('.found-place', { hasText: first }).click();
  await panel.page.locator('.tab', { hasText: first.split(/[/:]/)[1] ?? '' }).waitFor();
  // The open file weighs more, so what a message would bring changes once more.
  await new Promise((resolve) => setTimeout(resolve, 1000));
});

test('what was found goes with the message, each passage an item of the stack with its reason', async () => {
  // Looked for once more, with the file that is open now.
  await area().press('End');
  await area().pressSequentially('?');
  await panel.page.waitForTimeout(1500);
  const left = await places();
  await chat.locator('vscode-button[aria-label="Send"]').click();
  const shown = chat.locator('.info', { hasText: 'Found:' });
  await shown.waitFor();
  assert.match(await shown.innerText(), new RegExp(`Found: ${left.length} passages`));
  await chat.locator('[data-running="false"]').waitFor();
  const items = context.locator('.item', { hasText: 'Found: ' });
  await items.first().waitFor({ state: 'attached' });
  await context.evaluate(
    "document.querySelectorAll('.layer details:not(.item details, .item)').forEach((one) => { one.open = one.textContent.includes('Found: '); })",
  );
  assert.equal(await items.count(), left.length);
  await pictures('found-turn');
});

test('what was found stays for a follow-up, which has nothing found of its own; a pin is shown', async () => {
  await say(chat, 'in which one exactly?');
  assert.equal(await chat.locator('.info', { hasText: 'Found:' }).count(), 1);
  const list = await ask(chat, '/context list');
  assert.match(list, /Found: src\/duration\.ts:[^\n]*pinned/);
  assert.doesNotMatch(list, /newer passages need|pruned/);
});

test('/find shows what a message would bring without asking the model', async () => {
  const text = await ask(chat, '/find parse duration');
  assert.match(text, /src\/duration\.ts:\d+/);
  assert.match(text, /tokens/);
});

test('words that the folder has nowhere are said before the message is sent', async () => {
  await area().fill('where is the GraphQL schema for stations?');
  await chat.locator('.found summary').click();
  await chat.locator('.found-weak', { hasText: 'GraphQL' }).waitFor();
  await area().fill('');
});

test('Alt+Enter, or one click beside what was found, sends the message without the folder', async () => {
  const messages = chat.locator('.message.user');
  for (const how of ['key', 'click'] as const) {
    const before = await messages.count();
    await area().fill(
      how === 'key' ? 'what does findTurns give to riseBetween?' : 'what does riseBetween take from findTurns?',
    );
    const alone = chat.locator('.found-alone');
    await alone.waitFor();
    if (how === 'key') {
      assert.deepEqual(await findings(chat), []);
      assert.deepEqual(await overflow(chat), []);
      await pictures('found-alone');
      await area().press('Alt+Enter');
    } else await alone.click();
    await messages.nth(before).waitFor();
    await chat.locator('[data-running="false"]').waitFor();
  }
  const list = await ask(chat, '/context list');
  assert.doesNotMatch(list.slice(list.indexOf('findTurns')), /Found: /);
});

test('an attachment that had to go says so on its card, and comes back with one click', async () => {
  await writeFile(join(folder, 'src', 'long.ts'), `${'export const tide = [1, 2, 3]; // and the moon\n'.repeat(900)}`);
  for (let at = 0; at < 5; at++)
    await say(chat, `What is in it, part ${at}? @file:src/long.ts:${1 + at * 150}-${150 + at * 150}`);
  const card = chat.locator('.info.pruned', { hasText: 'src/long.ts (lines 1-150' });
  await card.locator('.pruned-mark', { hasText: 'pruned' }).waitFor();
  assert.equal(await chat.locator('.info:not(.pruned)', { hasText: 'src/long.ts (lines 601-750' }).count(), 1);
  await card.scrollIntoViewIfNeeded();
  assert.deepEqual(await findings(chat), []);
  await pictures('attachment-pruned');
  await card.locator('vscode-button', { hasText: 'Restore' }).press('Enter');
  await card.locator('.said', { hasText: 'Restored with your next message' }).waitFor();
});
