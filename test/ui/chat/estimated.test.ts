// A server with chat completions in the real panel: the badge says that tokens are estimated, the Context view how far off, and a draft what it will cost.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { type ChatTwin, startChatTwin } from '../../../lab/servers/chatTwin.ts';
import { openPanel, type Panel, sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { contextFrame, takePicture } from '../../harness/workbench.ts';
import { findings } from '../scenes/axe.ts';
import { overflow, setTheme, themes } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

let twin: ChatTwin;
let panel: Panel;
let chat: Frame;

before(async () => {
  twin = await startChatTwin({ window: 4096 });
  twin.models = [{ id: 'pocket', max_model_len: 4096 }];
  panel = await openPanel({
    folder: join(projectRoot, 'test', 'fixtures', 'sample'),
    extension: prepareExtension('real'),
    settings: { 'tidemark.engine': 'desk', 'tidemark.servers': { desk: { url: twin.url, kind: 'openai' } } },
  });
  chat = panel.chat;
  await chat.locator('[data-engine="ready"]').waitFor();
});

after(async () => {
  await panel?.close();
  await twin?.stop();
});

test('an answer comes through tools, and what is known of its tokens is said', async () => {
  assert.match(await chat.locator('.server-badge').innerText(), /estimated tokens/);
  await sendMessage(chat, 'Where is parseDuration defined?');
  await chat.locator('.message.assistant', { hasText: 'src/duration.ts:14' }).waitFor();
  await chat.locator('.context-bar[title*="warm"] .context-words', { hasText: /^≈ \d+ % full/ }).waitFor();
});

test('a draft says about what it will cost, and the Context view how far off the prompt may be', async () => {
  await chat.locator('.composer textarea').fill('And where is formatDuration defined?');
  await chat.locator('.context-cost', { hasText: /^≈ \+[\d,]+ tokens/ }).waitFor();
  const context = await contextFrame(panel.page, chat);
  // Nobody here knows the text that the model gets.
  assert.deepEqual(await context.locator('.looks button').allInnerTexts(), ['Parts', 'Other size']);
  assert.match(await context.locator('figcaption').first().innerText(), /^[\d,]+ ± [\d,]+ of 4,096 tokens/);
  for (const [name, theme] of Object.entries(themes)) {
    await setTheme(panel.page, theme);
    await takePicture(panel.page, join(projectRoot, 'out', 'ui', `estimated-${name}.png`));
  }
  assert.deepEqual([await findings(context), await overflow(context)], [[], []]);
});
