// The KV cache in the real panel on real llama.cpp: the cost before sending, the time a long prompt still takes, and what a
// trim moved up and idle work settled. Pictured in three themes.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { openPanel, type Panel } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { contextFrame, takePicture } from '../../harness/workbench.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { temporary } from '../../temporary.ts';
import { overflow, say, setTheme, setWidth, themes } from '../scenes/panelSteps.ts';

const settings = {
  'tidemark.model.path': nanoModel(),
  'tidemark.model.contextSize': 4096,
  'tidemark.model.threads': 1,
  'tidemark.generation.reserve': 64,
  'tidemark.generation.temperature': 0,
  'tidemark.compaction.enabled': 'off',
  // Not by the test of this model, which would come in between.
  'tidemark.agent': 'unified',
};
const viewport = { width: 1280, height: 1100 };

let panel: Panel;
let chat: Frame;
let context: Frame;

before(async () => {
  const folder = temporary('tm-cache-');
  panel = await openPanel({ folder, settings, viewport });
  chat = panel.chat;
  await chat.locator('[data-engine="ready"]').waitFor();
  context = await contextFrame(panel.page, chat);
  await context.locator('.status-line.warm').waitFor();
});

after(() => panel?.close());

const words = (n: number) => Array.from({ length: n }, (_, i) => `harbour ${i}`).join(', ');
const reason = () =>
  context
    .locator('.status-line')
    .getAttribute('title')
    .then((words) => words ?? '');
const forecast = () => chat.locator('.context-bar.forecast');
const forecastWords = () =>
  forecast()
    .getAttribute('title')
    .then((words) => words ?? '');
const picture = (name: string) => takePicture(panel.page, join(projectRoot, 'out', `cache-${name}.png`));

test('while a message is written the panel says how many tokens are new and how long reading them takes', async () => {
  const area = chat.locator('.composer textarea');
  await area.fill('Which harbour has the highest tide?');
  await forecast().waitFor();
  assert.match(await forecast().innerText(), /\+\d+/);
  assert.match(await forecastWords(), /^This message: \d+ tokens to decode(, about \d+ ms to the first word)?$/m);
  await area.fill(words(1500));
  await forecast().getByText('Too long: shorten it').waitFor();
  assert.match(await forecastWords(), /does not fit the context window/);
  await area.fill('/context');
  await forecast().waitFor({ state: 'detached' });
  await area.fill('');
});

test('an answered message is warm at once, and the panel says why', async () => {
  for (let n = 1; n <= 12; n++) await say(chat, `${n}. ${words(22)}`);
  await context.locator('.status-line.warm').waitFor();
  assert.match(await reason(), /Only your message has to be decoded|already in the cache/);
});

test('what a long message pushes out is erased, the rest moves up, and idle work makes it exact again', async () => {
  const long = words(120);
  await chat.locator('.composer textarea').fill(long);
  await chat.locator('.forecast[title*="older turns are trimmed first"]').waitFor();
  await say(chat, long);
  await context.locator('.tabs button', { hasText: 'Performance' }).click();
  const breaks = context.locator('.breaks li', { hasText: 'were shifted' });
  await breaks.first().waitFor();
  assert.match(await breaks.first().innerText(), /tokens were shifted, nothing was decoded again\.$/);
  await context.locator('.status-line[title*="exact"]').waitFor();
  assert.match(await reason(), /[\d,]+ tokens after removed parts were decoded again, so the cache is exact$/);
  await context.locator('.tabs button', { hasText: 'Contents' }).click();
});

test('the pieces of the exact prompt add up to the tokens of the bar', async () => {
  await context.locator('.looks button', { hasText: 'Exact text' }).click();
  await context.locator('.pieces').waitFor();
  const total = await context.locator('figcaption b').innerText();
  await context.locator('.prompt-text .hint', { hasText: `${total} tokens` }).waitFor();
  assert.match(await context.locator('.pieces').innerText(), /<\|im_start\|>system[\s\S]*<\|im_start\|>assistant/);
  assert.equal(await context.locator('.piece.layer-tools').count(), 1);
  await setTheme(panel.page, themes.dark);
  await picture('prompt');
  await context.locator('.tabs button', { hasText: 'Performance' }).click();
  await context.locator('.slots').waitFor();
  await picture('slots');
  await context.locator('.tabs button', { hasText: 'Contents' }).click();
});

for (const [name, theme] of Object.entries(themes)) {
  test(`forecast and cache look right in ${name}`, async () => {
    await setTheme(panel.page, theme);
    await setWidth(panel.page, 480);
    await chat.locator('.composer textarea').fill('How high is the next tide at the second harbour?');
    await forecast().waitFor();
    await picture(name);
    assert.deepEqual([await overflow(chat), await overflow(context)], [[], []]);
  });
}
