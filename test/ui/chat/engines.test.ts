// Two engines in the real panel: an agent that runs on a server while the others run here, and one whose look-ups run on the server and its
// answers here. The badge stands wherever a part of the conversation is sent.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { startLlamaTwin, type Twin } from '../../../lab/servers/llamaTwin.ts';
import { pocketPath } from '../../../lab/servers/serverParams.ts';
import { openPanel, type Panel, sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { contextFrame, takePicture } from '../../harness/workbench.ts';
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
    settings: {
      'tidemark.model.path': pocketPath,
      'tidemark.model.contextSize': 4096,
      'tidemark.servers': { desk: { url: twin.url } },
      'tidemark.agents': {
        far: { engine: 'desk', graph: 'unified' },
        both: { graph: [{ do: 'decide', engine: 'desk' }, { do: 'answer' }] },
      },
    },
  });
  chat = panel.chat;
  await chat.locator('[data-engine="ready"]').waitFor();
});

after(async () => {
  await panel?.close();
  await twin?.stop();
});

const asked = () => twin.asked.filter(({ path, body }) => path === '/completion' && body.n_predict !== 0).length;

async function choose(agent: string): Promise<void> {
  await chat.locator('.mode-switch').click();
  await panel.page.locator('.quick-input-list .monaco-list-row', { hasText: agent }).first().click();
  await chat.locator('.mode-switch', { hasText: agent }).waitFor();
  await chat.locator('[data-engine="ready"]').waitFor();
}

const ask = async (text: string) => {
  const answers = chat.locator('.message.assistant');
  const before = await answers.count();
  await sendMessage(chat, text);
  await answers.nth(before).waitFor();
  await chat.locator('[data-running="false"]').waitFor();
};

test('on the engine of this machine nothing is sent, and no badge stands', async () => {
  await ask('Where is parseDuration defined?');
  await chat.locator('.message.assistant', { hasText: 'src/duration.ts:14' }).waitFor();
  assert.deepEqual([asked(), await chat.locator('.server-badge').count()], [0, 0]);
});

test('an agent that names a server runs there, in the same conversation, and the badge says so', async () => {
  await choose('far');
  await chat.locator('.server-badge', { hasText: 'Server here' }).waitFor();
  await ask('Where is formatDuration defined?');
  assert.ok(asked() > 0);
  await chat.locator('.message.assistant', { hasText: 'src/duration.ts' }).last().waitFor();
});

test('an agent whose look-ups run on a server and its answers here says where each call ran', async () => {
  await choose('both');
  await chat.locator('.server-badge', { hasText: 'Server here' }).waitFor();
  const before = asked();
  await ask('Where is parseDuration defined?');
  assert.ok(asked() > before, 'the look-up was asked of the server');
  const context = await contextFrame(panel.page, chat);
  await context.locator('.tabs button', { hasText: 'Performance' }).click();
  assert.match(await context.locator('table.calls').first().innerText(), /decide/);
  const words = await context.locator('.performance').innerText();
  assert.match(words, /decide: pocket \(127\.0\.0\.1:\d+\)\s+answer: pocket\s/);
  assert.match(words, /Beside it: .* at 127\.0\.0\.1/);
  await context.locator('table.slots').scrollIntoViewIfNeeded();
  for (const [name, theme] of Object.entries(themes)) {
    await setTheme(panel.page, theme);
    await takePicture(panel.page, join(projectRoot, 'out', 'ui', `engines-${name}.png`));
  }
  assert.deepEqual([await findings(context), await overflow(context)], [[], []]);
});

test('back on this machine the badge goes', async () => {
  await choose('Ask');
  await chat.locator('.server-badge').waitFor({ state: 'detached' });
});
