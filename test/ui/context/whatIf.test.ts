// The prompt for another size of context window, in the real panel: the size is chosen by pointer and by keyboard, and both prompts are compared.

import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { openPanel, type Panel } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { contextFrame, takePicture } from '../../harness/workbench.ts';
import { temporary } from '../../temporary.ts';
import { findings } from '../scenes/axe.ts';
import { ask, overflow, say, setTheme, setWidth, tabStops, themes } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const folder = temporary('tm-what-if-');
const settings = { 'tidemark.model.path': '/models/scripted.gguf', 'tidemark.model.contextSize': 8192 };
const viewport = { width: 1280, height: 1500 };

let panel: Panel;
let chat: Frame;
let context: Frame;

before(async () => {
  cpSync(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings, viewport });
  chat = panel.chat;
  await chat.locator('[data-engine="ready"]').waitFor();
  context = await contextFrame(panel.page, chat);
  await setWidth(panel.page, 420);
  await say(chat, 'Where is parseDuration defined?');
  const filler = 'The clerk reads the gauge at dawn and at dusk. '.repeat(50);
  for (const text of [
    'Constraint: keep the report readable.',
    'I prefer short answers.',
    'We still need tests.',
    'One',
    'Two',
  ])
    await say(chat, `${text} ${filler}`);
  await context.locator('.status-line.warm').waitFor();
  await context.locator('.looks button', { hasText: 'Other size' }).click();
});

after(() => panel?.close());

const size = (name: string) => context.locator('.what-if .chip', { hasText: new RegExp(`^${name}`) });
const there = (name: string) =>
  context
    .locator('.what-if-table tr', { has: context.locator('th', { hasText: name }) })
    .locator('td')
    .last();

/** Pictures in two themes at two widths, and what is wider than the view. */
async function pictures(name: string): Promise<readonly string[]> {
  const wide: string[] = [];
  for (const theme of ['dark', 'light'] as const) {
    await setTheme(panel.page, themes[theme]);
    for (const width of [280, 420]) {
      await setWidth(panel.page, width);
      await takePicture(panel.page, join(projectRoot, 'out', `what-if-${name}-${theme}-${width}.png`));
      wide.push(...(await overflow(context)).map((what) => `${theme} ${width}: ${what}`));
    }
  }
  return wide;
}

test('a smaller window shows what would be trimmed, by which rule, beside what is now', async () => {
  await context.locator('.hint', { hasText: 'Choose a size' }).waitFor();
  assert.deepEqual(await pictures('first'), []);
  await size('4k').click();
  await context
    .locator('.what-if-words', { hasText: 'Simulated from the first message with a 4,096-token window' })
    .waitFor();
  assert.equal(await there('Limit').innerText(), '3,072');
  assert.equal(await there('KV cache').innerText(), '235 MB');
  const change = context.locator('.what-if-changes .item').first();
  await change.locator('summary').press('ArrowRight');
  await change.locator('.why').waitFor();
  assert.deepEqual(await findings(context), []);
  assert.deepEqual(await pictures('smaller'), []);
});

test('the size of now is marked, and there nothing would be another way', async () => {
  await size('8k \\(now\\)').press('Enter');
  await context.locator('.hint', { hasText: 'No item would change.' }).waitFor();
  assert.equal(await context.locator('.what-if vscode-button').count(), 0);
});

test('any number is asked for by keyboard, and one that cannot be had is answered with numbers', async () => {
  const field = context.locator('.other-size input');
  await field.fill('6,144');
  await field.press('Enter');
  await context.locator('.what-if-words', { hasText: 'a 6,144-token window' }).waitFor();
  await field.fill('large');
  await field.press('Enter');
  await context.locator('.other-problem', { hasText: 'Enter a number of tokens' }).waitFor();
  assert.equal(await size('64k').isDisabled(), true);
  await field.fill('64k');
  await field.press('Enter');
  await context.locator('.hint', { hasText: 'trained for 32,768 tokens, so its window cannot be 65,536' }).waitFor();
  await field.fill('600');
  await field.press('Enter');
  await context
    .locator('.hint', { hasText: 'only 450 fit in a window of 600, with 150 reserved for the reply' })
    .waitFor();
  assert.deepEqual(await pictures('refused'), []);
});

test('the answer follows the conversation', async () => {
  await size('32k').click();
  await context.locator('.what-if-words', { hasText: 'a 32,768-token window' }).waitFor();
  const before = await there('Items included').innerText();
  await say(chat, 'One more question?');
  await there('Items included')
    .filter({ hasText: String(Number(before) + 2) })
    .waitFor();
  assert.match(await ask(chat, '/context whatif 32k'), /Simulated from the first message with that window/);
});

test('every control is reached by the Tab key', async () => {
  assert.deepEqual((await tabStops(context)).missed, []);
});

test('the button leads to the setting', async () => {
  await context.locator('.what-if vscode-button', { hasText: 'Change the context window' }).click();
  await panel.page.locator('.settings-editor').waitFor();
});
