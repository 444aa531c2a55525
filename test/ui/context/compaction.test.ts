// Compaction in the real panel: `/compact` shows what stands for older turns, what it found is kept or dismissed; in three themes.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { openPanel, type Panel, sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { contextFrame, runCommandByKeyboard, takePicture, webviewFrame } from '../../harness/workbench.ts';
import { ask, overflow, say, setTheme, setWidth, tabStops, themes } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const folder = join(projectRoot, 'test', 'fixtures', 'sample');
// A node "summarise" has the model asked, which takes a while.
const settings = {
  'tidemark.model.path': '/models/scripted.gguf',
  'tidemark.model.contextSize': 4096,
  'tidemark.agent': 'choosing',
  'tidemark.agents': { choosing: { graph: [{ do: 'act' }, { do: 'summarise' }] } },
};
const viewport = { width: 1280, height: 1500 };
const picture = (name: string) => takePicture(panel.page, join(projectRoot, 'out', `compaction-${name}.png`));

const filler =
  'The harbour office writes its books by hand, and the clerk reads the gauge at dawn and at dusk. The numbers go to the mainland by boat, where another clerk copies them. '.repeat(
    7,
  );
const preference = 'I prefer short answers with a file and a line.';
const decision = "Let's use one table for all harbours.";
const open = 'You may rewrite the tests of the calendar.';
const messages = [
  'I want to move the tide report to UTC.',
  'Constraint: the report must stay readable for harbour masters.',
  preference,
  decision,
  open,
];

let panel: Panel;
let chat: Frame;
let context: Frame;

before(async () => {
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings, viewport });
  chat = panel.chat;
  await chat.locator('[data-engine="ready"]').waitFor();
  context = await contextFrame(panel.page, chat);
  await setWidth(panel.page, 420);
});

after(() => panel?.close());

const proposal = (text: string) => chat.locator('.proposal', { hasText: text });
const compacting = () => chat.locator('.context-words', { hasText: 'compacting' });
const layer = () => context.locator('.layer', { has: context.locator('.layer-state') });

test('a message gets its answer at once while turns are compacted, and then nothing is compacted', async () => {
  for (const text of messages) await say(chat, `${text} ${filler}`);
  await sendMessage(chat, '/compact');
  await compacting().waitFor();
  await say(chat, 'What comes next?');
  await chat.locator('.info', { hasText: 'Nothing was compacted: it was interrupted.' }).waitFor();
  assert.equal(await compacting().count(), 0);
  assert.equal(await chat.locator('.message.assistant .markdown').last().innerText(), 'You said: What comes next?');
});

test('/compact says in both views that turns are compacted, only while it lasts', async () => {
  assert.equal(await context.locator('.compacting').count(), 0);
  await sendMessage(chat, '/compact');
  await context.locator('.status-line.compacting', { hasText: 'Compacting older turns' }).waitFor();
  await compacting().waitFor();
  await picture('running');
  await chat.locator('.info', { hasText: 'Older turns are now a summary' }).first().waitFor();
  await compacting().waitFor({ state: 'detached' });
  await context.locator('.compacting').waitFor({ state: 'detached' });
});

test('the transcript says what the compaction freed, and opens to the summary', async () => {
  const info = chat.locator('.info', { hasText: 'Older turns are now a summary' }).first();
  await info.locator('summary').click();
  const words = await info.innerText();
  const [, was, is] = /([\d,]+) → ([\d,]+) prompt tokens, \d+ of them the summary/.exec(words) ?? [];
  const number = (digits = '') => Number(digits.replace(',', ''));
  assert.ok(number(is) > 0 && number(is) < number(was) - 400, words);
  assert.match(words, /Constraints\s+Constraint: the report must stay readable/);
  await info.locator('summary').click();
});

test('the Context view shows the summary by section, adding up, and the compacted run with its reason', async () => {
  await layer().locator('summary .label', { hasText: 'Summary' }).waitFor();
  await layer().locator('summary').click();
  const rows = await layer().locator('.item').allInnerTexts();
  for (const name of ['Constraints', 'Approvals', 'Preferences', 'Said by the user', 'Decisions', 'Answered'])
    assert.ok(
      rows.some((row) => new RegExp(`^${name}\\s+\\d+$`).test(row)),
      `${name} in ${rows.join('; ')}`,
    );
  const tokens = rows.map((row) => Number(/\d+$/.exec(row)?.[0]));
  const whole = Number(await layer().locator('summary .tokens').innerText());
  assert.equal(
    tokens.reduce((sum, one) => sum + one, 0),
    whole,
  );
  const run = context.locator('.item.folded');
  assert.match(await run.innerText(), /0–\d+\s+\d+ earlier items\s+compacted\s+[\d,]+ → 0/);
  await run.locator('summary').press('Enter');
  assert.match(await run.locator('.why').innerText(), /summary/);
});

test('what the user said that may outlive the session is proposed, and looks right in three themes', async () => {
  const card = chat.locator('.proposals');
  assert.match(await card.innerText(), /^Remember for later conversations\?/);
  assert.deepEqual(await card.locator('.kind').allInnerTexts(), ['preference', 'decision', 'decision']);
  const { names, missed } = await tabStops(chat);
  assert.deepEqual(missed, []);
  assert.ok(names.includes(`VSCODE-BUTTON Remember: ${preference}`), names.join('; '));
  assert.ok(names.includes(`VSCODE-BUTTON Dismiss: ${preference}`));
  const problems: string[] = [];
  for (const [theme, look] of Object.entries(themes)) {
    await setTheme(panel.page, look);
    for (const width of [280, 420]) {
      await setWidth(panel.page, width);
      await chat.locator('.info').last().scrollIntoViewIfNeeded();
      await picture(`proposed-${theme}-${width}`);
      for (const frame of [chat, context])
        problems.push(...(await overflow(frame)).map((what) => `${theme} ${width}: ${what}`));
    }
  }
  assert.deepEqual(problems, []);
});

test('what waits for an answer still waits after a reload of the window', async () => {
  await panel.page.reload();
  chat = await webviewFrame(panel.page, 'Chat');
  context = await webviewFrame(panel.page, 'Context');
  await chat.locator('[data-engine="ready"]').waitFor();
  await proposal(open).locator('vscode-button', { hasText: 'Remember' }).waitFor();
  assert.equal(await chat.locator('.proposals').count(), 1);
  await layer().waitFor();
});

test('Keep and Dismiss answer by keyboard, the focus goes to what is left, and then the card is one line', async () => {
  /** The focus follows when the card has been painted. */
  const focused = async (wanted: string) => {
    const now = () =>
      chat.evaluate('document.activeElement.tagName + " " + (document.activeElement.getAttribute("aria-label") ?? "")');
    for (let i = 0; i < 100 && (await now()) !== wanted; i++) await panel.page.waitForTimeout(20);
    assert.equal(await now(), wanted);
  };
  await proposal(preference).locator('vscode-button').first().focus();
  await panel.page.keyboard.press('Enter');
  await proposal(preference).locator('.codicon[aria-label="remembered"]').waitFor();
  await focused(`VSCODE-BUTTON Remember: ${decision}`);
  await panel.page.keyboard.press('Enter');
  await proposal(decision).locator('.codicon-check').waitFor();
  await setTheme(panel.page, themes.light);
  await picture('answering-light');
  await runCommandByKeyboard(panel.page, 'Tidemark: Focus on Chat View');
  await chat.locator('.composer textarea:focus').waitFor();
  await proposal(open).locator('vscode-button', { hasText: 'Dismiss' }).focus();
  await panel.page.keyboard.press('Enter');
  const card = chat.locator('.proposals');
  await card.locator('summary', { hasText: '2 remembered, 1 dismissed' }).waitFor();
  assert.equal(await card.locator('.words').first().isVisible(), false);
  await focused('SUMMARY ');
  await panel.page.keyboard.press('Enter');
  assert.equal(await proposal(open).locator('s').innerText(), open);
});

test('what was kept stands on the board and in the memory, and what was dismissed does not', async () => {
  assert.match(await ask(chat, '/memory'), /I prefer short answers with a file and a line\.\s+preference/);
  const board = await ask(chat, '/work');
  assert.match(board, /D1\s+Let's use one table for all harbours\./);
  assert.doesNotMatch(board, /calendar/);
  await setTheme(panel.page, themes.dark);
  await picture('kept-dark');
});

test('the conversation goes on behind the summary', async () => {
  await say(chat, 'still there?');
  assert.equal(await chat.locator('.message.assistant .markdown').last().innerText(), 'You said: still there?');
  await context.locator('.item', { hasText: 'You: still there?' }).waitFor();
  assert.equal(await context.locator('.item.folded').count(), 1);
});
