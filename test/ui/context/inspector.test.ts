// The inspector in the real panel: an item as sent and raw with its buttons, the exact prompt, the cache, compactions and turns, by mouse
// and by keyboard. Pictured in two themes at two widths.

import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { openPanel, type Panel } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { contextFrame, takePicture } from '../../harness/workbench.ts';
import { temporary } from '../../temporary.ts';
import { overflow, say, setTheme, setWidth, tabStops, themes } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const folder = temporary('tm-inspector-');
const settings = { 'tidemark.model.path': '/models/scripted.gguf', 'tidemark.model.contextSize': 4096 };
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
  await context.locator('.status-line.warm').waitFor();
});

after(() => panel?.close());

const item = (label: string) => context.locator('.item', { hasText: label });
const button = (label: string, name: string) => item(label).locator(`vscode-button[aria-label^="${name}:"]`);
const said = (label: string) => item(label).locator('.said');
const tab = async (name: 'Contents' | 'Performance' | 'Summaries') => {
  await context.locator('[role="tab"]', { hasText: name }).click();
  await context.locator('[role="tab"][aria-selected="true"]', { hasText: name }).waitFor();
};
const contents = async (name: 'Parts' | 'Exact text' | 'Other size') => {
  await tab('Contents');
  await context.locator('.looks button', { hasText: name }).click();
};

/** Pictures in two themes at two widths, and what is wider than the view. */
async function pictures(name: string): Promise<readonly string[]> {
  const wide: string[] = [];
  for (const theme of ['dark', 'light'] as const) {
    await setTheme(panel.page, themes[theme]);
    for (const width of [280, 420]) {
      await setWidth(panel.page, width);
      await takePicture(panel.page, join(projectRoot, 'out', `inspector-${name}-${theme}-${width}.png`));
      wide.push(...(await overflow(context)).map((what) => `${theme} ${width}: ${what}`));
    }
  }
  return wide;
}

test('an item opens by keyboard to its words, and a pin is set and taken away in place', async () => {
  const row = item('You: Where is').locator('summary');
  // The focus and the key at once: the view that just got its answer may take the focus for its composer.
  await row.press('ArrowRight');
  await item('You: Where is').locator('.verbatim', { hasText: 'Where is parseDuration defined?' }).first().waitFor();
  await button('You: Where is', 'Pin').press('Enter');
  await said('You: Where is').filter({ hasText: 'Pinned: it stays in the prompt as long as it fits.' }).waitFor();
  await item('You: Where is').locator('.codicon-pinned').waitFor();
  await button('You: Where is', 'Unpin').click();
  await said('You: Where is').filter({ hasText: 'Not pinned.' }).waitFor();
  await row.press('ArrowLeft');
  await item('You: Where is').locator('.verbatim').waitFor({ state: 'detached' });
  await panel.page.keyboard.press('ArrowDown');
  await context.locator('.item summary:focus', { hasText: 'Call: search_code' }).waitFor();
});

test('a removed result shows what is sent beside what there was, and comes back on demand', async () => {
  await item('Result: 15 matches').locator('summary').click();
  await button('Result: 15 matches', 'Remove').click();
  await context.locator('.item.stubbed', { hasText: 'Result: 15 matches' }).waitFor();
  const versions = item('Result: 15 matches').locator('.version');
  await versions.nth(1).waitFor();
  const [sent = '', raw = ''] = await versions.locator('.verbatim').allInnerTexts();
  assert.ok(raw.startsWith(sent.trim()) && raw.length > sent.length + 100);
  assert.deepEqual(await pictures('item'), []);
  await button('Result: 15 matches', 'Restore').click();
  await said('Result: 15 matches').filter({ hasText: 'Restored with your next message' }).waitFor();
});

test('the exact prompt is shown in pieces, whose tokens arrow keys and the pointer tell', async () => {
  await contents('Exact text');
  const pieces = context.locator('.pieces');
  await pieces.waitFor();
  assert.match(await pieces.innerText(), /Where is parseDuration defined\?/);
  const words = context.locator('.piece-words');
  await pieces.focus();
  await panel.page.keyboard.press('End');
  const last = await words.innerText();
  await panel.page.keyboard.press('ArrowUp');
  await words.filter({ hasNotText: last }).waitFor();
  await context.locator('.piece', { hasText: 'Where is parseDuration' }).hover();
  await words.filter({ hasText: 'Earlier turns, user, item 0: 13 tokens' }).waitFor();
  assert.deepEqual(await pictures('prompt'), []);
  await context.locator('.chip', { hasText: 'Latest call' }).click();
  await context.locator('.hint', { hasText: 'Exact prompt of the latest call' }).waitFor();
  // The latest call still shows an item as it was sent, though the next prompt has lost it since.
  assert.match(await pieces.innerText(), /15 matches for "parseDuration"[\s\S]*2\. src\/forecast\.ts/);
  await context.locator('.chip', { hasText: 'Next message' }).click();
  await context.locator('.hint', { hasText: 'Exact prompt for your next message' }).waitFor();
});

test('the Performance tab tells the hit ratio of the last turn and whose the slots are', async () => {
  await tab('Performance');
  assert.match(await context.locator('.ratio').innerText(), /^\d+ % of the last turn's prompt came from the cache/);
  const slot = context.locator('.slots tbody tr');
  assert.match(await slot.innerText(), /Where is parseDuration defined\?\s+[\d,]+\s+235 MB\s+no/);
  assert.deepEqual(await pictures('cache'), []);
});

test('the turns are drawn and listed', async () => {
  for (let n = 1; n <= 3; n++) await say(chat, `Question ${n}?`);
  await tab('Performance');
  await context.locator('.turns tbody tr').nth(3).waitFor();
  assert.equal(await context.locator('.columns').first().locator('.column').count(), 4);
  assert.deepEqual(await pictures('turns'), []);
});

test('the message that is being written is drawn into the window', async () => {
  await contents('Parts');
  await chat.locator('.composer textarea').fill('How high is the next tide? '.repeat(40));
  await context.locator('.bar .draft').waitFor();
  assert.match(
    await context.locator('.forecast-words').innerText(),
    /^\s*Your message: 270 tokens \+ \d+ not cached yet/,
  );
  assert.deepEqual(await pictures('draft'), []);
  await chat.locator('.composer textarea').fill('');
  await context.locator('.bar .draft').waitFor({ state: 'detached' });
});

test('a summary is looked at, changed and taken back', async () => {
  const filler = 'The clerk reads the gauge at dawn and at dusk. '.repeat(22);
  for (const text of ['Constraint: keep the report readable.', 'I prefer short answers.', 'We still need tests.'])
    await say(chat, `${text} ${filler}`);
  await tab('Summaries');
  await context.locator('vscode-button[aria-label^="Compact now"]').click();
  await context.locator('.compaction').first().waitFor();
  const entry = context.locator('.entry-line').first();
  await entry.locator('vscode-button').click();
  await context.locator('.entry-line textarea').fill('Another goal.');
  await context.locator('.entry-line vscode-button', { hasText: 'Save' }).click();
  await context.locator('.entry-line .words', { hasText: 'Another goal.' }).waitFor();
  assert.deepEqual(await pictures('compaction'), []);
  await context.locator('.compacted-items summary').first().click();
  await context.locator('.compacted-items .verbatim', { hasText: /\w/ }).waitFor();
  await context.locator('vscode-button[aria-label^="Undo"]').click();
  await context.locator('.compaction .state', { hasText: 'undone' }).waitFor();
});

test('a tool is switched off and on again by keyboard and pointer', async () => {
  await contents('Parts');
  const tools = context.locator('.layer', { has: context.locator('.layer-tools') });
  await tools.locator('summary').first().click();
  const toggle = tools.locator('[role="switch"][aria-label="Tool read_file"]');
  await toggle.focus();
  await panel.page.keyboard.press('Space');
  await tools.locator('.tool', { hasText: /read_file\s*off/ }).waitFor();
  assert.equal(await toggle.getAttribute('aria-checked'), 'false');
  assert.deepEqual(await pictures('tools'), []);
  await toggle.click();
  await tools.locator('.tool', { hasText: /read_file\s*\d+/ }).waitFor();
});

test('a report is saved to a file, opened again as what it is, and left by a way back', async () => {
  await contents('Parts');
  const { page } = panel;
  const path = page.locator('.quick-input-widget input[type="text"]');
  const file = join(folder, 'kept.json');
  await context.locator('vscode-button', { hasText: 'Save report' }).click();
  // The dialog writes its own proposal into the field once it has read the folder.
  const proposed = `document.querySelector('.quick-input-widget input[type="text"]')?.value.endsWith('tidemark-report.json')`;
  await page.waitForFunction(proposed);
  await path.fill(file);
  await path.press('Enter');
  await context.locator('.report-actions .said', { hasText: 'Saved to kept.json' }).waitFor();
  await context.locator('vscode-button', { hasText: 'Open report' }).click();
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: 'kept.json' });
  await row.click();
  if (await path.isVisible()) await path.press('Enter');
  await context.locator('.from-file', { hasText: 'From the file kept.json' }).waitFor();
  assert.match(await context.locator('.verbatim').last().innerText(), /Where is parseDuration defined\?/);
  assert.equal(await context.locator('[role="switch"], .deciding').count(), 0);
  assert.deepEqual(await pictures('file'), []);
  await context.locator('vscode-button', { hasText: 'Back to the conversation' }).click();
  await context.locator('.tabs').waitFor();
});

for (const name of ['Contents', 'Performance', 'Summaries'] as const) {
  test(`every control of ${name} is reached by the Tab key`, async () => {
    await tab(name);
    assert.deepEqual((await tabStops(context)).missed, []);
  });
}
