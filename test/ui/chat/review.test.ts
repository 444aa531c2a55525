// Twelve tasks in the real workbench: files are changed by a conversation, looked at, kept, taken back, made again, and asked anew.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { type Panel, sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { runCommand, takePicture, webviewFrame } from '../../harness/workbench.ts';
import { temporary } from '../../temporary.ts';
import { findings } from '../scenes/axe.ts';
import { overflow, setTheme, themes } from '../scenes/panelSteps.ts';
import { openScriptedPanel } from '../scenes/scriptedPanel.ts';

const folder = temporary('tm-review-');
const names = ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts'] as const;
const original = (name: string) =>
  `// ${name}\nexport function first() {\n  return 1;\n}\n\nexport function middle() {\n  return 'm';\n}\n\nexport function last() {\n  return 9;\n}\n`;
const at = (name: string) => join(folder, name);
const read = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : null);
const block = (name: string, symbol: string, value: string) =>
  `\`\`\`ts ${name}\nexport function ${symbol}() {\n  return ${value};\n}\n\`\`\``;
/** A file with one of its values changed. */
const withValue = (text: string, symbol: string, value: string) =>
  text.replace(new RegExp(`(function ${symbol}\\(\\) \\{\\n  return )[^;]+`), `$1${value}`);

let panel: Panel;
let chat: Frame;

before(async () => {
  for (const name of names) writeFileSync(at(name), original(name));
  panel = await openScriptedPanel(folder);
  chat = panel.chat;
});

after(() => panel?.close());

/** Its file stands beside it: in a folder of which a conversation was shown nothing, a change asks. */
const asked = (...blocks: readonly string[]) => `In @file:a.ts\n\nAnswer with:\n${blocks.join('\n\n')}\nEnd.`;

/** A message whose answer changes these, and the end of its turn. */
async function change(...blocks: readonly string[]): Promise<void> {
  await sendMessage(chat, asked(...blocks));
  await chat.locator('[data-running="true"]').waitFor();
  await chat.locator('[data-running="false"]').waitFor();
}

const rows = () => chat.locator('.review-files > li');
const row = (name: string) => rows().filter({ has: chat.locator('.review-name', { hasText: name }) });
const press = (name: string, label: string) =>
  chat.getByRole('button', { name: `${label}: ${name}`, exact: true }).click();
const all = (label: string) => chat.locator('.review-all').getByRole('button', { name: label }).click();
const noBar = () => chat.locator('.review').waitFor({ state: 'detached' });
const shown = async (name: string) => (await row(name).first().innerText()).replace(/\s+/g, ' ');

async function becomes(name: string, text: string | null): Promise<void> {
  for (let i = 0; i < 100 && read(name) !== text; i++) await panel.page.waitForTimeout(50);
  assert.equal(read(name), text);
}

/** All as it was, in a conversation that changed nothing. */
async function beginAgain(): Promise<void> {
  await sendMessage(chat, '/new');
  await noBar();
  for (const name of names) writeFileSync(at(name), original(name));
  // The agent stays, and changes are asked for again.
  await chat.locator('.mode-switch', { hasText: /unified|Edit/, hasNotText: 'then review' }).waitFor();
  await chooseMode('Changes files at once', 'Edit, then review');
}

async function chooseMode(row: string, label: string): Promise<void> {
  await chat.locator('.mode-switch').click();
  await panel.page.locator('.quick-input-list .monaco-list-row', { hasText: row }).click();
  await chat.locator('.mode-switch', { hasText: label }).waitFor();
}

const dialog = (label: string) => panel.page.locator('.monaco-dialog-box .monaco-button', { hasText: label });
const toast = (label: string) => panel.page.locator('.notification-toast .monaco-button', { hasText: label });

test('1: one change in one file is made at once, shown with its size, and kept', async () => {
  await beginAgain();
  await change(block('a.ts', 'first', '2'));
  assert.equal(await chat.locator('.approval').count(), 0);
  await rows().first().waitFor();
  assert.match(await shown('a.ts'), /a\.ts \+1 −1/);
  await press('a.ts', 'Keep');
  await noBar();
  assert.equal(read('a.ts'), withValue(original('a.ts'), 'first', '2'));
});

test('2: it is taken back byte for byte, and made again', async () => {
  await beginAgain();
  await change(block('a.ts', 'first', '2'));
  await press('a.ts', 'Undo');
  await becomes('a.ts', original('a.ts'));
  await row('a.ts').filter({ hasText: 'undone' }).waitFor();
  await press('a.ts', 'Redo');
  await becomes('a.ts', withValue(original('a.ts'), 'first', '2'));
});

test('3: of two changes in a file one is kept and the other taken back', async () => {
  await beginAgain();
  await change(block('a.ts', 'first', '2'), block('a.ts', 'last', '8'));
  await press('a.ts, line 11', 'Undo');
  await becomes('a.ts', withValue(original('a.ts'), 'first', '2'));
  await press('a.ts', 'Keep');
  await noBar();
});

test('4: a new file in a new folder asks, goes when it is taken back, and comes again', async () => {
  await beginAgain();
  await sendMessage(chat, asked(block('new/f.ts', 'made', '1')));
  await chat.locator('.approval', { hasText: 'its folder is new' }).waitFor();
  await chat.locator('.approval vscode-button', { hasText: /^\s*Allow\s*$/ }).click();
  await chat.locator('[data-running="false"]').waitFor();
  assert.match(await shown('f.ts'), /new \+3/);
  await press('new/f.ts', 'Undo');
  await becomes('new/f.ts', null);
  await press('new/f.ts', 'Redo');
  await becomes('new/f.ts', 'export function made() {\n  return 1;\n}\n');
});

test('5: changes of three files are kept together', async () => {
  await beginAgain();
  await change(...['a.ts', 'b.ts', 'c.ts'].map((name) => block(name, 'middle', "'M'")));
  assert.match(await chat.locator('.review summary').innerText(), /3 changed files\s*\+3 −3/);
  await all('Keep All');
  await noBar();
  assert.equal(read('c.ts'), withValue(original('c.ts'), 'middle', "'M'"));
});

test('6: changes of five files open side by side, and are taken back together', async () => {
  await beginAgain();
  await change(...names.map((name) => block(name, 'last', '0')));
  await all('Open All');
  await panel.page.locator('.tab', { hasText: 'Changes of the Conversation' }).waitFor();
  await panel.page.locator('.multiDiffEntry .view-lines', { hasText: 'return 0;' }).first().waitFor();
  await takePicture(panel.page, join(projectRoot, 'out', 'ui', 'review-open-all.png'));
  for (const [name, theme] of Object.entries(themes)) {
    await setTheme(panel.page, theme);
    await takePicture(panel.page, join(projectRoot, 'out', 'ui', `review-${name}.png`));
  }
  assert.deepEqual([await findings(chat), await overflow(chat)], [[], []]);
  await all('Undo All');
  for (const name of names) await becomes(name, original(name));
});

test('7: a message takes back what it and those after it changed, and makes it again', async () => {
  await beginAgain();
  await change(block('a.ts', 'first', '2'));
  await change(block('a.ts', 'last', '8'), block('b.ts', 'last', '8'));
  await chat.getByRole('button', { name: 'Undo the changes since this message' }).first().click();
  for (const name of ['a.ts', 'b.ts']) await becomes(name, original(name));
  await chat.getByRole('button', { name: 'Redo the changes since this message' }).first().click();
  await becomes('a.ts', withValue(withValue(original('a.ts'), 'first', '2'), 'last', '8'));
  await becomes('b.ts', withValue(original('b.ts'), 'last', '8'));
});

test('8: asking again offers to take back what the answer changed', async () => {
  await beginAgain();
  await change(block('a.ts', 'first', '2'));
  await chat.getByRole('button', { name: 'Regenerate' }).click();
  await dialog('Undo Changes').click();
  await chat.locator('[data-running="true"]').waitFor();
  await becomes('a.ts', original('a.ts'));
  await chat.locator('[data-running="false"]').waitFor();
  await becomes('a.ts', withValue(original('a.ts'), 'first', '2'));
});

test('9: an edited message may leave them, and what is cancelled goes nowhere', async () => {
  await beginAgain();
  await change(block('a.ts', 'first', '2'));
  await chat.getByRole('button', { name: 'Edit and resend' }).first().click();
  // The view puts the caret at the end in the frame in which it takes the focus: before, that would fall between selecting and writing.
  const editing = chat.locator('.message.editing textarea:focus');
  await editing.fill(asked(block('b.ts', 'first', '3')));
  await editing.press('Enter');
  await dialog('Leave Changes').click();
  await becomes('b.ts', withValue(original('b.ts'), 'first', '3'));
  assert.equal(read('a.ts'), withValue(original('a.ts'), 'first', '2'));
});

test('10: what the user wrote beside a change stays when it is taken back', async () => {
  await beginAgain();
  await change(block('a.ts', 'first', '2'));
  await rows().first().waitFor();
  writeFileSync(at('a.ts'), `${read('a.ts')}// mine\n`);
  await press('a.ts', 'Undo');
  await becomes('a.ts', `${original('a.ts')}// mine\n`);
});

test('11: what the user wrote into a change is overwritten only after a comparison and a yes', async () => {
  await beginAgain();
  await change(block('a.ts', 'first', '2'));
  await rows().first().waitFor();
  const mine = withValue(original('a.ts'), 'first', '2 + mine');
  writeFileSync(at('a.ts'), mine);
  await press('a.ts', 'Undo');
  await toast('Leave It').click();
  assert.equal(read('a.ts'), mine);
  await press('a.ts', 'Undo');
  await toast('Overwrite').waitFor();
  await takePicture(panel.page, join(projectRoot, 'out', 'ui', 'review-overwrite.png'));
  await toast('Overwrite').click();
  await becomes('a.ts', original('a.ts'));
});

test('12: the model is told with the next message what was kept and what was taken back', async () => {
  await beginAgain();
  await change(block('a.ts', 'first', '2'), block('b.ts', 'first', '2'));
  await press('a.ts', 'Undo');
  await becomes('a.ts', original('a.ts'));
  await press('b.ts', 'Keep');
  await sendMessage(chat, 'What now?');
  await chat.locator('[data-running="true"]').waitFor();
  await chat.locator('[data-running="false"]').waitFor();
  const told = 'Told the model: Since then the user kept your changes of b.ts; undid your changes of a.ts.';
  await chat.locator('.info', { hasText: told }).waitFor();
});

test('changes that wait are there again after the window was reloaded, with bars beside their lines', async () => {
  await beginAgain();
  await change(block('a.ts', 'first', '2'), block('a.ts', 'last', '8'));
  await rows().first().waitFor();
  await panel.page.reload({ waitUntil: 'domcontentloaded' });
  await panel.page.locator('.monaco-workbench .activitybar').waitFor({ timeout: 60_000 });
  // The view was open and comes by itself; the document that goes away still answers for a while.
  for (let i = 0; i < 100; i++) {
    chat = await webviewFrame(panel.page, 'Chat');
    if (
      (await rows()
        .count()
        .catch(() => 0)) > 0
    )
      break;
    await panel.page.waitForTimeout(200);
  }
  await runCommand(panel.page, 'Tidemark: Go to Next Change');
  await panel.page.locator('.tab', { hasText: 'a.ts' }).first().waitFor();
  await panel.page.locator('.codelens-decoration', { hasText: 'Keep All 2' }).waitFor();
  await panel.page.locator('.dirty-diff-glyph').first().waitFor();
  await takePicture(panel.page, join(projectRoot, 'out', 'ui', 'review-bars.png'));
  await press('a.ts', 'Undo');
  await becomes('a.ts', original('a.ts'));
});

test('lines that went stand struck through behind the file, also after words that came and went beside them', async () => {
  await beginAgain();
  await change(
    '```ts a.ts\nexport function first() {\n}\n```',
    block('a.ts', 'middle', "'a longer answer'"),
    '```ts a.ts\nexport function last() {\n  const nine = 9;\n  return nine;\n}\n```',
  );
  await runCommand(panel.page, 'Tidemark: Go to Next Change');
  /** Words that the editor draws behind lines: they are no text of the page. */
  const struck = () =>
    panel.page
      .locator('.view-line span span')
      .evaluateAll((spans) =>
        spans
          .map((span) => getComputedStyle(span, '::after').content.replaceAll('\u00a0', ' '))
          .filter((words) => words.startsWith('"')),
      );
  const gone = ['"return 1;"', '"return \'m\';"', '"return 9;"'];
  await panel.page.locator('.codelens-decoration', { hasText: 'Keep All 3' }).waitFor();
  for (const name of ['light', 'dark'] as const) {
    await setTheme(panel.page, themes[name]);
    await takePicture(panel.page, join(projectRoot, 'out', 'ui', `review-removed-${name}.png`));
  }
  assert.deepEqual(await struck(), gone);
  await panel.page.keyboard.press('End');
  await panel.page.keyboard.type(' // so');
  await panel.page.locator('.view-line', { hasText: '// so' }).waitFor();
  await panel.page.waitForTimeout(500);
  await takePicture(panel.page, join(projectRoot, 'out', 'ui', 'review-removed-typed.png'));
  await panel.page.keyboard.press('Control+z');
  await panel.page.waitForTimeout(500);
  await takePicture(panel.page, join(projectRoot, 'out', 'ui', 'review-removed-undone.png'));
  assert.deepEqual(await struck(), gone);
});
