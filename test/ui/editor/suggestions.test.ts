// Inline suggestions in the real workbench and by the keyboard: accepted whole, by word, by line, dismissed, beside the editor's own list, in ten languages; and
// what they cost is seen.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import type { Frame } from 'playwright-core';
import type { Panel } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { contextFrame, runCommand, takePicture } from '../../harness/workbench.ts';
import { temporary } from '../../temporary.ts';
import { findings } from '../scenes/axe.ts';
import { setTheme, themes } from '../scenes/panelSteps.ts';
import { openScriptedPanel } from '../scenes/scriptedPanel.ts';

const folder = temporary('tm-suggest-');
const languages = ['js', 'ts', 'py', 'go', 'rs', 'java', 'c', 'cs', 'rb', 'php'];
/** Milliseconds: more than the pause of the habits. */
const pause = 5200;
const enabled = { 'tidemark.completion.enabled': true, 'editor.autoClosingBrackets': 'never', 'files.autoSave': 'off' };

let panel: Panel;
let context: Frame;

before(async () => {
  for (const ending of [...languages, 'md'])
    writeFileSync(join(folder, `a.${ending}`), ending === 'php' ? '<?php\n' : '');
  panel = await openScriptedPanel(folder, 'fills', enabled);
  panel.page.setDefaultTimeout(15_000);
  context = await contextFrame(panel.page, panel.chat);
});

after(() => panel?.close());

const key = (name: string) => panel.page.keyboard.press(name);
const type = (words: string) => panel.page.keyboard.type(words, { delay: 15 });
/** The locator covers what goes on from the entry chosen in the list, which the editor draws as a preview. */
const ghost = () =>
  panel.page.locator('.editor-instance :is(.ghost-text-decoration, .ghost-text-decoration-preview, .ghost-text)');
const button = () => panel.page.locator('.statusbar-item', { has: panel.page.locator('.codicon-wand') });
const lines = async () => {
  const all = await panel.page
    .locator('.editor-instance .view-line')
    .evaluateAll((found) =>
      found
        .toSorted((one, two) => Number.parseFloat(one.style.top) - Number.parseFloat(two.style.top))
        .map((line) => (line.textContent ?? '').replaceAll('\u00a0', ' ')),
    );
  return all;
};

async function open(name: string): Promise<void> {
  await key('Control+p');
  await panel.page.locator('.quick-input-widget input[type="text"]').fill(name);
  await panel.page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
  await panel.page.locator('.tab.active', { hasText: name }).waitFor();
  await panel.page.locator('.editor-instance .view-line').first().click();
}

/** Waits for what is shown at the caret, whose words are drawn in pieces. */
async function offers(words: string): Promise<void> {
  const shown = async () => (await ghost().allTextContents()).join('').replaceAll('\u00a0', ' ');
  for (let i = 0; i < 100 && !(await shown()).includes(words); i++) await panel.page.waitForTimeout(50);
  assert.ok((await shown()).includes(words), `${words}: ${await shown()}\n${(await lines()).join('\n')}`);
}

async function stands(line: string): Promise<void> {
  const isThere = async () => (await ghost().count()) === 0 && (await lines()).includes(line);
  for (let i = 0; i < 100 && !(await isThere()); i++) await panel.page.waitForTimeout(50);
  assert.ok(await isThere(), (await lines()).join('\n'));
}

async function clear(): Promise<void> {
  await key('Control+a');
  await key('Delete');
}

beforeEach(async () => {
  await open('a.js');
  await clear();
});

test('a suggestion is accepted whole, in ten languages', async () => {
  for (const ending of languages) {
    await open(`a.${ending}`);
    await key('Control+End');
    await type('total = ');
    await offers('price * count');
    await key('Tab');
    await stands('total = price * count');
  }
});

test('a suggestion is accepted by word, and the rest stays', async () => {
  await type('total = ');
  await offers('price * count');
  await key('Control+ArrowRight');
  await offers('* count');
  await key('Tab');
  await stands('total = price * count');
});

test('a body is suggested whole, where the line opens a block', async () => {
  await type('function go() {');
  await key('Enter');
  await offers('first();');
  await key('Tab');
  await stands('    second();');
});

test('a suggestion of several lines is accepted by line, and the rest stays', async () => {
  // The command has no key of its own.
  const keys = [
    { key: 'ctrl+alt+l', command: 'editor.action.inlineSuggest.acceptNextLine', when: 'inlineSuggestionVisible' },
  ];
  writeFileSync(join(panel.server.directory, 'data', 'User', 'keybindings.json'), JSON.stringify(keys));
  await panel.page.waitForTimeout(1500);
  await type('function go() {');
  await key('Enter');
  await offers('first();');
  await key('Control+Alt+l');
  await offers('second();');
  assert.ok((await lines()).some((line) => line.includes('first();')));
  await key('Tab');
  await stands('    second();');
});

test('what is typed along stays, what is dismissed goes, and nothing is written to the file', async () => {
  await type('total = ');
  await offers('price * count');
  await type('pri');
  await offers('ce * count');
  await key('Escape');
  await stands('total = pri');
  assert.equal(readFileSync(join(folder, 'a.js'), 'utf8'), '');
});

test("the editor's own list opens beside a suggestion, and Escape leaves both", async () => {
  await type('const pricesList = 1;\ntotal = ');
  await offers('price * count');
  await key('Control+Space');
  await panel.page.locator('.suggest-widget.visible').waitFor();
  await key('Escape');
  await key('Escape');
  await stands('total = ');
});

test("a suggestion goes on from the entry chosen in the editor's own list", async () => {
  await type('const pricesList = [];\ntotal = pric');
  await key('Control+Space');
  await panel.page.locator('.suggest-widget.visible .monaco-list-row.focused', { hasText: 'pricesList' }).waitFor();
  await offers('esList.length');
  await key('Tab');
  await offers('.length');
  await key('Tab');
  await stands('total = pricesList.length');
});

test('in a language that is off, and with all off, nothing is shown until it is asked for by hand', async () => {
  await open('a.md');
  await clear();
  await type('total = ');
  await panel.page.waitForTimeout(1000);
  assert.equal(await ghost().count(), 0);
  assert.match((await button().getAttribute('aria-label')) ?? '', /off.*off for markdown/);
  await runCommand(panel.page, 'Trigger Inline Suggestion');
  await offers('price * count');
  await key('Escape');
});

test('one click turns them off, and one more on', async () => {
  await button().click();
  await panel.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Turn Off' }).first().click();
  await button().filter({ hasText: 'Off' }).waitFor();
  await panel.page.locator('.editor-instance .view-line').first().click();
  await type('total = ');
  await panel.page.waitForTimeout(1000);
  assert.equal(await ghost().count(), 0);
  await runCommand(panel.page, 'Turn Inline Suggestions On or Off');
  for (let i = 0; i < 100 && (await button().textContent()) !== ''; i++) await panel.page.waitForTimeout(50);
  assert.match((await button().getAttribute('aria-label')) ?? '', /Inline suggestions: on/);
});

test('after three that were not taken nothing is shown until the next pause', async () => {
  await panel.page.waitForTimeout(pause);
  for (let i = 0; i < 3; i++) {
    await type('total = ');
    await offers('price * count');
    await type('none;');
    await key('Enter');
  }
  await type('total = ');
  await panel.page.waitForTimeout(1000);
  assert.equal(await ghost().count(), 0);
  await panel.page.waitForTimeout(pause);
  await key('Backspace');
  await type(' ');
  await offers('price * count');
});

test('the Context view lists each request with its tokens and its fate', async () => {
  await type('const total = ');
  await offers('price * count');
  await key('Tab');
  await key('Enter');
  await offers('log(total);');
  const row = context.locator('.suggestions tbody tr', { hasText: 'a.js:1' }).first();
  const next = context.locator('.suggestions tbody tr', { hasText: 'a.js:2' }).first();
  await context.locator('#tab-suggestions').focus();
  await key('Enter');
  await row.filter({ hasText: 'accepted' }).waitFor();
  assert.match(
    (await row.locator('td').nth(1).getAttribute('title')) ?? '',
    /\d+ in front of the caret, \d+ behind it/,
  );
  // The line behind it was generated ahead, so nothing was asked for it.
  assert.equal(await next.locator('td').nth(1).textContent(), 'none');
  await context
    .locator('.hint', { hasText: /\d+ of \d+ requests showed something/ })
    .first()
    .waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(panel.page, themes[theme]);
    assert.deepEqual(await findings(context), []);
    await takePicture(panel.page, join(projectRoot, 'out', `suggestions-${theme}.png`));
  }
});

test("the wand's menu leads to what suggestions cost, whatever tab was open", async () => {
  for (let i = 0; i < 2; i++) {
    await context.locator('#tab-contents').click();
    await button().click();
    await panel.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Show What They Cost' }).click();
    await context.locator('#tab-suggestions[aria-selected="true"]').waitFor();
  }
});
