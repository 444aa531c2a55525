// The chat in a side bar of 300 px, as VS Code opens it: the mode and the cost of a draft are read whole, the model's name gives way.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame, Locator } from 'playwright-core';
import { openPanel, type Panel } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { takePicture } from '../../harness/workbench.ts';
import { findings } from '../scenes/axe.ts';
import { overflow, say, setTheme, setWidth, themes } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const folder = join(projectRoot, 'test', 'fixtures', 'sample');
const settings = {
  'tidemark.model.path': '/models/Qwen2.5-Coder-1.5B-Instruct-GGUF.gguf',
  'tidemark.model.contextSize': 8192,
  'tidemark.finding.enabled': false,
};
const modes = {
  Ask: 'Reads the workspace and answers',
  Edit: 'asks before each change',
  'Edit, then review': 'Changes files at once',
} as const;

let panel: Panel;
let chat: Frame;

before(async () => {
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings });
  chat = panel.chat;
  panel.page.setDefaultTimeout(15_000);
  await setWidth(panel.page, 300);
  await chat.locator('[data-engine="ready"]').waitFor();
});

after(() => panel?.close());

const isWhole = (element: Locator) =>
  element.evaluate(({ scrollWidth, clientWidth }: HTMLElement) => scrollWidth <= clientWidth);
const picture = (name: string) => takePicture(panel.page, join(projectRoot, 'out', `narrow-${name}.png`));

test('at 300 px the name of every mode is read whole, and the model is named without what nearly every file is called', async () => {
  for (const [label, row] of Object.entries(modes)) {
    await chat.locator('.mode-switch').click();
    await panel.page.locator('.quick-input-list .monaco-list-row', { hasText: row }).click();
    const name = chat.locator('.mode-switch .picker-name').getByText(label, { exact: true });
    await name.waitFor();
    assert.ok(await isWhole(name), label);
    assert.deepEqual(await overflow(chat), []);
    for (const theme of ['light', 'dark'] as const) {
      await setTheme(panel.page, themes[theme]);
      await picture(`${label.replaceAll(/\W+/g, '-')}-${theme}`);
      assert.deepEqual(await findings(chat), []);
    }
  }
  const model = chat.locator('.model-switch');
  assert.equal(await model.locator('.picker-name').innerText(), 'Qwen2.5 Coder 1.5B');
  assert.equal(await model.getAttribute('aria-label'), 'Model: Qwen2.5 Coder 1.5B Instruct GGUF');
});

test('at 300 px the seconds that a draft costs are read whole', async () => {
  await say(chat, 'a message, so that the pace is known');
  await chat.locator('.composer textarea').fill('long words '.repeat(1500));
  const cost = chat.locator('.context-bar.forecast .context-cost', { hasText: /^first word in [\d.]+ m?s$/ });
  await cost.waitFor();
  assert.ok(await isWhole(cost), await cost.innerText());
  assert.deepEqual(await overflow(chat), []);
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(panel.page, themes[theme]);
    await picture(`cost-${theme}`);
  }
  assert.deepEqual(await findings(chat), []);
});
