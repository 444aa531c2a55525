// A message that is asked again has beside it what it had the first time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultRetrieval } from '../../../src/core/prompt/knowledge.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { openChat } from '../scenes/openChat.ts';

const textOf = (prompt: Prompt | undefined) => JSON.stringify(prompt?.messages);

test('what was brought back from earlier stands in the prompt of the second answer as well', async () => {
  const { chat, engine, script } = openChat([
    { call: 'echo', arguments: { x: 'BODYTEXT' } },
    'first',
    'second',
    'third',
  ]);
  await chat.send('one');
  const at = chat.session.state.dialog.path.findIndex(({ origin }) => origin === 'result');
  await chat.command(`/context evict ${at}`);
  await chat.send('two');
  await chat.command(`/context restore ${at}`);
  await chat.send('three');
  const first = textOf(engine.prompts.at(-1));
  assert.match(first, /Restored/);
  script.push('fourth');
  await chat.sending.regenerate();
  assert.equal(textOf(engine.prompts.at(-1)).match(/Restored/g)?.length, 1);
});

test('a selection that changed meanwhile is attached as it was, and what is mentioned anew as it is', async () => {
  const { chat, engine, script, ports } = openChat(['first']);
  let selected = 'let old = 1;';
  const resolve = async () => ({ ok: true, head: 'a.ts (line 1, selected)', body: selected });
  Object.assign(ports, { mentions: { ...ports.mentions, resolve } });
  await chat.send('explain @selection');
  assert.match(textOf(engine.prompts.at(-1)), /let old = 1;/);
  selected = 'let other = 2;';
  script.push('second');
  await chat.sending.regenerate();
  assert.match(textOf(engine.prompts.at(-1)), /let old = 1;/);
  assert.doesNotMatch(textOf(engine.prompts.at(-1)), /other = 2/);
  const user = chat.snapshot.entries.find(({ kind }) => kind === 'user');
  script.push('third');
  await chat.edit(user?.kind === 'user' ? user.item : '', 'explain @selection and @problems');
  assert.match(textOf(engine.prompts.at(-1)), /let old = 1;/);
  assert.match(textOf(engine.prompts.at(-1)), /let other = 2;/);
});

test('a mention that could not be had is looked for again, and passages of an agent’s own template hide nothing', async () => {
  const { chat, engine, script, ports, settings } = openChat(['first']);
  const template = 'Known: {{knowledge}}\n{{message}}';
  settings.agent = { ...settings.agent, retrieval: { ...defaultRetrieval, template } };
  let found = false;
  const resolve = async () =>
    found ? { ok: true, head: 'a.ts', body: 'let a = 1;' } : { ok: false, head: 'There is no such file.', body: '' };
  Object.assign(ports, { mentions: { ...ports.mentions, resolve } });
  await chat.send('explain `x` in @file:a.ts');
  assert.match(textOf(engine.prompts.at(-1)), /is not attached: There is no such file/);
  found = true;
  script.push('second');
  await chat.sending.regenerate();
  assert.match(textOf(engine.prompts.at(-1)), /let a = 1;/);
});
