// The real panel in a made-up language: every word of host and views comes from the bundles, and longer words still fit.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { getL10nPseudoLocalized } from '@vscode/l10n-dev';
import type { Frame } from 'playwright-core';
import { type OpenBrowser, openBrowser } from '../harness/browser.ts';
import { type CodeServer, startCodeServer } from '../harness/codeServer.ts';
import { scriptedSettings } from '../harness/panel.ts';
import { projectRoot } from '../harness/program.ts';
import { workbenchSettings } from '../harness/settings.ts';
import { openWorkbench, takePicture, webviewFrame } from '../harness/workbench.ts';
import { overflow, setTheme, setWidth, themes } from './scenes/panelSteps.ts';
import { prepareExtension } from './scenes/scriptedExtension.ts';

/** The one that VS Code's own pseudo-language pack has: accents, and vowels twice. */
const language = 'qps-ploc';
const read = (path: string) => JSON.parse(readFileSync(join(projectRoot, path), 'utf8')) as Record<string, string>;
const pseudo = (words: Record<string, string>) => getL10nPseudoLocalized(words) as Record<string, string>;
const manifest = pseudo(read('package.nls.json'));
const bundle = pseudo(read('l10n/bundle.l10n.json'));
const picture = (name: string) => takePicture(browser.page, join(projectRoot, 'out', `l10n-${name}.png`));

let server: CodeServer;
let browser: OpenBrowser;
let chat: Frame;
let context: Frame;

before(async () => {
  const extension = prepareExtension('scripted');
  writeFileSync(join(extension, `package.nls.${language}.json`), JSON.stringify(manifest));
  writeFileSync(join(extension, 'l10n', `bundle.l10n.${language}.json`), JSON.stringify(bundle));
  const model = { 'tidemark.model.path': '/models/scripted.gguf', 'tidemark.model.contextSize': 4096 };
  const folder = join(projectRoot, 'test', 'fixtures', 'sample');
  server = await startCodeServer({
    folder,
    extension,
    settings: workbenchSettings('dark', { ...scriptedSettings(model), ...model }),
  });
  browser = await openBrowser({ viewport: { width: 800, height: 1600 } });
  browser.page.setDefaultTimeout(20_000);
  await open(language, manifest);
});

/** Opens the workbench as a language pack makes it. */
async function open(spoken: string, words: Record<string, string>): Promise<void> {
  const { page } = browser;
  await page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = '${spoken}'`);
  await openWorkbench(page, server);
  const title = page.locator('.part.sidebar .composite.title', { hasText: words.displayName ?? '' });
  const icon = page.locator(`.activitybar .action-label[aria-label^="${words.displayName}"]`).first();
  await icon.waitFor();
  if (!(await title.isVisible())) await icon.click();
  chat = await webviewFrame(page, words['view.chat'] ?? '');
  await chat.locator('[data-engine="ready"]').waitFor();
  if ((await chat.locator('.context-bar').getAttribute('aria-expanded')) === 'false')
    await chat.locator('.context-bar').click();
  context = await webviewFrame(page, words['view.context'] ?? '');
}

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Elements with the words of others: the user, the model, files, and the core, whose words are stored and exported in English. */
const foreign = [
  '.engine-message, .engine .advice, .words, .markdown, .examples, .reason, .breaks, .step-title, .step-head, .step pre',
  '.item .label, .item .state[title], .why, .verbatim, .piece, .piece-words, code, .completion, .thoughts-text, .hint + .words',
  '.warmth-details, .session-title, .session-line, .session-buttons, .whose, summary .row .label, .info, .performance > .hint, td',
].join(', ');

/** Words in plain letters: on their own, or as the name of a thing. Numbers have units. */
function english(frame: Frame): Promise<readonly string[]> {
  return frame.evaluate(`(() => {
    const foreign = ${JSON.stringify(foreign)};
    const known = /@file:|\\(\\d+ lines\\)|(You: |You said: )?What does duration.ts do|scripted|unified|CPU|thread|JSON|Markdown|GGUF|read_file|list_files|search_code|find_symbol|get_diagnostics|[\\w./-]+\\.(md|ts)/g;
    const own = (element) => element.checkVisibility() && element.closest(foreign) === null;
    const texts = [...document.querySelectorAll('#root *')].filter(own).flatMap((element) => [
      ...[...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data),
      // A second line is the model's memory, and a time needs no words.
      ...['aria-label', 'title', 'placeholder'].map((name) => (element.getAttribute(name) ?? '').replace(/\\n.*| [AP]M$/g, '')),
    ]);
    return texts.filter((text) => /[A-Za-z]{2}/.test(text.replace(known, '')));
  })()`);
}

/** Own words that are cut off at the edge of what they stand in, where no tooltip has them whole. */
function cut(frame: Frame): Promise<readonly string[]> {
  return frame.evaluate(`[...document.querySelectorAll('#root *')]
    .filter((element) => element.closest(${JSON.stringify(foreign)}) === null && element.clientWidth > 2)
    .filter((element) => element.closest('[title]:not([title=""])') === null)
    .filter((element) => getComputedStyle(element).overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1)
    .map((element) => element.tagName + '.' + element.className + ': ' + element.textContent.slice(0, 60))`);
}

/** Nothing is English, and nothing is cut at either width. */
async function fits(frame: Frame, name: string): Promise<void> {
  assert.deepEqual(await english(frame), [], name);
  await isWhole(frame, name);
}

async function isWhole(frame: Frame, name: string): Promise<void> {
  for (const width of [280, 420]) {
    await setWidth(browser.page, width);
    await picture(`${name}-${width}`);
    assert.deepEqual([await overflow(frame), await cut(frame)], [[], []], `${name} at ${width}`);
  }
}

/** The buttons have other names here. */
async function ask(text: string): Promise<void> {
  await chat.locator('.composer textarea').fill(text);
  await browser.page.keyboard.press('Enter');
  await chat.locator('.message.assistant[data-end="done"]').waitFor();
  await chat.locator('[data-running="false"]').waitFor();
}

test('the page says its language, and the manifest is in it', async () => {
  assert.equal(await chat.locator('html').getAttribute('lang'), language);
  const names = await browser.page.locator('.pane-header').allInnerTexts();
  assert.deepEqual(
    names.map((one) => one.trim()),
    [manifest['view.chat'], manifest['view.context']],
  );
});

test('the welcome and the composer have no English words, and fit', () => fits(chat, 'welcome'));

test('so have the lists of the composer', async () => {
  for (const typed of ['@', '/']) {
    await chat.locator('.composer textarea').fill('');
    await chat.locator('.composer textarea').pressSequentially(typed);
    await chat.locator('.completion').first().waitFor();
    assert.deepEqual(await english(chat), [], typed);
    await browser.page.keyboard.press('Escape');
  }
  await chat.locator('.composer textarea').fill('What says @file:README.md ?');
  await chat.locator('.chip').waitFor();
  await fits(chat, 'chips');
});

test('so has the conversation', async () => {
  await ask('What does duration.ts do?');
  await fits(chat, 'chat');
  await chat.locator('.message.user vscode-button').last().click();
  await chat.locator('.message.user.editing').waitFor();
  await fits(chat, 'editing');
  await chat.locator('.message.user.editing vscode-button').last().click();
});

/** The tabs of the Context view, the first as each of its looks. */
const parts = [
  ['parts', '[role="tab"]', 0],
  ['text', '.looks button', 1],
  ['other-size', '.looks button', 2],
  ['performance', '[role="tab"]', 1],
  ['summaries', '[role="tab"]', 2],
] as const;

for (const [name, button, at] of parts) {
  test(`so has ${name} in the Context view`, async () => {
    await context.locator(button).nth(at).click();
    if (name === 'parts') await openRows();
    await fits(context, name);
  });
}

/** The tools with their switches, and an item with its words and what can be decided. */
async function openRows(): Promise<void> {
  await context.locator('.layer > details:not([open]):has(.tool) > summary').click();
  await context.locator('.item > details > summary').first().click();
  await context.locator('.version').first().waitFor();
}

test('so has the list of sessions', async () => {
  await browser.page.keyboard.press('F1');
  const row = browser.page.locator('.quick-input-list .monaco-list-row', {
    hasText: manifest['command.showSessions'] ?? '',
  });
  await browser.page
    .locator('.quick-input-widget input[type="text"]')
    .fill(`>${manifest.displayName}: ${manifest['command.showSessions']}`);
  await row.first().click();
  await chat.locator('.session').first().waitFor();
  await fits(chat, 'sessions');
  for (const [name, icon] of [
    ['rename', 'edit'],
    ['export', 'export'],
    ['delete', 'trash'],
  ] as const) {
    await chat.locator('.session').first().hover();
    await chat.locator(`.session-buttons vscode-button:has(.codicon-${icon})`).first().click();
    await chat.locator('.session-question').waitFor();
    await fits(chat, name);
    await chat.locator('.session-question vscode-button').last().click();
  }
});

test('German is there: its words, its numbers, and all of them fit', async () => {
  await open('de', read('package.nls.de.json'));
  assert.equal(await chat.locator('html').getAttribute('lang'), 'de');
  await context.locator('figcaption', { hasText: 'von 4.096 Token' }).waitFor();
  await setTheme(browser.page, themes.light);
  await ask('Which stations are there?');
  await isWhole(chat, 'german-chat');
  for (const [name, button, at] of parts) {
    await context.locator(button).nth(at).click();
    await isWhole(context, `german-${name}`);
  }
});
