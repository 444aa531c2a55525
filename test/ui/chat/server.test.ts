// The model on a server, in the real panel, with the twin of llama-server: the badge says where code goes, a lost answer keeps its words and
// goes on, another model is noticed, and offline nothing is sent.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { startLlamaTwin, type Twin } from '../../../lab/servers/llamaTwin.ts';
import { openPanel, type Panel, sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { takePicture } from '../../harness/workbench.ts';
import { findings } from '../scenes/axe.ts';
import { overflow, setTheme, themes } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

let twin: Twin;
let panel: Panel;
let chat: Frame;

before(async () => {
  twin = await startLlamaTwin({ window: 4096 });
  panel = await openPanel({
    folder: join(projectRoot, 'test', 'fixtures', 'sample'),
    extension: prepareExtension('real'),
    settings: { 'tidemark.engine': 'desk', 'tidemark.servers': { desk: { url: twin.url } } },
  });
  chat = panel.chat;
  await chat.locator('[data-engine="ready"]').waitFor();
});

after(async () => {
  await panel?.close();
  await twin?.stop();
});

const ask = async (text: string) => {
  await sendMessage(chat, text);
  await chat.locator('[data-running="false"]').waitFor();
};

test('the badge says what leaves the machine and to where, and how its tokens are known', async () => {
  const badge = chat.locator('.server-badge');
  assert.match(await badge.innerText(), /Server here: 127\.0\.0\.1:\d+\s+exact tokens/);
  await badge.locator('summary').click();
  assert.match(await badge.innerText(), /Nothing leaves this machine\.\s+llama-server twin\s+Token ids are sent/);
  for (const [name, theme] of Object.entries(themes)) {
    await setTheme(panel.page, theme);
    await takePicture(panel.page, join(projectRoot, 'out', 'ui', `server-${name}.png`));
  }
  assert.deepEqual([await findings(chat), await overflow(chat)], [[], []]);
  await badge.locator('summary').click();
});

test('a question is answered through tools, and costs its new tokens', async () => {
  await ask('Where is parseDuration defined?');
  await chat.locator('.message.assistant', { hasText: 'src/duration.ts:14' }).waitFor();
  await chat.locator('.context-bar[title*="Cache warm"]').waitFor();
});

test('a connection that is lost within an answer keeps the words, and Continue goes on', async () => {
  let lost = false;
  twin.meddle = ({ path, body }, response) => {
    if (path !== '/completion' || body.n_predict === 0 || lost) return false;
    lost = true;
    const evaluated = (body.prompt as readonly number[]).length;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [at, id] of twin.model.tokenise('The tide comes', false).entries()) {
      const event = { content: 'x', tokens: [id], tokens_predicted: at + 1, tokens_evaluated: evaluated, stop: false };
      response.write(`data: ${JSON.stringify(event)}\n\n`);
    }
    setTimeout(() => response.socket?.resetAndDestroy(), 200);
    return true;
  };
  await sendMessage(chat, 'Where is formatDuration defined?');
  await chat.locator('.fault', { hasText: 'broke off' }).waitFor();
  await chat.locator('.message.assistant', { hasText: 'The tide comes' }).waitFor();
  await takePicture(panel.page, join(projectRoot, 'out', 'ui', 'server-cut.png'));
  await chat.locator('.fault vscode-button', { hasText: 'Continue' }).click();
  await chat.locator('[data-running="false"]').waitFor();
  assert.ok(lost);
});

test('another model is noticed before anything is sent, and taken with the next message', async () => {
  twin.props = { model_alias: 'other' };
  const before = twin.asked.filter(({ path }) => path === '/completion').length;
  await sendMessage(chat, 'Where is parseDuration defined?');
  await chat.locator('.fault', { hasText: 'its model changed' }).waitFor();
  assert.equal(twin.asked.filter(({ path }) => path === '/completion').length, before);
  await ask('Where is parseDuration defined?');
  await chat.locator('.model-switch', { hasText: 'other' }).waitFor();
});
