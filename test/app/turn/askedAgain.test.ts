// A message that is asked again has beside it what it had the first time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultRetrieval } from '../../../src/core/prompt/knowledge.ts';
import { openScene } from '../scenes/scene.ts';

test('what was brought back from earlier stands in the prompt of the second answer as well', async () => {
  const scene = openScene([{ call: 'echo', arguments: { x: 'BODYTEXT' } }, 'first', 'second', 'third']);
  await scene.say('one');
  const at = scene.said().findIndex(({ origin }) => origin === 'result');
  await scene.command(`/context evict ${at}`);
  await scene.say('two');
  await scene.command(`/context restore ${at}`);
  await scene.say('three');
  assert.match(scene.sent(), /Restored/);
  scene.script.push('fourth');
  await scene.regenerate();
  assert.equal(scene.sent().match(/Restored/g)?.length, 1);
});

test('a selection that changed meanwhile is attached as it was, and what is mentioned anew as it is', async () => {
  const scene = openScene(['first']);
  let selected = 'let old = 1;';
  scene.editor.resolve = async () => ({ ok: true, head: 'a.ts (line 1, selected)', body: selected });
  await scene.say('explain @selection');
  assert.match(scene.sent(), /let old = 1;/);
  selected = 'let other = 2;';
  scene.script.push('second');
  await scene.regenerate();
  assert.match(scene.sent(), /let old = 1;/);
  assert.doesNotMatch(scene.sent(), /other = 2/);
  scene.script.push('third');
  await scene.edit(scene.message(0), 'explain @selection and @problems');
  assert.match(scene.sent(), /let old = 1;/);
  assert.match(scene.sent(), /let other = 2;/);
});

test('a mention that could not be had is looked for again, and passages of an agent’s own template hide nothing', async () => {
  const scene = openScene(['first']);
  const template = 'Known: {{knowledge}}\n{{message}}';
  scene.agent({ retrieval: { ...defaultRetrieval, template } });
  let found = false;
  scene.editor.resolve = async () =>
    found ? { ok: true, head: 'a.ts', body: 'let a = 1;' } : { ok: false, head: 'There is no such file.', body: '' };
  await scene.say('explain `x` in @file:a.ts');
  assert.match(scene.sent(), /is not attached: There is no such file/);
  found = true;
  scene.script.push('second');
  await scene.regenerate();
  assert.match(scene.sent(), /let a = 1;/);
});
