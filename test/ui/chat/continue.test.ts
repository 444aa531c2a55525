// The button Continue in a real workbench: an answer that was stopped goes on where it stands, in its text and in its code.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import type { ViewDelta, ViewState } from '../../../src/protocol/view.ts';
import { openPanel, type Panel, sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { takePicture } from '../../harness/workbench.ts';
import { findings } from '../scenes/axe.ts';
import { setTheme, themes } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const folder = join(projectRoot, 'test', 'fixtures', 'sample');
const settings = { 'tidemark.model.path': '/models/scripted.gguf', 'tidemark.model.contextSize': 8192 };

let panel: Panel;
let chat: Frame;

before(async () => {
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings });
  chat = panel.chat;
  await chat.locator('[data-engine="ready"]').waitFor();
});

after(() => panel?.close());

const last = () => chat.locator('.message.assistant').last();
const stop = () => chat.locator('vscode-button[aria-label="Stop"]').click();
const button = () => last().locator('.acts vscode-button');
const picture = (name: string) => takePicture(panel.page, join(projectRoot, 'out', `continue-${name}.png`));
const ended = async (end: string) => {
  await last()
    .and(chat.locator(`[data-end="${end}"]`))
    .waitFor();
  await chat.locator('[data-running="false"]').waitFor();
};

test('a stopped answer goes on in its own place: one message of the user, one answer', async () => {
  await sendMessage(chat, 'slow please');
  await last().getByText('on and on. One word').waitFor();
  await stop();
  await ended('cancelled');
  const former = await last().locator('.markdown').innerText();
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(panel.page, themes[theme]);
    await picture(theme);
    assert.deepEqual(await findings(chat), []);
  }
  await button().click();
  await ended('done');
  const whole = await last().locator('.markdown').innerText();
  assert.ok(whole.startsWith(former) && whole.length > former.length);
  assert.equal(whole.trim(), 'One word after the other, on and on. '.repeat(60).trim());
  assert.deepEqual(
    [await chat.locator('.message.user').count(), await chat.locator('.message.assistant').count()],
    [1, 1],
  );
  assert.equal(await button().count(), 0);
});

test('stopped within a code block, the block is one block, with one Apply', async () => {
  const lines = Array.from({ length: 60 }, (_, i) => `export const line${i} = ${i};`).join('\n');
  await sendMessage(chat, `Answer with:\n\`\`\`ts src/lines.ts\n${lines}\n\`\`\`\nEnd.`);
  await last().locator('.code', { hasText: 'line2' }).waitFor();
  await stop();
  await ended('cancelled');
  await button().click();
  await ended('done');
  assert.equal(await last().locator('.code').count(), 1);
  assert.equal((await last().locator('.code pre code').innerText()).trim(), lines);
  assert.equal(await last().locator('[data-act="createFile"]').count(), 1);
});

test('a server that takes messages alone is asked to, and the button says so', async () => {
  const server = {
    host: 'models.example',
    isEncrypted: true,
    isLoopback: false,
    software: 'chat completions',
    grade: 'estimated',
    reasons: [],
    ownSlots: null,
  } as const;
  const model = { name: 'm', window: 8192, trained: 8192, bytes: 0, device: '', nature: '', pocket: false, server };
  const engine: ViewState['engine'] = {
    state: 'ready',
    message: '',
    advice: '',
    progress: null,
    note: '',
    memory: '',
    actions: [],
    model,
  };
  const tell = (delta: ViewDelta) => chat.evaluate(`window.postMessage(${JSON.stringify(delta)}, '*')`);
  await tell({ type: 'set', values: { engine } });
  await tell({ type: 'entry', entry: { kind: 'answer', id: 'x', text: 'Half of', end: 'length' } });
  await button().getByText('Ask to continue').waitFor();
  assert.match((await button().getAttribute('title')) ?? '', /can't continue an answer/);
});
