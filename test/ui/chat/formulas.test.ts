// Formulas of answers in a real workbench: drawn when they are whole, readable in every theme and width.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import type { Entry, ViewDelta } from '../../../src/protocol/view.ts';
import { openPanel, type Panel } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { findings } from '../scenes/axe.ts';
import { formulas } from '../scenes/drawings.ts';
import { composed, overflow, setTheme, setWidth, themes } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const settings = { 'tidemark.model.path': '/models/scripted.gguf' };
const folder = join(projectRoot, 'test', 'fixtures', 'sample');

let panel: Panel;
let chat: Frame;

before(async () => {
  panel = await openPanel({
    folder,
    extension: prepareExtension('scripted'),
    settings,
    viewport: { width: 1100, height: 1000 },
  });
  panel.page.setDefaultTimeout(15_000);
  chat = panel.chat;
  await chat.locator('[data-engine="ready"]').waitFor();
  await chat.evaluate(`{
    window.reported = [];
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      window.reported.push(violatedDirective + ' ' + blockedURI));
  }`);
});

after(() => panel?.close());

const takePicture = async (name: string) => {
  await panel.page.mouse.move(900, 700);
  const path = join(projectRoot, 'out', `formulas-${name}.png`);
  await panel.page.locator('.part.sidebar').screenshot({ path, animations: 'disabled' });
};

/** Tells the view a delta, as the host would. */
const tell = (delta: ViewDelta) => chat.evaluate(`window.postMessage(${JSON.stringify(delta)}, '*')`);
const show = (entry: Entry) => tell({ type: 'entry', entry });
/** Which of our scripts the page has. */
const scripts = () =>
  chat.evaluate("[...document.scripts].map(({ src }) => src.split('/').at(-1)).filter(Boolean).sort()");
const answer = async (id: string, text: string, end: 'running' | 'done' = 'done') => {
  await tell({ type: 'begin', session: id, entries: [] });
  await chat.locator('.message').waitFor({ state: 'detached' });
  await show({ kind: 'answer', id, text, end });
  return chat.locator('.message.assistant').last();
};

test('an answer without formulas does not load their script', async () => {
  const message = await answer('plain', 'It costs $5 and $10.\n\n```ts\n1;\n```');
  await message.locator('.code').waitFor();
  assert.deepEqual(await scripts(), ['chat.js']);
});

test('formulas are drawn as MathML, and what is wrong stays as it was written, with the reason', async () => {
  const message = await answer(
    'f1',
    'So $x^2$, \\(y\\) and $\\frac{1$.\n\n$$\n\\frac{a}{b}\n\n$$\n\nIt costs $5 or $10.',
  );
  await message.locator('.formula math').nth(2).waitFor();
  assert.equal(await message.locator('.formula.display mfrac').count(), 1);
  const wrong = message.locator('.formula[title]');
  assert.equal(await wrong.innerText(), '$\\frac{1$');
  assert.match((await wrong.getAttribute('title')) ?? '', /^Couldn't render it: ./);
  assert.match(await message.innerText(), /It costs \$5 or \$10\./);
  assert.deepEqual(await scripts(), ['chat.js', 'temml.js']);
});

test('a formula is text until its end is there', async () => {
  const message = await answer('f2', '$$\nx +', 'running');
  await message.locator('.markdown', { hasText: '$$' }).waitFor();
  await tell({ type: 'text', id: 'f2', text: '\n\ny' });
  await message.locator('p', { hasText: 'y' }).waitFor();
  assert.equal(await message.locator('math').count(), 0);
  await tell({ type: 'text', id: 'f2', text: '\n$$\n\nand' });
  await message.locator('.formula.display math').waitFor();
  assert.equal(await message.locator('.block').count(), 2);
});

test('the answer is copied as it was written', async () => {
  const text = 'So $x^2$ and\n\n$$\ny\n$$';
  const message = await answer('c1', text);
  await message.locator('.formula.display math').waitFor();
  await message.locator('[aria-label="Copy the answer"]').click();
  await message.locator('[aria-label="Copied"]').waitFor();
  const area = chat.locator('.composer textarea');
  await area.focus();
  // The tick comes with the press, and the host copies behind it.
  for (let i = 0; i < 50 && (await area.inputValue()) === ''; i++) {
    await panel.page.keyboard.press('ControlOrMeta+A');
    await panel.page.keyboard.press('ControlOrMeta+V');
    await panel.page.waitForTimeout(100);
  }
  await composed(chat, text);
  await chat.locator('.composer textarea').fill('');
});

test('what is drawn late does not leave the end of the conversation', async () => {
  await answer('e1', `${'words\n\n'.repeat(40)}${formulas}`);
  await chat.locator('math').last().waitFor();
  const below = `(() => { const list = document.querySelector('.entries'); return list.scrollHeight - list.scrollTop - list.clientHeight; })()`;
  // The page's policy lets no condition be evaluated in it again and again.
  for (let i = 0; i < 50 && Number(await chat.evaluate(below)) >= 2; i++) await panel.page.waitForTimeout(100);
  assert.ok(Number(await chat.evaluate(below)) < 2);
});

test('formulas look right in every theme and width, nothing is wider than the view, and the page’s policy is never broken', async () => {
  for (const [name, theme] of Object.entries(themes)) {
    await setTheme(panel.page, theme);
    const message = await answer(name, formulas);
    await message.locator('math').last().waitFor();
    for (const width of [420, 280]) {
      await setWidth(panel.page, width);
      await takePicture(`formulas-${name}-${width}`);
      assert.deepEqual([await overflow(chat), await findings(chat)], [[], []], `${name} ${width}`);
    }
  }
  assert.deepEqual(await chat.evaluate('window.reported'), []);
});
