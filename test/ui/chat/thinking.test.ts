// The button for thoughts: only for a model with a switch, by mouse and keyboard, with its state and what thoughts cost; and the tokens thought.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import type { CallReport } from '../../../src/core/report/report.ts';
import type { ThinkingView, ViewDelta } from '../../../src/protocol/view.ts';
import { openPanel, type Panel } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { findings } from '../scenes/axe.ts';
import { overflow, say, setTheme, setWidth, themes } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const settings = {
  'tidemark.model.path': '/models/scripted-thinks.gguf',
  'tidemark.model.contextSize': 4096,
  'tidemark.model.thinking': 'off',
  'tidemark.finding.enabled': false,
};

let panel: Panel;
let chat: Frame;

before(async () => {
  const folder = join(projectRoot, 'test', 'fixtures', 'sample');
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings });
  chat = panel.chat;
  await chat.locator('[data-engine="ready"]').waitFor();
});

after(() => panel?.close());

const button = () => chat.locator('.think-switch');
const pressed = (on: boolean) => chat.locator(`.think-switch[aria-pressed="${on}"]`).waitFor();
const tell = (delta: ViewDelta) => chat.evaluate(`window.postMessage(${JSON.stringify(delta)}, '*')`);
const shows = (thinking: ThinkingView | null) => tell({ type: 'set', values: { thinking } });

test('it is pressed by a click and by the keyboard, and says what is so and what the next press does', async () => {
  await pressed(false);
  assert.match((await button().getAttribute('title')) ?? '', /^Answers at once\. Click .* up to 512 tokens/);
  await button().click();
  await pressed(true);
  assert.match((await button().getAttribute('title')) ?? '', /^Thinks before each answer: up to 512 tokens/);
  await chat.locator('.mode-switch').focus();
  await panel.page.keyboard.press('Tab');
  await panel.page.keyboard.press('Space');
  await pressed(false);
});

test('it fits into the narrowest row in every theme, and passes the rules of access', async () => {
  await setWidth(panel.page, 280);
  for (const theme of Object.values(themes)) {
    await setTheme(panel.page, theme);
    for (const on of [true, false]) {
      await shows({ on, tokens: 1024, seconds: 36, onlyLess: false });
      await pressed(on);
      assert.deepEqual(await overflow(chat), []);
      assert.deepEqual(await findings(chat), []);
    }
  }
  assert.match((await button().getAttribute('title')) ?? '', /up to 1,024 tokens, about 36 s here/);
  await shows({ on: false, tokens: 1024, seconds: null, onlyLess: true });
  await chat.locator('.think-switch[title^="Thinks as little as it can"]').waitFor();
});

test('the line below an answer says how many of its tokens were thoughts', async () => {
  await say(chat, 'Hello');
  const prefill = {
    reused: 0,
    shifted: 0,
    decoded: 0,
    slotTokens: 0,
    approximate: 0,
    firstBreak: null,
    milliseconds: 0,
  };
  const call: CallReport = {
    ...{ node: 'answer', promptTokens: 10, prefill, breakAt: null, generatedTokens: 90, thoughtTokens: 60 },
    ...{ firstTokenMilliseconds: 1, generateMilliseconds: 3000 },
  };
  await tell({ type: 'set', values: { calls: [call] } });
  await chat.locator('.speed', { hasText: '90 tokens, 60 of them thoughts · 30 tokens/s' }).waitFor();
});

test('a model without a switch has no button', async () => {
  await shows(null);
  await button().waitFor({ state: 'detached' });
});
