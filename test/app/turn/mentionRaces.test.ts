// Mentions that come late, or never, and tools that are switched off while a turn begins.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Signal, ToolResult } from '../../../src/core/dialog/tool.ts';
import { openScene } from '../scenes/scene.ts';
import type { Say } from '../scenes/scriptedModel.ts';
import { until } from '../scenes/waiting.ts';

/** Mentions that are there when a test answers them. */
function waiting(answers: Say[]) {
  const scene = openScene(answers);
  const asked: { readonly signal: Signal; readonly answer: (found: ToolResult) => void }[] = [];
  scene.editor.resolve = (_, signal) => new Promise((answer) => asked.push({ signal, answer }));
  return { ...scene, asked, reached: (count: number) => until(() => asked.length >= count) };
}

test('Stop does not wait for a mention that never comes', { timeout: 5000 }, async () => {
  const scene = waiting(['One.']);
  const sent = scene.say('what is @symbol:tide');
  await scene.reached(1);
  scene.stop();
  await sent;
  assert.equal(scene.shown().running, false);
  assert.equal(scene.shown().draft.text, 'what is @symbol:tide');
  assert.deepEqual(scene.state().dialog.items, []);
});

test('what is looked up for words that the user changed since is given up', async () => {
  const scene = waiting([]);
  void scene.write('@symbol:ti');
  await scene.reached(1);
  const second = scene.write('@symbol:tide');
  await scene.reached(2);
  assert.deepEqual(
    scene.asked.map(({ signal }) => signal.aborted),
    [true, false],
  );
  scene.asked[1]?.answer({ ok: true, head: 'tide in a.ts', body: 'text' });
  await second;
  assert.deepEqual(
    scene.shown().mentions.map(({ title }) => title),
    ['tide in a.ts'],
  );
  void scene.write('@symbol:tides');
  await scene.reached(3);
  const sent = scene.say('@symbol:tides');
  assert.equal(scene.asked[2]?.signal.aborted, true);
  scene.stop();
  await sent;
});

test('a turn runs the tools that its prompt names, though one is switched off before it begins', async () => {
  const scene = waiting([{ call: 'echo', arguments: { a: 1 } }, 'Done.']);
  const sent = scene.say('run @symbol:tide');
  await scene.reached(1);
  scene.settings.toolsOff = ['echo'];
  scene.asked[0]?.answer({ ok: true, head: 'tide', body: '' });
  await sent;
  const [step] = scene.entries('step');
  assert.deepEqual([step?.state, step?.head], ['ok', 'echo:']);
});

/** Opens a scene whose editor gives another text each time it is asked for a mention, as if the user went on working. */
function changing(answers: Say[]) {
  const scene = openScene(answers);
  let looked = 0;
  scene.editor.resolve = async ({ word }) => ({ ok: true, head: `${word} as seen`, body: `look ${++looked}` });
  const given = () =>
    scene.said().flatMap((item) => (item.origin === 'attachment' ? [`${item.head} ${item.body}`] : []));
  return { ...scene, given, looks: () => looked };
}

for (const word of ['@selection', '@problems', '@terminal']) {
  test(`${word} of a waiting message is what it was when the message was written`, async () => {
    const scene = changing(['One.', 'Two.']);
    const first = scene.say('first');
    await scene.say(`explain ${word}`);
    assert.equal(scene.looks(), 1, 'it is looked at while the first answer is written');
    await first;
    assert.deepEqual(scene.given(), [`${word} as seen look 1`]);
  });
}

test('a file of a waiting message is read when the message is sent', async () => {
  const scene = changing(['One.', 'Two.']);
  const first = scene.say('first');
  await scene.say('explain @file:a.ts');
  assert.equal(scene.looks(), 0);
  await first;
  assert.deepEqual(scene.given(), ['@file:a.ts as seen look 1']);
});

test('the selection that a prompt stands for is the one of the moment it was called, also while the model loads', async () => {
  const scene = changing(['One.', 'Two.']);
  const load = scene.engine.hold('load');
  const sent = scene.say('/explain');
  const before = scene.looks();
  assert.ok(before > 0);
  load();
  await sent;
  assert.equal(scene.looks(), before, 'nothing is looked at again');
  assert.match(scene.given()[0] ?? '', /^@selection as seen/);
});

test('a message that was taken back means what is there when it is sent again', async () => {
  const scene = changing(['One.', 'Two.']);
  const first = scene.say('first');
  await scene.say('explain @selection');
  scene.takeBack(0);
  await first;
  await scene.say(scene.shown().draft.text);
  assert.deepEqual(scene.given(), ['@selection as seen look 2']);
});
