// The question that a call asks before it changes anything, as the view shows it: by mouse, by keyboard and to a screen reader. The state
// is handed to the view as the host would; `edit.test.ts` has the whole way.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import type { ApprovalView } from '../../../src/protocol/view.ts';
import { openPanel, type Panel, sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { takePicture } from '../../harness/workbench.ts';
import { findings } from '../scenes/axe.ts';
import { setTheme, themes } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const folder = join(projectRoot, 'test', 'fixtures', 'sample');
const settings = { 'tidemark.model.path': '/models/scripted.gguf', 'tidemark.model.contextSize': 4096 };
const asks: ApprovalView = {
  calls: 1,
  lasting: [],
  call: 'c1',
  tool: 'edit_file',
  input: '{"path": "src/duration.ts"}',
  effect: 'write',
  because: '',
  preview: 'Changes `src/duration.ts`:\n\n```diff\n-const most = 100;\n+const most = 200;\n```\n',
};

let panel: Panel;
let chat: Frame;

before(async () => {
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings });
  chat = panel.chat;
  await chat.locator('[data-engine="ready"]').waitFor();
  await sendMessage(chat, 'tides');
  await chat.locator('[data-running="false"]').waitFor();
});

after(() => panel?.close());

const set = (values: object) =>
  chat.evaluate((data) => void window.dispatchEvent(new MessageEvent('message', { data })), { type: 'set', values });

test('the question says which tool wants what, and both answers are reached by the keyboard', async () => {
  await set({ asks, running: true });
  const card = chat.locator('.approval');
  await card.waitFor();
  assert.match(await card.innerText(), /Make this change\?/);
  assert.match(await card.innerText(), /const most = 200;/);
  assert.equal(await chat.locator('.working').count(), 0);
  assert.match(await chat.locator('.alarm').innerText(), /Make this change\?/);
  for (const [name, theme] of Object.entries(themes)) {
    await setTheme(panel.page, theme);
    await takePicture(panel.page, join(projectRoot, 'out', 'ui', `approval-${name}.png`));
  }
  assert.deepEqual(await findings(chat), []);
  await card.locator('vscode-button', { hasText: 'Do Not Allow' }).focus();
  await panel.page.keyboard.press('Shift+Tab');
  const focused = chat.locator('.approval vscode-button:focus-within, .approval vscode-button:focus');
  assert.equal((await focused.first().innerText()).trim(), 'Allow');
  await set({ asks: null, running: false });
  await card.waitFor({ state: 'detached' });
});

test('where a tool cannot say what it would do, its arguments stand there', async () => {
  await set({ asks: { ...asks, tool: 'run_command', effect: 'run', preview: '', input: '{"command": "npm test"}' } });
  assert.match(await chat.locator('.approval').innerText(), /Run this command\?\s+\{"command": "npm test"\}/);
  await set({ asks: null });
});
