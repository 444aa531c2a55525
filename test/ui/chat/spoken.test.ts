// The words that a screen reader says in the panel, and the places that arrow keys lead to in the exact prompt.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ViewDelta } from '../../../src/protocol/view.ts';
import { openPanel, type Panel } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { contextFrame } from '../../harness/workbench.ts';
import { ask, say } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const folder = join(projectRoot, 'test', 'fixtures', 'sample');
const settings = { 'tidemark.model.path': '/models/scripted.gguf', 'tidemark.model.contextSize': 8192 };

let panel: Panel;

before(async () => {
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings });
  await panel.chat.locator('[data-engine="ready"]').waitFor();
});

after(() => panel?.close());

/** Notes every text that a live region gets from now on. */
const listen = () =>
  panel.chat.evaluate(`{
    window.heard = [];
    new MutationObserver(() => {
      const text = document.querySelector('.spoken').textContent;
      if (text !== '' && text !== window.heard.at(-1)) window.heard.push(text);
    }).observe(document.querySelector('.spoken'), { childList: true, characterData: true, subtree: true });
    undefined;
  }`);
/** Words that a screen reader says at once, over all else. */
const alarms = () => panel.chat.locator('[role="alert"]:not(:empty)').allInnerTexts();
const heard = () => panel.chat.evaluate('window.heard') as Promise<readonly string[]>;

test('an answer is said once, when it is there, and so is what a command came to', async () => {
  await listen();
  await say(panel.chat, 'Hello');
  await panel.chat.locator('.spoken', { hasText: 'Answer: You said: Hello' }).waitFor({ state: 'attached' });
  assert.deepEqual(await heard(), ['Working…', 'Answer: You said: Hello']);
  await ask(panel.chat, '/help');
  assert.equal((await heard()).length, 3, (await heard()).join());
});

test('a turn that fails without an answer does not say the answer before it again', async () => {
  const tell = (delta: ViewDelta) => panel.chat.evaluate(`window.postMessage(${JSON.stringify(delta)}, '*')`);
  const spoken = panel.chat.locator('.spoken');
  await listen();
  const before = { kind: 'answer', id: 'a', text: 'The one before', end: 'done' } as const;
  await tell({ type: 'begin', session: 'failing', entries: [before] });
  await panel.chat.locator('.message', { hasText: 'The one before' }).waitFor();
  await tell({ type: 'set', values: { running: true } });
  await spoken.filter({ hasText: 'Working…' }).waitFor({ state: 'attached' });
  await tell({ type: 'entry', entry: { kind: 'user', id: 'b', text: 'More', item: 'b' } });
  const fault = { message: 'It failed.', advice: 'Try again.', actions: [], canContinue: false };
  await tell({ type: 'entry', entry: { kind: 'fault', id: 'c', ...fault } });
  await tell({ type: 'set', values: { running: false } });
  await panel.chat.locator('[data-running="false"]').waitFor();
  await tell({ type: 'entry', entry: { kind: 'info', id: 'd', title: 'A command', text: '', folded: false } });
  await spoken.filter({ hasText: 'A command' }).waitFor({ state: 'attached' });
  assert.deepEqual(await heard(), ['Working…', 'A command']);
  assert.deepEqual(await alarms(), ['It failed. Try again.']);
});

test('faults of before are no alarm when a view or a session with them opens', async () => {
  const tell = (delta: ViewDelta) => panel.chat.evaluate(`window.postMessage(${JSON.stringify(delta)}, '*')`);
  const old = { kind: 'fault', id: 'f', message: 'Old.', advice: '', actions: [], canContinue: false } as const;
  await tell({ type: 'begin', session: 'old', entries: [old] });
  await panel.chat.locator('.fault', { hasText: 'Old.' }).waitFor();
  // The alarm of before goes once the rows are drawn.
  await panel.chat.locator('.alarm:empty').waitFor({ state: 'attached' });
  assert.deepEqual(await alarms(), []);
  await tell({ type: 'entry', entry: { ...old, id: 'g', message: 'New.' } });
  await panel.chat.locator('.alarm', { hasText: 'New.' }).waitFor({ state: 'attached' });
  assert.equal((await alarms()).length, 1);
});

test('no live region has a button in it, nor the words that stream', async () => {
  for (const frame of [panel.chat, await contextFrame(panel.page, panel.chat)]) {
    const regions = '[role="status"], [role="log"], [aria-live]';
    const inside = await frame.evaluate(
      `[...document.querySelectorAll('${regions}')].flatMap((one) => [...one.querySelectorAll('button, vscode-button, .message')].map((part) => part.className))`,
    );
    assert.deepEqual(inside, []);
  }
});

test('arrow keys in the exact prompt stop only where there is a text', async () => {
  const context = await contextFrame(panel.page, panel.chat);
  await context.locator('.looks button', { hasText: 'Exact text' }).click();
  const list = context.locator('.pieces');
  await list.focus();
  const current = () => list.getAttribute('aria-activedescendant');
  await panel.page.keyboard.press('End');
  const last = await current();
  await panel.page.keyboard.press('Home');
  const pieces = await context.locator('.piece').count();
  for (let i = 0; i < pieces; i++) {
    const at = await current();
    assert.equal(await context.locator(`#${at}.current`).count(), 1, `${at} is there to be seen`);
    if (at === last) break;
    await panel.page.keyboard.press('ArrowDown');
    await context.locator(`#${at}:not(.current)`).waitFor({ timeout: 3000 });
  }
  assert.equal(await current(), last);
});
