// Inline suggestions are offered once, with the seconds that one took, to somebody who types code while the model has nothing else to do.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Panel } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { takePicture } from '../../harness/workbench.ts';
import { temporary } from '../../temporary.ts';
import { openScriptedPanel } from '../scenes/scriptedPanel.ts';

const folder = temporary('tm-offer-');
let panel: Panel;

before(async () => {
  writeFileSync(join(folder, 'a.js'), '\n');
  panel = await openScriptedPanel(folder, 'fills');
  panel.page.setDefaultTimeout(15_000);
  await panel.page.keyboard.press('Control+p');
  await panel.page.locator('.quick-input-widget input[type="text"]').fill('a.js');
  await panel.page.locator('.quick-input-list .monaco-list-row', { hasText: 'a.js' }).first().click();
  await panel.page.locator('.tab.active', { hasText: 'a.js' }).waitFor();
  await panel.page.locator('.editor-instance .view-line').first().click();
});

after(() => panel?.close());

const toast = () => panel.page.locator('.notification-toast', { hasText: 'Tidemark can suggest code' });
const button = () => panel.page.locator('.statusbar-item', { has: panel.page.locator('.codicon-wand') });
const type = (words: string) => panel.page.keyboard.type(words, { delay: 15 });

test('the offer names the seconds, comes once, and a yes turns suggestions on', async () => {
  await type('const price = 1;\nconst total = ');
  await toast()
    .filter({ hasText: /A suggestion took \d+\.\d s here/ })
    .waitFor();
  assert.equal(await panel.page.locator('.editor-instance .ghost-text').count(), 0);
  await takePicture(panel.page, join(projectRoot, 'out', 'suggestions-offer.png'));
  await toast().getByRole('button', { name: 'Turn On' }).click();
  await toast().waitFor({ state: 'detached' });
  await button().and(panel.page.locator('[aria-label*="suggestions: on"]')).waitFor();
  await panel.page.locator('.editor-instance .view-line').first().click();
  await panel.page.keyboard.press('Control+End');
  await type('price;\nconst total = ');
  await panel.page.locator('.editor-instance .ghost-text-decoration, .editor-instance .ghost-text').first().waitFor();
  await panel.page.waitForTimeout(3000);
  assert.equal(await toast().count(), 0);
});
