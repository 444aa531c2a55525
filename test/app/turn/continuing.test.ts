// The button Continue: the last answer goes on in its place, whatever cut it off, also after its window was closed.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { AssistantItem } from '../../../src/core/dialog/dialog.ts';
import type { Model } from '../../../src/core/model/model.ts';
import { segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { openStore } from '../../../src/store/store.ts';
import { temporary } from '../../temporary.ts';
import { memoryStorage } from '../scenes/memory.ts';
import { openScene, type Scene } from '../scenes/scene.ts';
import type { Say } from '../scenes/scriptedModel.ts';

/** A chat whose engine gives back a message that it went on with as a whole. */
function open(script: Say[], options: Parameters<typeof openScene>[1] = {}): Scene {
  const scene = openScene(script, options);
  const { model } = scene.engine;
  const whole = (inner: Model): Model => ({
    ...inner,
    generate: async (request, ...others) => {
      const said = await inner.generate(request, ...others);
      const segment = request.prompt.continues === true ? segmentsOf(request.prompt).at(-1) : undefined;
      if (segment === undefined) return said;
      const ids = [...(segment.generated?.ids ?? [...segment.text].map(() => 1)), ...said.generated.ids];
      return { ...said, raw: segment.text + said.raw, generated: { ...said.generated, ids } };
    },
  });
  Object.assign(scene.engine, { model: (...given: Parameters<typeof model>) => whole(model(...given)) });
  return scene;
}

const tick = () => new Promise((resolve) => setImmediate(resolve));
const answers = ({ entries }: Scene) => entries('answer').map(({ text, end }) => [text, end] as const);

function lastItem({ said }: Scene): AssistantItem {
  const last = said().at(-1);
  assert.ok(last?.origin === 'assistant');
  return last;
}

/** Sends a message and stops its answer behind some words. */
async function stopped(scene: Scene, characters = 40): Promise<string> {
  const sent = scene.say('Tell me about tides.');
  while ((answers(scene).at(-1)?.[0].length ?? 0) < characters) await tick();
  scene.stop();
  await sent;
  return lastItem(scene).text;
}

function fileFor(context: TestContext): string {
  const folder = temporary('tidemark-continuing-');
  context.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'tidemark.sqlite');
}

test('a stopped answer goes on in its own entry, and no message stands between', async () => {
  const scene = open(['word '.repeat(400), 'and the rest.']);
  const former = await stopped(scene);
  await scene.continueAnswer();
  assert.deepEqual(scene.kinds(), ['user', 'answer']);
  assert.deepEqual(answers(scene), [[`${former}and the rest.`, 'done']]);
  assert.equal(lastItem(scene).text, `${former}and the rest.`);
  assert.equal(scene.prompts.at(-1)?.continues, true);
  // The next message follows the whole answer.
  await scene.say('And?');
  const prompt = scene.prompts.at(-1);
  assert.ok(prompt !== undefined && prompt.continues === undefined);
  assert.deepEqual(
    segmentsOf(prompt)
      .flatMap(({ text, layer }) => (layer === 'history' ? [text] : []))
      .at(-1),
    `${former}and the rest.`,
  );
});

test('what stands in the entry only grows while it goes on', async () => {
  const scene = open(['word '.repeat(400), 'and the rest of the answer.']);
  const former = await stopped(scene);
  const from = scene.deltas.length;
  await scene.continueAnswer();
  const texts = scene.deltas.slice(from).flatMap((delta) => {
    if (delta.type === 'text') return [delta.text];
    if (delta.type === 'entry' && delta.entry.kind === 'answer') assert.ok(delta.entry.text.startsWith(former));
    return [];
  });
  assert.equal(texts.join(''), 'and the rest of the answer.');
});

test('after a crash the words that were kept go on, and the fault goes', async () => {
  const scene = open([{ crash: 'The tide comes' }, ' twice a day.']);
  await scene.say('When?');
  const fault = scene.shown().entries.at(-1);
  assert.ok(fault?.kind === 'fault' && fault.canContinue);
  await scene.continueAnswer();
  assert.deepEqual(scene.kinds(), ['user', 'answer']);
  assert.deepEqual(answers(scene), [['The tide comes twice a day.', 'done']]);
});

test('a crash before the first word leaves nothing to go on with', async () => {
  const scene = open([{ crash: '' }]);
  await scene.say('When?');
  const fault = scene.shown().entries.at(-1);
  assert.ok(fault?.kind === 'fault' && !fault.canContinue);
  const before = scene.prompts.length;
  await scene.continueAnswer();
  assert.equal(scene.prompts.length, before);
});

test('a continuation that fails before its first word leaves the answer as it stood, with its fault below', async () => {
  const scene = open(['word '.repeat(400), { crash: '' }]);
  const former = await stopped(scene);
  await scene.continueAnswer();
  assert.deepEqual(answers(scene), [[former, 'cancelled']]);
  const fault = scene.shown().entries.at(-1);
  assert.ok(fault?.kind === 'fault' && fault.canContinue);
  assert.equal(lastItem(scene).text, former);
});

test('an interrupted answer of a window that was closed goes on in the next one, and is stored as one', async (context) => {
  const file = fileFor(context);
  const store = await openStore(file);
  const first = open(['word '.repeat(400)], { storage: store });
  const sent = first.say('Tell me about tides.');
  while ((answers(first).at(-1)?.[0].length ?? 0) < 100) await tick();
  first.interrupt();
  await sent;
  first.dispose();
  store.close();
  const second = await openStore(file);
  const again = open(['and the rest.'], { storage: second, name: 'next' });
  const [[former, end] = ['', '']] = answers(again);
  assert.equal(end, 'interrupted');
  await again.continueAnswer();
  assert.deepEqual(answers(again), [[`${former}and the rest.`, 'done']]);
  again.dispose();
  second.close();
  const third = await openStore(file);
  assert.deepEqual(answers(open([], { storage: third, name: 'last' })), [[`${former}and the rest.`, 'done']]);
  third.close();
});

test('a process that dies while an answer goes on leaves all words: the former ones and those of the last second', async (context) => {
  const memory = memoryStorage();
  const scene = open(['word '.repeat(400), 'more '.repeat(400)], { memory });
  const former = await stopped(scene);
  const { now } = performance;
  let seconds = 2;
  context.mock.method(performance, 'now', () => now.call(performance) + seconds++ * 1000);
  const going = scene.continueAnswer();
  while ((answers(scene).at(-1)?.[0].length ?? 0) < former.length + 60) await tick();
  // Another process reads what is stored, as it would after a kill.
  const again = open([], {
    memory: memoryStorage({ ...memory.stored, items: [...memory.stored.items] }),
    name: 'next',
  });
  const [[text, end] = ['', '']] = answers(again);
  assert.ok(text.startsWith(`${former}more`), text);
  assert.equal(end, 'interrupted');
  assert.deepEqual(
    again.said().map(({ origin }) => origin),
    ['user', 'assistant'],
  );
  scene.stop();
  await going;
});

test('a server that takes messages alone is asked by a message', async () => {
  const scene = open(['word '.repeat(400), 'Where was I?']);
  scene.engine.info = {
    ...scene.engine.info,
    server: {
      host: 'h',
      isEncrypted: true,
      isLoopback: false,
      software: 'chat completions',
      grade: 'estimated',
      reasons: [],
      ownSlots: null,
    },
  };
  await stopped(scene);
  await scene.continueAnswer('Please go on.');
  assert.deepEqual(scene.kinds(), ['user', 'answer', 'user', 'answer']);
  assert.equal(scene.prompts.at(-1)?.continues, undefined);
});

test('an answer that is whole, or being written, is not continued; a pin stays with a continued one', async () => {
  const scene = open(['Whole.', 'word '.repeat(400), 'rest']);
  await scene.say('One.');
  await scene.continueAnswer();
  assert.equal(scene.prompts.length, 1);
  await stopped(scene);
  scene.mark(lastItem(scene).id, 'pinned');
  await Promise.all([scene.continueAnswer(), scene.continueAnswer()]);
  assert.equal(scene.prompts.length, 3);
  assert.ok(scene.state().marks.pinned.has(lastItem(scene).id));
});
