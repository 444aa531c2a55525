// Formulas and diagrams of answers in a real workbench: drawn when they are whole, source beside them, readable in every theme and width.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import type { Entry, ViewDelta } from '../../../src/protocol/view.ts';
import { openPanel, type Panel } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { findings } from '../scenes/axe.ts';
import { diagrams, formulas, others } from '../scenes/drawings.ts';
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

/** As if the host had told it. */
const tell = (delta: ViewDelta) => chat.evaluate(`window.postMessage(${JSON.stringify(delta)}, '*')`);
const show = (entry: Entry) => tell({ type: 'entry', entry });
/** Which of our scripts the page has. */
const scripts = () =>
  chat.evaluate("[...document.scripts].map(({ src }) => src.split('/').at(-1)).filter(Boolean).sort()");
const fenced = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\``;
const answer = async (id: string, text: string, end: 'running' | 'done' = 'done') => {
  await tell({ type: 'begin', session: id, entries: [] });
  await chat.locator('.message').waitFor({ state: 'detached' });
  await show({ kind: 'answer', id, text, end });
  return chat.locator('.message.assistant').last();
};

test('an answer without formulas and diagrams loads neither script', async () => {
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

test('a diagram is source while it is written, then a picture, and can be switched by keyboard', async () => {
  const message = await answer('d1', '```mermaid\nflowchart TD\n  A[Start] --> B', 'running');
  const block = message.locator('.code');
  await block.locator('code', { hasText: 'Start' }).waitFor();
  assert.equal(await message.locator('.diagram').count(), 0);
  await tell({ type: 'text', id: 'd1', text: '\n```\n\nand more' });
  const drawn = message.locator('.diagram[data-show="diagram"] img');
  await drawn.waitFor();
  assert.equal(await drawn.getAttribute('alt'), 'flowchart TD\n  A[Start] --> B\n');
  assert.equal(await block.locator('pre').isVisible(), false);
  const source = block.locator('.diagram-show', { hasText: 'Source' });
  await source.focus();
  await panel.page.keyboard.press('Enter');
  await block.locator('pre').waitFor();
  assert.equal(await drawn.isVisible(), false);
  assert.equal(await source.getAttribute('aria-pressed'), 'true');
  await panel.page.keyboard.press('Shift+Tab');
  await panel.page.keyboard.press('Enter');
  await drawn.waitFor();
  assert.deepEqual(await scripts(), ['chat.js', 'mermaid.js', 'temml.js']);
});

test('code and a diagram in a list that still grows are drawn once', async () => {
  const list =
    '1. One\n\n   ```ts\n   const one = 1;\n   ```\n\n   ```mermaid\n   flowchart TD\n     A --> B\n   ```\n\n2. Two';
  const message = await answer('g1', list, 'running');
  await message.locator('.hljs-keyword').waitFor();
  await chat.evaluate(`{
    window.seen = { plain: 0, words: 0, diagrams: 0 };
    const { seen } = window;
    new MutationObserver((changes) => {
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
      seen.diagrams += added.filter((node) => node.className === 'diagram-measure').length;
    }).observe(document.body, { childList: true });
    new MutationObserver(() => {
      seen.words += 1;
      if (document.querySelector('.assistant .hljs-keyword') === null) seen.plain += 1;
    }).observe(document.querySelector('.assistant .markdown'), { childList: true, subtree: true });
  }`);
  for (let i = 0; i < 15; i++) {
    await tell({ type: 'text', id: 'g1', text: ` word${i}` });
    await message.locator('li', { hasText: `word${i}` }).waitFor();
  }
  await show({ kind: 'answer', id: 'g1', text: `${list}.`, end: 'done' });
  await message.locator('.diagram[data-show="diagram"] img').waitFor();
  const seen = (await chat.evaluate('window.seen')) as { plain: number; words: number; diagrams: number };
  assert.ok(seen.words >= 10, `${seen.words}`);
  assert.deepEqual([seen.plain, seen.diagrams], [0, 1]);
});

test('a wide diagram fits the view and opens in its own size by keyboard', async () => {
  const message = await answer('z1', fenced(`flowchart LR\n${'ABCDEFGHIJ'.split('').join(' --> ')}`));
  const drawn = message.locator('.diagram[data-show="diagram"] img');
  await drawn.waitFor();
  const width = async () => (await drawn.boundingBox())?.width ?? 0;
  const fitted = await width();
  await message.locator('.diagram-picture').focus();
  await panel.page.keyboard.press('Enter');
  await message.locator('.diagram-picture[aria-pressed="true"]').waitFor();
  assert.ok((await width()) > fitted * 1.5, `${await width()} against ${fitted}`);
  assert.deepEqual(await overflow(chat), []);
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

test('a diagram that is wrong, too long or asks for something outside stays source and says why', async () => {
  const reasons: readonly (readonly [string, RegExp])[] = [
    ['flowchart TD\n A[[[ -->', /^Couldn't render it\. ./],
    [`flowchart TD\n A["${'long '.repeat(3000)}"]`, /longer than/],
    [`flowchart TD\n${'  A --> B\n'.repeat(101)}`, /more than 100 lines/],
    ['flowchart TD\n A@{ img: "https://attack.invalid/a.png" }', /references external resources/],
    ['flowchart TD\n a & b & c & d & e & f & g & h & i & j & k --> l & m & n & o & p & q & r & s & t & u', /[Ee]dges/],
  ];
  for (const [i, [source, why]] of reasons.entries()) {
    const message = await answer(`w${i}`, fenced(source));
    await message.locator('.diagram-wrong').waitFor();
    assert.match(await message.locator('.diagram-wrong').innerText(), why);
    assert.equal(await message.locator('pre').isVisible(), true);
    assert.equal(await message.locator('.diagram-show').count(), 0);
  }
});

test('the name of a state stands in the middle of its box', async () => {
  const message = await answer('s1', fenced('stateDiagram-v2\n  [*] --> Idle\n  Idle --> Failed'));
  await message.locator('.diagram[data-show="diagram"] img').waitFor();
  const labels = (await chat.evaluate(`(async () => {
    const svg = await window.tidemarkDiagram('stateDiagram-v2\\n  [*] --> Idle\\n  Idle --> Failed', { variables: {}, fontFamily: 'sans-serif' });
    const place = document.body.appendChild(document.createElement('div'));
    place.innerHTML = svg;
    const off = [...place.querySelectorAll('.statediagram-state')].map((state) => {
      const [box, text] = ['.basic', 'text'].map((part) => state.querySelector(part).getBoundingClientRect());
      return Math.abs(box.left + box.right - text.left - text.right) / 2;
    });
    place.remove();
    return off;
  })()`)) as readonly number[];
  assert.equal(labels.length, 2);
  assert.ok(
    labels.every((off) => off < 2),
    labels.join(),
  );
});

test('what is drawn late does not leave the end of the conversation', async () => {
  await answer('e1', `${'words\n\n'.repeat(40)}${formulas}\n\n${fenced('flowchart TD\n  A --> B --> C --> D')}`);
  await chat.locator('.diagram[data-show="diagram"] img').waitFor();
  const below = `(() => { const list = document.querySelector('.entries'); return list.scrollHeight - list.scrollTop - list.clientHeight; })()`;
  await chat.waitForFunction(`${below} < 2`);
});

test('a theme changes the pictures with the page', async () => {
  const message = await answer('t1', fenced('flowchart TD\n  A[Start] --> B'));
  await message.locator('.diagram[data-show="diagram"] img').waitFor();
  const was = await message.locator('img').getAttribute('src');
  await setTheme(panel.page, themes.light);
  await chat.locator(`.diagram img:not([src="${was}"])`).waitFor();
  await setTheme(panel.page, themes.dark);
});

test('formulas and diagrams look right in every theme and width, and nothing is wider than the view', async () => {
  const pages = { formulas, ...diagrams };
  for (const [name, theme] of Object.entries(themes)) {
    await setTheme(panel.page, theme);
    for (const [page, text] of Object.entries(pages)) {
      const message = await answer(`${name}-${page}`, text);
      await message
        .locator(page === 'formulas' ? 'math' : '.diagram[data-show="diagram"] img')
        .last()
        .waitFor();
      for (const width of page === 'formulas' || name === 'dark' ? [420, 280] : [420]) {
        await setWidth(panel.page, width);
        await takePicture(`${page}-${name}-${width}`);
        assert.deepEqual(await overflow(chat), [], `${page} ${name} ${width}`);
        if (page === 'formulas' || page === 'flowchart') assert.deepEqual(await findings(chat), [], `${page} ${name}`);
      }
    }
  }
});

test('a diagram’s source, its own size and what is wrong with one fit the narrowest view in every theme', async () => {
  const wide = fenced(`flowchart LR\n${'ABCDEFGHIJ'.split('').join(' --> ')}`);
  await setWidth(panel.page, 280);
  for (const [name, theme] of Object.entries(themes)) {
    await setTheme(panel.page, theme);
    const message = await answer(`modes-${name}`, `${wide}\n\n${fenced('flowchart TD\n A[[[ -->')}\n\n${wide}`);
    await message.locator('.diagram[data-show="diagram"] img').nth(1).waitFor();
    await message.locator('.diagram-wrong').waitFor();
    await message.locator('.diagram-show', { hasText: 'Source' }).first().click();
    await message.locator('.diagram-picture').last().click();
    await message.locator('.diagram.large').waitFor();
    await takePicture(`modes-${name}-280`);
    assert.deepEqual(await overflow(chat), [], name);
    assert.deepEqual(await findings(chat), [], name);
  }
  // A block hides what is wider than itself.
  const outside = await chat.evaluate(`(() => {
    const block = document.querySelector('.diagram[data-show="source"]');
    for (const one of block.querySelectorAll('.diagram-show')) one.textContent += ' words';
    const edge = block.getBoundingClientRect().right;
    return [...block.querySelectorAll('.code-act')].filter((one) => one.getBoundingClientRect().right > edge).length;
  })()`);
  assert.equal(outside, 0, 'buttons that longer words push out');
});

test('every other kind of diagram is drawn too, and the page’s policy is never broken', async () => {
  await setTheme(panel.page, themes.dark);
  await setWidth(panel.page, 420);
  const failed: string[] = [];
  for (const [name, source] of Object.entries(others)) {
    const message = await answer(`o-${name}`, fenced(source));
    await message.locator('.diagram[data-show="diagram"] img, .diagram-wrong').first().waitFor();
    if ((await message.locator('.diagram-wrong').count()) > 0)
      failed.push(`${name}: ${await message.locator('.diagram-wrong').innerText()}`);
    else await takePicture(`kind-${name}`);
  }
  assert.deepEqual(failed, []);
  assert.deepEqual(await chat.evaluate('window.reported'), []);
});
