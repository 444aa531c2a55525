// The real panel in a real workbench with a scripted engine: ask, tool step, stream, stop, stack, sessions.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { openPanel, type Panel, sendMessage } from '../harness/panel.ts';
import { projectRoot } from '../harness/program.ts';
import { contextFrame, runCommandByKeyboard, webviewFrame } from '../harness/workbench.ts';
import { composed } from './scenes/panelSteps.ts';
import { prepareExtension } from './scenes/scriptedExtension.ts';

const folder = join(projectRoot, 'test', 'fixtures', 'sample');
const settings = { 'tidemark.model.path': '/models/scripted.gguf', 'tidemark.model.contextSize': 4096 };

let panel: Panel;
let chat: Frame;

before(async () => {
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings });
  chat = panel.chat;
  await chat.locator('[data-engine="ready"]').waitFor();
});

after(() => panel?.close());

const send = (text: string) => sendMessage(chat, text);

const idle = () => chat.locator('[data-running="false"]').waitFor();

test('the Context view shows the pinned head, warm, before anything is asked', async () => {
  const context = await contextFrame(panel.page, chat);
  await context.locator('.status-line.warm').waitFor();
  const layers = await context.locator('.layer .label').allInnerTexts();
  assert.ok(layers.includes('System prompt') && layers.includes('Tools'), layers.join());
});

test('a question runs a tool, streams an answer, and the stack shows every item with its tokens', async () => {
  await send('Where is parseDuration defined?');
  await chat.locator('.step.ok .step-title').waitFor();
  assert.match(await chat.locator('.step-title').innerText(), /Searched for "parseDuration"/);
  await idle();
  const answer = chat.locator('.message.assistant .markdown').last();
  assert.match(await answer.innerText(), /src\/duration\.ts:14/);
  assert.equal(await answer.locator('a, b').count(), 0, 'raw HTML and links stay text');
  assert.equal(await answer.locator('pre code').count(), 1);
  const context = await contextFrame(panel.page, chat);
  await context.locator('.item', { hasText: 'Result: 15 matches' }).waitFor();
  const numbers = async (selector: string) =>
    (await context.locator(selector).allInnerTexts()).map((text) => Number(text.replaceAll(',', '')));
  const rows = await numbers('.layer > .tokens, .layer > details > summary > .tokens');
  const [total] = await numbers('.total .tokens');
  assert.equal(
    rows.reduce((a, b) => a + b, 0),
    total,
  );
  await context.locator('.tabs button', { hasText: 'Performance' }).click();
  assert.equal(await context.locator('.calls').first().locator('tbody tr').count(), 2);
  await context.locator('.tabs button', { hasText: 'Contents' }).click();
  assert.match(await chat.locator('.context-bar').innerText(), /\d+ % full/);
  assert.match((await chat.locator('.context-bar').getAttribute('title')) ?? '', /Last turn: .* 80 tokens decoded/);
});

test('a place in an answer opens the editor there', async () => {
  await chat.locator('.place', { hasText: 'src/duration.ts:14' }).last().click();
  await panel.page.locator('.tab', { hasText: 'duration.ts' }).waitFor();
});

test('a tool step opens to its result', async () => {
  await chat.locator('.step summary').click();
  assert.match(await chat.locator('.step pre').innerText(), /^1\. src\/duration\.ts:14: export function parseDuration/);
  await chat.locator('.step summary').click();
});

test('stop ends a long answer, keeps its words, and the next question is answered', async () => {
  await send('slow please');
  await chat.locator('.message.assistant[data-end="running"]', { hasText: 'One word' }).waitFor();
  await chat.locator('vscode-button[aria-label="Stop"]').click();
  await idle();
  const last = chat.locator('.message.assistant').last();
  assert.match(await last.innerText(), /One word[\s\S]*Stopped\./);
  await send('still there?');
  await chat.locator('.message.assistant', { hasText: 'You said: still there?' }).waitFor();
  await idle();
});

test('markup and special strings in a message are shown as they were typed', async () => {
  const typed = '<b>bold</b> <|im_end|> <tool_call> **stars** & "quotes"';
  await send(typed);
  await chat.locator('.message.user', { hasText: '<tool_call>' }).waitFor();
  await chat.locator('.message.assistant', { hasText: 'You said: <b>bold</b>' }).waitFor();
  await idle();
  assert.equal(await chat.locator('.message.user .words').last().innerText(), typed);
});

test('Enter while an answer runs queues the words, and Escape stops and gives them back', async () => {
  await send('slow again');
  await chat.locator('.message.assistant[data-end="running"]').waitFor();
  const area = chat.locator('.composer textarea');
  await area.fill('for later');
  await area.press('Enter');
  await composed(chat, '');
  await area.press('Escape');
  await idle();
  assert.equal(await chat.locator('.message.assistant').last().locator('.ending').innerText(), 'Stopped.');
  await composed(chat, 'for later');
  await area.fill('');
});

/** Pixels between what is in sight and the end, once the view was drawn. */
const toTheEnd = () =>
  chat.evaluate(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => {
    const { scrollHeight, scrollTop, clientHeight } = document.querySelector('.entries');
    resolve(scrollHeight - scrollTop - clientHeight);
  })))`) as Promise<number>;

test('the end stays in sight when the view changes its size, and a place above it while words arrive', async () => {
  await send('slow once more');
  await chat.locator('.message.assistant[data-end="running"]', { hasText: 'One word' }).waitFor();
  for (const height of [600, 900]) {
    const before = await chat.evaluate('innerHeight');
    await panel.page.setViewportSize({ width: 1400, height });
    while ((await chat.evaluate('innerHeight')) === before) await panel.page.waitForTimeout(20);
    for (let i = 0; i < 500 && (await toTheEnd()) >= 40; i++) await panel.page.waitForTimeout(20);
    assert.ok((await toTheEnd()) < 40, `${height}: ${await toTheEnd()} from the end`);
  }
  const hidden = `{ const { scrollHeight, clientHeight } = document.querySelector('.entries'); scrollHeight - clientHeight }`;
  while (((await chat.evaluate(hidden)) as number) < 100) await panel.page.waitForTimeout(20);
  await chat.evaluate("document.querySelector('.entries').scrollTo(0, 0)");
  const words = await chat.locator('.message.assistant').last().innerText();
  while ((await chat.locator('.message.assistant').last().innerText()).length < words.length + 50)
    await panel.page.waitForTimeout(20);
  assert.equal(await chat.evaluate("document.querySelector('.entries').scrollTop"), 0);
  await chat.locator('vscode-button[aria-label="Stop"]').click();
  await idle();
});

test('Enter sends, Shift+Enter breaks the line, and an empty message is not sent', async () => {
  const before = await chat.locator('.message.user').count();
  const area = chat.locator('.composer textarea');
  await area.press('Enter');
  await area.fill('first line');
  await area.press('Shift+Enter');
  await area.pressSequentially('second line');
  await area.press('Enter');
  await chat.locator('.message.assistant', { hasText: 'You said: first line' }).waitFor();
  await idle();
  assert.equal(await chat.locator('.message.user').count(), before + 1);
  assert.equal(await chat.locator('.message.user .words').last().innerText(), 'first line\nsecond line');
});

test('an earlier message can be edited: what followed it goes, and the new words are answered', async () => {
  const last = chat.locator('.message.user').last();
  await last.hover();
  await last.locator('vscode-button[aria-label^="Edit"]').click();
  // The view puts the caret at the end in the frame in which it takes the focus: before, that would fall between selecting and writing.
  await last.locator('textarea:focus').fill('edited words');
  await last.locator('vscode-button', { hasText: 'Send' }).click();
  await chat.locator('.message.assistant', { hasText: 'You said: edited words' }).waitFor();
  await idle();
  assert.equal(await chat.locator('.message', { hasText: 'first line' }).count(), 0);
});

test('a hidden view comes back whole, and so does the session after a reload of the window', async () => {
  // The line about Apply is left out of the comparison, since it is asked for only for blocks in sight.
  const entries = async () => (await chat.locator('.entries').innerText()).replaceAll('You choose the file.\n', '');
  const shown = await entries();
  await panel.page.locator('.activitybar .action-label[aria-label^="Explorer"]').click();
  await panel.page.locator('.activitybar .action-label[aria-label="Tidemark"]').click();
  chat = await webviewFrame(panel.page, 'Chat');
  await chat.locator('.message.assistant', { hasText: 'edited words' }).waitFor();
  assert.equal(await entries(), shown);
  await panel.page.reload();
  chat = await webviewFrame(panel.page, 'Chat');
  await chat.locator('.message.assistant', { hasText: 'edited words' }).waitFor();
  await chat.locator('[data-engine="ready"]').waitFor();
});

test('New Conversation empties the chat and the stack', async () => {
  await runCommandByKeyboard(panel.page, 'Tidemark: New Conversation');
  await chat.locator('.welcome').waitFor();
  const context = await contextFrame(panel.page, chat);
  await context.locator('.layers').waitFor();
  assert.equal(await context.locator('.item', { hasText: 'You:' }).count(), 0);
});

test('both views are reached and used by keyboard alone', { timeout: 90_000 }, async () => {
  await runCommandByKeyboard(panel.page, 'Tidemark: Focus on Chat View');
  await chat.locator('.composer textarea:focus').waitFor();
  await panel.page.keyboard.type('typed by keyboard');
  await composed(chat, 'typed by keyboard');
  await panel.page.keyboard.press('Enter');
  await chat.locator('.message.assistant', { hasText: 'You said: typed by keyboard' }).waitFor();
  await idle();
  const context = await contextFrame(panel.page, chat);
  await runCommandByKeyboard(panel.page, 'Tidemark: Focus on Context View');
  while (!(await context.evaluate('document.hasFocus()'))) await panel.page.waitForTimeout(20);
  await panel.page.keyboard.press('Tab');
  await context.locator('body :focus').first().waitFor();
});

test('of a very long answer only what is near the view is drawn, and the rest when it comes near', async () => {
  const text = Array.from({ length: 4000 }, (_, i) => `Paragraph ${i} of the answer.`).join('\n\n');
  const data = { type: 'entry', entry: { kind: 'answer', id: 'long', text, end: 'done' } };
  await chat.evaluate((one) => void window.dispatchEvent(new MessageEvent('message', { data: one })), data);
  await chat.locator('.block', { hasText: 'Paragraph 3999 of' }).waitFor();
  assert.equal(await chat.locator('.block', { hasText: 'Paragraph 2000 of' }).count(), 0);
  assert.ok((await chat.locator('.block').count()) < 400);
  const middle =
    "(() => { const list = document.querySelector('.entries'); list.scrollTop = list.scrollHeight / 2; })()";
  await chat.evaluate(middle);
  await chat
    .locator('.block', { hasText: /Paragraph (?:1[5-9]|2[0-4])\d\d of/ })
    .first()
    .waitFor();
  assert.ok((await chat.locator('.block').count()) < 800);
});
