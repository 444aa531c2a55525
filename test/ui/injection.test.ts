// Over 270 attacks, first against the renderer and its gate alone, then in every kind of entry of the real panel: nothing runs, nothing loads.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import type { Entry, ViewDelta } from '../../src/protocol/view.ts';
import { openBrowser } from '../harness/browser.ts';
import { openPanel } from '../harness/panel.ts';
import { projectRoot } from '../harness/program.ts';
import { attacks, diagramAttacks, formulaAttacks, texts } from './scenes/injections.ts';
import { prepareExtension } from './scenes/scriptedExtension.ts';

/** Elements that our own renderer and the rest of the panel make. */
const tags =
  'p br hr blockquote ul ol li h1 h2 h3 h4 h5 h6 em strong s code pre div span button table thead tbody tr th td details summary b vscode-button vscode-text-area'.split(
    ' ',
  );

/** Elements below `root` that must not be there, as a script of the page. */
const strangers = (root: string) => `[...${root}.querySelectorAll('*')].filter((element) =>
  !${JSON.stringify(tags)}.includes(element.localName) ||
  [...element.attributes].some(({ name, value }) =>
    name.startsWith('on') || ['href', 'src', 'action', 'srcdoc', 'formaction', 'xlink:href'].includes(name) || /url\\(/.test(name === 'style' ? value : '')))
  .map((element) => element.outerHTML.slice(0, 200))`;

/** The renderer and the gate as the view bundles them. */
async function bundled(): Promise<string> {
  const contents = `export { safeHtml } from './webview/shared/answerHtml.ts';
    export { renderMarkdown } from './webview/answer/markdown.ts';
    export { highlight } from './webview/answer/highlight.ts';`;
  const stdin = { contents, resolveDir: projectRoot };
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: 'iife', globalName: 'view' });
  return outputFiles[0]!.text;
}

test('no attack passes the renderer, the highlighter, or the gate alone', async () => {
  assert.ok(texts.length > 200, String(texts.length));
  const { page, close } = await openBrowser({ colorScheme: 'dark' });
  try {
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.setContent('<div id="place"></div>');
    await page.addScriptTag({ content: `window.runs = 0; window.ran = () => { runs += 1; }; ${await bundled()}` });
    const found = await page.evaluate(`(async () => {
      const place = document.getElementById('place');
      const found = [];
      for (const text of ${JSON.stringify(texts).replaceAll('</', '<\\/')}) {
        const drawing = { live: false, edits: true, before: text };
        const rendered = view.renderMarkdown(text, drawing);
        for (const html of [rendered, text, view.highlight(text, 'html')]) {
          place.innerHTML = view.safeHtml(html);
          found.push(...${strangers('place')}.map((stranger) => text + ' => ' + stranger));
        }
        place.innerHTML = rendered;
        found.push(...${strangers('place')}.map((stranger) => 'without the gate: ' + text + ' => ' + stranger));
      }
      await new Promise((done) => setTimeout(done, 300));
      // Parsed as HTML without renderer and gate, the attacks do make strangers; a parsed document runs nothing.
      const raw = new DOMParser().parseFromString(${JSON.stringify(attacks).replaceAll('</', '<\\/')}.join(''), 'text/html');
      return { found, runs, raw: ${strangers('raw.body')}.length > 10 };
    })()`);
    assert.deepEqual(found, { found: [], runs: 0, raw: true });
    assert.deepEqual(requests, []);
  } finally {
    await close();
  }
});

type Chat = Awaited<ReturnType<typeof openPanel>>['chat'];

const kinds: readonly ((text: string) => Entry)[] = [
  (text) => ({ kind: 'user', id: 'x', text, item: 'i' }),
  (text) => ({ kind: 'answer', id: 'x', text, end: 'running' }),
  (text) => ({ kind: 'answer', id: 'x', thoughts: text, text, end: 'done' }),
  (text) => ({
    kind: 'step',
    id: 'x',
    tool: text,
    input: text,
    state: 'ok',
    head: text,
    body: text,
    milliseconds: 1,
    tokens: 1,
  }),
  (text) => ({ kind: 'info', id: 'x', title: text, text, folded: false }),
  (text) => ({ kind: 'fault', id: 'x', message: text, advice: text, actions: [], canContinue: true }),
];

/** In every kind of entry. */
async function attackEntries(chat: Chat): Promise<void> {
  const told: readonly ViewDelta[] = [
    ...attacks.flatMap((text) => kinds.map((kind): ViewDelta => ({ type: 'entry', entry: kind(text) }))),
    ...texts.map((text): ViewDelta => ({ type: 'entry', entry: { kind: 'answer', id: 'x', text, end: 'done' } })),
    { type: 'set', values: { notice: attacks.join(' '), queue: attacks.map((text, id) => ({ id, text })) } },
  ];
  const seen = await chat.evaluate(`(async () => {
    const seen = { violations: [], strangers: [], runs: 0, shown: 0 };
    window.ran = () => { seen.runs += 1; };
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      seen.violations.push(violatedDirective + ' ' + blockedURI));
    const frame = () => new Promise((done) => setTimeout(() => requestAnimationFrame(done), 5));
    for (const delta of ${JSON.stringify(told)}) {
      window.postMessage(delta, '*');
      await frame();
      seen.shown += document.querySelector('.entries .message, .entries .step, .entries .info, .entries .fault') === null ? 0 : 1;
      seen.strangers.push(...${strangers("document.querySelector('.entries')")});
    }
    return seen;
  })()`);
  assert.deepEqual(seen, { violations: [], strangers: [], runs: 0, shown: told.length });
}

const mathTags =
  'math mrow mi mo mn mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd mpadded mphantom menclose mstyle'.split(
    ' ',
  );

/** Strangers in a drawn answer: other elements, addresses, classes that do something. */
const drawnStrangers = `[...document.querySelector('.entries').querySelectorAll('*')].filter((element) =>
  !${JSON.stringify([...tags, ...mathTags])}.includes(element.localName) ||
  (element.closest('math') !== null && /code|place/.test(element.getAttribute('class') ?? '')) ||
  [...element.attributes].some(({ name, value }) =>
    name.startsWith('on') || ['href', 'action', 'srcdoc', 'formaction', 'xlink:href'].includes(name) ||
    (name === 'id' && element.closest('.markdown') !== null) ||
    (name === 'style' && /url|position|[(]/.test(value))))
  .map((element) => element.outerHTML.slice(0, 200))`;

/** Attacks in formulas, which are drawn, and in diagrams, which are code. */
async function attackDrawings(chat: Chat): Promise<void> {
  assert.ok(formulaAttacks.length > 25 && diagramAttacks.length > 40);
  const answers = [
    ...formulaAttacks.map((attack) => `$$\n${attack}\n$$\n\nand $${attack}$ or \\(${attack}\\)`),
    ...diagramAttacks.map((attack) => `\`\`\`mermaid\n${attack}\n\`\`\``),
  ];
  const seen = (await chat.evaluate(`(async () => {
    const seen = { violations: [], strangers: [], runs: 0, formulas: 0 };
    window.ran = () => { seen.runs += 1; };
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      seen.violations.push(violatedDirective + ' ' + blockedURI));
    const wait = () => new Promise((done) => setTimeout(done, 10));
    for (const [i, text] of ${JSON.stringify(answers)}.entries()) {
      window.postMessage({ type: 'begin', session: 'a' + i, entries: [{ kind: 'answer', id: 'a' + i, text, end: 'done' }] }, '*');
      const until = performance.now() + 15000;
      const pending = () => document.querySelector('.formula:not([title]):not(:has(math))') !== null;
      for (let n = 0; (n < 5 || pending()) && performance.now() < until; n++) await wait();
      if (pending()) seen.strangers.push('never drawn: ' + text.slice(0, 200));
      seen.formulas += document.querySelectorAll('.formula math').length;
      seen.strangers.push(...${drawnStrangers}.map((stranger) => text.slice(0, 100) + ' => ' + stranger));
      if (getComputedStyle(document.body).display === 'none' || ({}).polluted !== undefined) seen.strangers.push('the page: ' + text);
    }
    return seen;
  })()`)) as { readonly formulas: number };
  const { formulas, ...rest } = seen;
  assert.deepEqual(rest, { violations: [], strangers: [], runs: 0 });
  assert.ok(formulas > 10, `${formulas} formulas were drawn`);
}

test('Nothing in an answer becomes HTML, a script or a command.', { timeout: 500_000 }, async () => {
  const settings = { 'tidemark.model.path': '/models/scripted.gguf' };
  const folder = join(projectRoot, 'test', 'fixtures', 'sample');
  const panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings });
  try {
    const requests: string[] = [];
    panel.page.on('request', (request) => requests.push(request.url()));
    const { chat } = panel;
    await chat.locator('[data-engine="ready"]').waitFor();
    await attackEntries(chat);
    await attackDrawings(chat);
    assert.deepEqual(
      requests.filter((url) => url.includes('attack.invalid')),
      [],
    );
  } finally {
    await panel.close();
  }
});
