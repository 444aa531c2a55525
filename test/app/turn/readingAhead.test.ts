// A draft's texts are read while it is written: in front of its words, in the order in which it stands, and only where it costs nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelInfo } from '../../../src/core/engine/modelInfo.ts';
import { type Found, nothingFound, type Passage } from '../../../src/core/prompt/found.ts';
import { defaultRetrieval } from '../../../src/core/prompt/knowledge.ts';
import { type Prompt, segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { measure } from '../scenes/measure.ts';
import { openScene } from '../scenes/scene.ts';
import { settled } from '../scenes/waiting.ts';

const passage = (path: string, from = 3, count = 6): Passage => ({
  kind: 'file',
  path,
  why: 'matches it',
  stretches: [{ from, lines: Array.from({ length: count }, (_, at) => `line ${from + at} of ${path}`) }],
});

/** A slot that erases, and holds what it was last asked for. */
async function opened(found: (text: string) => Found, info: Partial<ModelInfo> = {}) {
  const scene = openScene(['one', 'two']);
  scene.engine.info = { ...scene.engine.info, erases: true, contextSize: 4096, ...info };
  scene.agent({ retrieval: defaultRetrieval });
  let begun = false;
  scene.editor.find = async ({ text }) => (begun ? found(text) : nothingFound);
  const read: string[] = [];
  scene.engine.answer('warm', async ({ prompt }, usual) => {
    read.push(inFront(prompt));
    const of = measure(prompt).starts.at(-1) ?? 0;
    return { ...(await usual()), warmed: of, of };
  });
  await scene.say('hello');
  [begun, read.length] = [true, 0];
  const write = async (text: string) => {
    await scene.write(text);
    await settled();
  };
  return { ...scene, write, read };
}

/** The texts of a prompt up to the words of its last message. */
function inFront(prompt: Prompt): string {
  return segmentsOf(prompt)
    .slice(0, -1)
    .map(({ text }) => text)
    .join('|');
}

const two = (): Found => ({ passages: [passage('a.ts'), passage('b.ts')], weak: '' });

test('what the draft brings is in the slot when it is sent, so only its words are decoded', async () => {
  const scene = await opened(two);
  scene.editor.resolve = async () => ({ ok: true, head: 'c.ts (1 line)', body: 'given' });
  await scene.write('where is it? @file:c.ts');
  assert.equal(scene.read.length, 1);
  await scene.say('where is it? @file:c.ts');
  const sent = scene.prompts.at(-1);
  assert.ok(sent !== undefined);
  assert.equal(inFront(sent), scene.read[0]);
  assert.match(scene.read[0] ?? '', /c\.ts \(1 line\)[\s\S]*Found: b\.ts[\s\S]*Found: a\.ts/);
});

test('the line below the box and the cost say how much of it is read', async () => {
  const scene = await opened(two);
  await scene.write('where is it?');
  const { found, ahead, forecast } = scene.shown();
  const size = found.reduce((sum, { tokens }) => sum + tokens, 0);
  assert.ok(ahead !== null && ahead >= size, `${ahead} of ${size}`);
  assert.ok(forecast !== null && forecast.tokens < size);
  await scene.write('');
  assert.equal(scene.shown().forecast, null);
});

test('it is read once, however often the draft is looked at, and anew where something else is found', async () => {
  const scene = await opened((text) => ({
    ...two(),
    passages: text.includes('other') ? [passage('d.ts')] : two().passages,
  }));
  for (const text of ['where is', 'where is it', 'where is it now']) await scene.write(text);
  assert.equal(scene.read.length, 1);
  await scene.write('where is the other');
  assert.equal(scene.read.length, 2);
  assert.doesNotMatch(scene.read[1] ?? '', /a\.ts/);
});

test('what stays keeps its place in the prompt, whatever comes in front of it in use', async () => {
  const scored = [passage('c.ts'), passage('b.ts', 4), passage('a.ts')];
  const more = scored.map((one, at) => ({ ...one, score: 1 - at / 5 }));
  const found = (text: string) => (text.includes('more') ? { passages: more, weak: '' } : two());
  const scene = await opened(found, { parameters: 1.5e9 });
  await scene.write('where');
  await scene.write('where more');
  const [first = '', second = ''] = scene.read;
  assert.match(second, /Found: b\.ts:3-8[\s\S]*Found: c\.ts/);
  assert.doesNotMatch(second, /Found: a\.ts/, 'two passages for a small model');
  assert.ok(first.includes('Found: b.ts:3-8'));
  const shared = [...second].findIndex((one, at) => one !== first[at]);
  assert.ok(shared > second.indexOf('line 8 of b.ts'), second.slice(shared));
  await scene.say('where more');
  assert.equal(inFront(scene.prompts.at(-1) ?? { messages: [], tools: [] }), second);
});

test('nothing is read where a slot does not erase, on battery, and where nothing is found', async () => {
  const scene = await opened(two, { erases: { not: 'it is scripted' } });
  await scene.write('where is it?');
  assert.equal(scene.read.length, 0);
  const saving = await opened(two);
  saving.editor.power = async () => 'saver';
  saving.editor.now += 60_000;
  await saving.write('where is it?');
  assert.equal(saving.read.length, 0);
  const none = await opened(() => nothingFound);
  await none.write('where is it?');
  assert.equal(none.read.length, 0);
});

test('what would push older turns out of the window is not read for a draft', async () => {
  const scene = await opened(() => ({ passages: [passage('a.ts', 1, 900)], weak: '' }));
  scene.agent({ retrieval: { ...defaultRetrieval, share: 1 } });
  const before = scene.state().pruned;
  await scene.write('where is it?');
  assert.deepEqual(scene.state().pruned, before);
});

test('passages that were read for one message are not preferred for the next', async () => {
  const scored = [passage('c.ts'), passage('d.ts'), passage('b.ts')].map((one, at) => ({ ...one, score: 1 - at / 5 }));
  const scene = await opened((text) => (text.includes('next') ? { passages: scored, weak: '' } : two()), {
    parameters: 1.5e9,
  });
  await scene.write('where is it?');
  assert.match(scene.read[0] ?? '', /Found: b\.ts/);
  await scene.say('where is it?');
  await scene.say('where is the next?');
  const last = scene.sent().slice(scene.sent().lastIndexOf('where is it?'));
  assert.deepEqual(
    [...last.matchAll(/Found: (\w)\.ts/g)].map(([, name]) => name),
    ['d', 'c'],
  );
});

test('/find ranks as it would without a draft', async () => {
  const found = (text: string) => ({
    weak: '',
    passages: [passage('c.ts'), ...(text === 'x' ? [passage('d.ts'), passage('b.ts')] : [passage('b.ts')])],
  });
  const scene = await opened(found, { parameters: 3e10 });
  await scene.write('where');
  assert.match(await scene.ask('/find x'), /c\.ts[\s\S]*d\.ts[\s\S]*b\.ts/);
});

test('what an agent places by a template of its own is not read in front of the words', async () => {
  const scene = await opened(two);
  scene.agent({ retrieval: { ...defaultRetrieval, placement: 'after' } });
  await scene.write('where is it?');
  assert.equal(scene.read.length, 0);
});
