// Answers in a real workbench: code blocks with colours and what their buttons do, tool steps, thoughts, waiting messages.

import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame, Locator } from 'playwright-core';
import type { Entry, ViewDelta } from '../../../src/protocol/view.ts';
import { openPanel, type Panel } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { runCommand, takePicture, webviewFrame } from '../../harness/workbench.ts';
import { temporary } from '../../temporary.ts';
import { findings } from '../scenes/axe.ts';
import { gallery } from '../scenes/gallery.ts';
import { overflow, say, setTheme, setWidth, themes } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const folder = temporary('tm-answers-');
const settings = {
  'tidemark.model.path': '/models/scripted.gguf',
  'tidemark.model.contextSize': 8192,
  'files.autoSave': 'off',
};
const onDisk = (path: string) => readFileSync(join(folder, path), 'utf8');

let panel: Panel;
let chat: Frame;

before(async () => {
  cpSync(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings });
  chat = panel.chat;
  await chat.locator('[data-engine="ready"]').waitFor();
});

after(() => panel?.close());

/** The scripted model repeats what it is told. */
const answered = async (text: string): Promise<Locator> => {
  await say(chat, text);
  return chat.locator('.message.assistant').last();
};

const press = (block: Locator, act: string) => block.locator(`[data-act="${act}"]`).click();

/** Tells the view a delta, as the host would. */
const tell = (delta: ViewDelta) => chat.evaluate(`window.postMessage(${JSON.stringify(delta)}, '*')`);
const show = (entry: Entry) => tell({ type: 'entry', entry });

const editorText = () => panel.page.locator('.editor-instance .view-lines').last();
/** Picks the place where the code goes, if the editor asks for it. */
const pick = (words: string) => panel.page.locator('.quick-input-list .monaco-list-row', { hasText: words }).click();
const dirtyTab = () => panel.page.locator('.tab.dirty');
const revert = async () => {
  await runCommand(panel.page, 'File: Revert File');
  await dirtyTab().waitFor({ state: 'detached' });
};

test('a code block names its file and language, has its colours, and can be copied', async () => {
  const answer = await answered('so\n\nIn `src/tide.ts`:\n\n```ts\nconst high = "water"; // 12\n```');
  const block = answer.locator('.code');
  assert.equal(await block.locator('.code-path').innerText(), 'src/tide.ts');
  assert.equal(await block.locator('.code-language').innerText(), 'ts');
  for (const kind of ['keyword', 'string', 'comment']) await block.locator(`.hljs-${kind}`).first().waitFor();
  assert.equal(await block.locator('pre code').innerText(), 'const high = "water"; // 12\n');
  await press(block, 'copyCode');
  await block.locator('[aria-label="Copied"] .codicon-check').waitFor();
  await block.locator('[aria-label="Copy"] .codicon-copy').waitFor();
});

const lens = (words: string) => panel.page.locator('.codelens-decoration a', { hasText: words });
const bar = (answer: Locator, words: string) =>
  answer.locator('.applied .review-row').first().locator('button', { hasText: words });

/** The line beside the block that says what Apply would do. */
const foreseen = (answer: Locator, words: RegExp) => answer.locator('.code-change', { hasText: words });

test('applied code stands in the editor, not in the file; undone in the chat, the file is as it was', async () => {
  const was = onDisk('src/report.ts');
  const code = "function printTurn(turn: Turn, feet: boolean): string {\n  return 'changed';\n}";
  const answer = await answered(`so\n\n\`\`\`ts src/report.ts\n${code}\n\`\`\``);
  await foreseen(answer, /^src\/report\.ts: \+1 −3, lines \d+ to \d+$/).waitFor();
  await press(answer.locator('.code'), 'applyCode');
  await dirtyTab().waitFor();
  // The row says what was changed.
  await foreseen(answer, /./).waitFor({ state: 'hidden' });
  await lens('Keep').waitFor();
  await lens('Compare').waitFor();
  await takePicture(panel.page, join(projectRoot, 'out', 'answers-applied.png'));
  assert.match(await editorText().innerText(), /changed[\s\S]*FEET_PER_METRE|FEET_PER_METRE[\s\S]*changed/);
  const row = answer.locator('.applied .review-row').first();
  assert.match(await row.innerText(), /Applied to src\/report\.ts\s*not saved\s*\+1 −3/);
  await lens('+1 −3 lines').waitFor();
  await chat.locator('.review-files', { hasText: 'src/report.ts' }).last().waitFor();
  assert.equal(onDisk('src/report.ts'), was);
  await bar(answer, 'Undo').click();
  await answer.locator('.applied').first().waitFor({ state: 'detached' });
  await dirtyTab().waitFor({ state: 'detached' });
  assert.equal(onDisk('src/report.ts'), was);
});

test('of two changes one is kept and one undone above the lines, and then the file is saved', async () => {
  const was = onDisk('src/stations.ts');
  const patch = patchOf(was);
  const answer = await answered(`so\n\n\`\`\`diff\n${patch}\n\`\`\``);
  await press(answer.locator('.code'), 'applyCode');
  await lens('Keep All 2').waitFor();
  const hunks = answer.locator('.applied .review-hunks .review-row');
  assert.equal(await hunks.count(), 2);
  await hunks.first().locator('button', { hasText: 'Keep' }).click();
  await hunks.first().waitFor({ state: 'detached' });
  await lens('Keep All 2').waitFor({ state: 'detached' });
  await lens('Undo').click();
  await dirtyTab().waitFor({ state: 'detached' });
  const lines = was.split('\n');
  assert.equal(onDisk('src/stations.ts'), ['// first', ...lines].join('\n'));
});

/** Adds a line at the top and one further down, with heads that count wrongly, as models write them. */
function patchOf(text: string): string {
  const [first, , , , , sixth] = text.split('\n');
  return `--- a/src/stations.ts\n+++ b/src/stations.ts\n@@ -1,9 +1,9 @@\n+// first\n ${first}\n@@ -6,7 +7,7 @@\n ${sixth}\n+// more`;
}

test('a named file is created, and to an existing one the code is applied', async () => {
  const answer = await answered('so\n\n```ts title="src/made/new.ts"\nexport const made = 1;\n```');
  await press(answer.locator('.code'), 'createFile');
  await panel.page.locator('.tab', { hasText: 'new.ts' }).waitFor();
  assert.equal(onDisk('src/made/new.ts'), 'export const made = 1;\n');
  await bar(answer, 'Undo').click();
  await panel.page.locator('.tab', { hasText: 'new.ts' }).waitFor({ state: 'detached' });
  assert.equal(existsSync(join(folder, 'src/made/new.ts')), false);
  await press(answer.locator('.code'), 'createFile');
  await bar(answer, 'Keep').click();
  await answer.locator('.applied').waitFor({ state: 'detached' });
  const again = await answered('so\n\n```ts title="src/made/new.ts"\nexport const made = 2;\n```');
  await press(again.locator('.code'), 'createFile');
  await bar(again, 'Undo').waitFor();
  assert.equal(onDisk('src/made/new.ts'), 'export const made = 1;\n');
  await lens('Undo').click();
  await dirtyTab().waitFor({ state: 'detached' });
});

test('after a reload an applied block waits on in its unsaved buffer, and lines that went are told above it', async () => {
  const was = onDisk('src/stations.ts');
  const lines = was.split('\n');
  const code = `--- a/src/stations.ts\n+++ b/src/stations.ts\n@@ -1,3 +1,1 @@\n-${lines[0]}\n-${lines[1]}\n ${lines[2]}`;
  const answer = await answered(`so\n\n\`\`\`diff\n${code}\n\`\`\``);
  await press(answer.locator('.code'), 'applyCode');
  await lens('−2 lines').waitFor();
  await panel.page.locator('.dirty-diff-glyph').first().waitFor();
  await takePicture(panel.page, join(projectRoot, 'out', 'answers-removed.png'));
  await panel.page.reload();
  chat = await webviewFrame(panel.page, 'Chat');
  await chat.locator('[data-engine="ready"]').waitFor();
  // The editor may come back with another file in front.
  await bar(chat.locator('.message.assistant').last(), 'Undo').waitFor();
  await runCommand(panel.page, 'Tidemark: Go to Next Change');
  await lens('−2 lines').waitFor();
  await bar(chat.locator('.message.assistant').last(), 'Undo').click();
  await dirtyTab().waitFor({ state: 'detached' });
  assert.equal(onDisk('src/stations.ts'), was);
});

test('no file is made outside the folder', async () => {
  const answer = await answered('so\n\n```ts title="../tm-outside.ts"\nconst a = 1;\n```');
  await press(answer.locator('.code'), 'createFile');
  await panel.page.locator('.notification-toast', { hasText: 'outside the workspace' }).waitFor();
  assert.equal(existsSync(join(folder, '..', 'tm-outside.ts')), false);
});

test('code insert at the cursor', async () => {
  const place = await answered('see src/made/new.ts:1');
  await place.locator('.place').first().click();
  await panel.page.locator('.tab.active', { hasText: 'new.ts' }).waitFor();
  const answer = await answered('so\n\n```ts\n/* inserted */\n```');
  await press(answer.locator('.code'), 'insertCode');
  await dirtyTab().waitFor();
  assert.match(await editorText().innerText(), /inserted.*made/s);
  await revert();
});

test('code without a name asks for its file and its place, and takes no line that is only selected', async () => {
  const answer = await answered('so\n\n```ts\nexport const anywhere = 1;\n```');
  await foreseen(answer, /^You choose the file\.$/).waitFor();
  await panel.page.locator('.tab', { hasText: 'new.ts' }).click();
  await editorText().click();
  await panel.page.keyboard.press('ControlOrMeta+A');
  await press(answer.locator('.code'), 'applyCode');
  await pick('src/made/new.ts');
  await pick('replace the selection');
  await editorText().filter({ hasText: 'anywhere' }).waitFor();
  assert.equal((await editorText().innerText()).trim().replaceAll('\u00a0', ' '), 'export const anywhere = 1;');
  await revert();
  await editorText().click();
  await press(answer.locator('.code'), 'applyCode');
  await pick('src/stations.ts');
  await pick('replace the whole file');
  await lens('Undo').first().waitFor();
  await bar(answer, 'Undo').click();
  await dirtyTab().waitFor({ state: 'detached' });
});

test('a block without a name goes to the file of the message that declares the same, whatever is selected', async () => {
  const code = 'export function riseBetween(first: Turn, second: Turn): number {\n  return 0;\n}';
  const answer = await answered(`In @file:src/report.ts\n\nAnswer with:\nIt is:\n\n\`\`\`ts\n${code}\n\`\`\`\nEnd.`);
  await panel.page.locator('.tab', { hasText: 'new.ts' }).click();
  await panel.page.keyboard.press('ControlOrMeta+A');
  await press(answer.locator('.code'), 'applyCode');
  await panel.page.locator('.tab.active', { hasText: 'report.ts' }).waitFor();
  await bar(answer, 'Undo').click();
  await dirtyTab().waitFor({ state: 'detached' });
});

test('a place that is not there is marked and leads nowhere; a file that was shown is found without its folder', async () => {
  await say(chat, 'look at @file:src/duration.ts');
  const answer = await answered('It is in `duration.ts:14`, src/duration.ts:9999 and **src/made-up.ts:3**.');
  const missing = answer.locator('.place-missing');
  await missing.nth(1).waitFor();
  assert.deepEqual(await missing.allInnerTexts(), ['src/duration.ts:9999 (not there)', 'src/made-up.ts:3 (not there)']);
  assert.equal(await answer.locator('.place').count(), 1);
  assert.deepEqual(await findings(chat), []);
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(panel.page, themes[theme]);
    await takePicture(panel.page, join(projectRoot, 'out', 'ui', `place-missing-${theme}.png`));
  }
  await answer.locator('.place').click();
  await panel.page.locator('.tab.active', { hasText: 'duration.ts' }).waitFor();
});

test('in a folder that is not trusted code can only be copied', async () => {
  const block = (await answered('so\n\n```ts\n1;\n```')).locator('.code');
  assert.equal(await block.locator('.code-act:visible').count(), 4);
  await chat.evaluate("document.body.dataset.trusted = 'false'");
  assert.equal(await block.locator('.code-act:visible').count(), 1);
  assert.equal(await block.locator('[data-act="copyCode"]').isVisible(), true);
  await chat.evaluate("document.body.dataset.trusted = 'true'");
});

test('a tool step opens to its result and says how long it took and what it costs', async () => {
  await answered('Where is parseDuration defined?');
  const step = chat.locator('.step').last();
  assert.match(await step.locator('.step-cost').innerText(), /^[\d.]+ m?s · \d+ tokens$/);
  await step.locator('summary').focus();
  await panel.page.keyboard.press('Enter');
  assert.match(await step.locator('pre').innerText(), /src\/duration\.ts:14/);
});

test('the last answer says how fast it was and can be asked for again', async () => {
  const last = await answered('say it');
  await last.locator('.slow summary').focus();
  await panel.page.keyboard.press('Enter');
  assert.match(
    await last.locator('.slow ul').innerText(),
    /^first word after [^\n]+[\s\S]*\n\d+ tokens · [\d.,]+ tokens\/s$/,
  );
  assert.deepEqual(await findings(chat), []);
  assert.equal(await chat.locator('[aria-label^="Regenerate"]').count(), 1);
  const many = await chat.locator('.message').count();
  await last.locator('[aria-label^="Regenerate"]').click();
  await chat.locator('[data-running="true"]').waitFor();
  await chat.locator('[data-running="false"]').waitFor();
  assert.equal(await chat.locator('.message').count(), many);
});

test('thoughts are collapsed, with their length, and an answer that was cut can go on', async () => {
  await show({ kind: 'answer', id: 'x1', thoughts: 'one two', text: 'Yes.', end: 'length' });
  const answer = chat.locator('.message.assistant').last();
  await answer.locator('.markdown', { hasText: 'Yes.' }).waitFor();
  assert.equal((await answer.locator('.thoughts summary').innerText()).trim(), 'Thoughts · 2 words');
  assert.equal(await answer.locator('.thoughts-text').isVisible(), false);
  await answer.locator('.thoughts summary').click();
  assert.equal(await answer.locator('.thoughts-text').innerText(), 'one two');
  assert.equal(await answer.locator('vscode-button', { hasText: 'Continue' }).count(), 1);
  await show({ kind: 'answer', id: 'x1', text: 'again again', end: 'repeats' });
  await answer.locator('.ending', { hasText: 'repeating itself' }).waitFor();
  assert.equal(await answer.locator('vscode-button', { hasText: 'Continue' }).count(), 0);
});

test('an answer looks right in every theme and width, and nothing is wider than the view', async () => {
  await show({ kind: 'answer', id: 'x2', thoughts: 'Let me see.', text: gallery, end: 'cancelled' });
  await tell({
    type: 'set',
    values: {
      queue: [
        { id: 1, text: 'And then the tests' },
        { id: 2, text: 'word '.repeat(40) },
      ],
    },
  });
  await chat.locator('.waiting li').nth(1).waitFor();
  await chat.locator('.hljs-title').last().waitFor();
  for (const [name, theme] of Object.entries(themes)) {
    await setTheme(panel.page, theme);
    for (const width of [420, 280]) {
      await setWidth(panel.page, width);
      await chat.locator('.message.assistant .code').last().scrollIntoViewIfNeeded();
      await takePicture(panel.page, join(projectRoot, 'out', `answers-${name}-${width}.png`));
      assert.deepEqual(await overflow(chat), []);
    }
  }
});
