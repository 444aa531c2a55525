// Lines are rewritten in place, in the real workbench and by the keyboard: what it costs is said, the change waits, and the former bytes and selection come back.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Panel } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { runCommand, takePicture } from '../../harness/workbench.ts';
import { temporary } from '../../temporary.ts';
import { setTheme, themes } from '../scenes/panelSteps.ts';
import { openScriptedPanel } from '../scenes/scriptedPanel.ts';

const folder = temporary('tm-place-');
const original = 'const one = 1;\nconst two = 2;\nconst three = 3;\nconst four = 4;\n';
const rewritten = original.replace('const two = 2;\nconst three = 3;', 'const TWO = 2;\nconst THREE = 3;');

let panel: Panel;

before(async () => {
  writeFileSync(join(folder, 'a.js'), original);
  panel = await openScriptedPanel(folder);
  panel.page.setDefaultTimeout(10_000);
  await key('Control+p');
  await panel.page.locator('.quick-input-widget input[type="text"]').fill('a.js');
  await panel.page.locator('.quick-input-list .monaco-list-row', { hasText: 'a.js' }).first().waitFor();
  await key('Enter');
  await panel.page.locator('.tab.active', { hasText: 'a.js' }).waitFor();
});

after(() => panel?.close());

const key = (name: string) => panel.page.keyboard.press(name);
const box = () => panel.page.locator('.quick-input-widget');
const toast = () => panel.page.locator('.notification-toast');
const status = (words: string) => panel.page.locator('.statusbar-item', { hasText: words });
/** The text of the editor, whose blanks are drawn as other characters. */
const text = async () => {
  const lines = await panel.page
    .locator('.editor-instance .view-line')
    .evaluateAll((all) =>
      all
        .toSorted((one, two) => Number.parseFloat(one.style.top) - Number.parseFloat(two.style.top))
        .map((line) => line.textContent ?? ''),
    );
  return lines.join('\n').replaceAll('\u00a0', ' ');
};

async function shows(words: string): Promise<void> {
  for (let i = 0; i < 100 && (await text()) !== words; i++) await panel.page.waitForTimeout(50);
  assert.equal(await text(), words);
}

/** From within the second line to the beginning of the fourth. */
async function select(): Promise<void> {
  await panel.page.locator('.editor-instance .view-line').first().click();
  for (const one of ['Control+Home', 'ArrowDown', 'ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+Home'])
    await key(one);
  await status('Ln 4, Col 1 (31 selected)').waitFor();
}

async function ask(instruction: string): Promise<void> {
  await select();
  await key('Control+Alt+r');
  await box().filter({ hasText: 'Rewrite lines 2 to 3 of a.js' }).waitFor();
  await panel.page.keyboard.type(instruction);
}

test('the box says what it costs, and Escape leaves the text and the selection', async () => {
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(panel.page, themes[theme]);
    await ask('in capitals');
    await box()
      .filter({ hasText: /\d+ tokens to read, about \d+ to write/ })
      .waitFor();
    await takePicture(panel.page, join(projectRoot, 'out', `in-place-box-${theme}.png`));
    await key('Escape');
    await box().waitFor({ state: 'hidden' });
    await status('Ln 4, Col 1 (31 selected)').waitFor();
    await shows(original);
  }
});

test('the new lines wait for a word, and Undo brings bytes and selection back', async () => {
  await ask('in capitals');
  await key('Enter');
  await shows(rewritten);
  await panel.page.locator('.codelens-decoration', { hasText: 'Keep' }).first().waitFor();
  await takePicture(panel.page, join(projectRoot, 'out', 'in-place-change.png'));
  await panel.page.locator('.codelens-decoration a', { hasText: 'Undo' }).first().click();
  await shows(original);
  await status('Ln 4, Col 1 (31 selected)').waitFor();
});

test("the editor's own undo brings bytes and selection back as well", async () => {
  await ask('in capitals');
  await key('Enter');
  await shows(rewritten);
  await panel.page.locator('.editor-instance .view-line').first().click();
  await key('Control+z');
  await shows(original);
  await status('Ln 4, Col 1 (31 selected)').waitFor();
});

test('a change that is in doubt is made after a yes alone', async () => {
  await ask('shout');
  await key('Enter');
  await toast().filter({ hasText: 'The new lines declare nothing, the former ones: two, three' }).waitFor();
  await shows(original);
  await toast().getByRole('button', { name: 'Apply Anyway' }).click();
  await shows(original.replace('const two = 2;\nconst three', 'CONST TWO = 2;\nCONST THREE'));
  await panel.page.locator('.editor-instance .view-line').first().click();
  await key('Control+z');
  await shows(original);
});

test('an answer without code changes nothing and is told', async () => {
  await ask('explain it');
  await key('Enter');
  await toast().filter({ hasText: 'The model answered without code: It is fine.' }).waitFor();
  await shows(original);
  await runCommand(panel.page, 'Notifications: Clear All Notifications');
});

test('it can be cancelled', async () => {
  await ask('slowly');
  await key('Enter');
  await toast().filter({ hasText: 'Tidemark rewrites lines 2 to 3' }).waitFor();
  await toast().getByRole('button', { name: 'Cancel' }).click();
  await toast().waitFor({ state: 'detached' });
  await shows(original);
});

/** Types at the beginning of a line while the lines are rewritten. */
async function typeMeanwhile(line: number, words: string): Promise<void> {
  await ask('slowly');
  await key('Enter');
  await toast().filter({ hasText: 'Tidemark rewrites' }).waitFor();
  await panel.page.locator('.editor-instance .view-line').first().click();
  await key('Control+Home');
  for (let i = 1; i < line; i++) await key('ArrowDown');
  await panel.page.keyboard.type(words);
}

test('lines that changed themselves meanwhile are left alone, and the user is told', async () => {
  await typeMeanwhile(3, '//');
  await toast().filter({ hasText: 'These lines changed while they were rewritten' }).waitFor();
  await shows(original.replace('const three', '//const three'));
  await runCommand(panel.page, 'Notifications: Clear All Notifications');
  await panel.page.locator('.editor-instance .view-line').first().click();
  await key('Control+z');
  await shows(original);
});

test('what was typed elsewhere meanwhile stays, and the new lines stand where they belong', async () => {
  await typeMeanwhile(1, '// typed');
  await shows(`// typed${rewritten}`);
});
