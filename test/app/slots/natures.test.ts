// When a model is tested, what comes between, and what follows for the next prompt.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestedModels } from '../../../src/app/model/testedModels.ts';
import type { ModelAbilities } from '../../../src/core/abilities/abilities.ts';
import type { Attempt } from '../../../src/core/engine/attempt.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import type { Generation } from '../../../src/core/model/model.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { openScene } from '../scenes/scene.ts';
import { ableNature, modelInfo } from '../scenes/scriptedModel.ts';

const asked = (prompt: Prompt) => prompt.messages.at(-1)?.segments[0]?.text ?? '';
/** Answers the probe as a model does that calls tools by itself. */
function ableAnswer(prompt: Prompt): Generation {
  const call = (name: string, args: object) =>
    `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;
  const raw = asked(prompt).includes('queue.ts')
    ? call('read_file', { path: 'src/queue.ts' })
    : asked(prompt).includes('parseDate')
      ? call('find_symbol', { name: 'parseDate' })
      : 'At most 7.';
  const prefill = { decoded: 100, milliseconds: 1000 };
  return {
    raw,
    generated: { model: 'f1', ids: [1] },
    stop: 'end',
    prefill,
    generateMilliseconds: 100,
  } as unknown as Generation;
}

function keptIn(map: Map<string, ModelAbilities>) {
  return {
    nature: (fingerprint: string) => map.get(fingerprint) ?? null,
    keepNature: (fingerprint: string, nature: ModelAbilities) => void map.set(fingerprint, nature),
    paces: () => Object.fromEntries([...map].map(([of, { reading }]) => [of, reading])),
  };
}

test('a model is tested once, when it is idle; until then the program finds, and then the tools are in the prompt', async () => {
  const kept = new Map<string, ModelAbilities>();
  const scene = openScene(['one', 'two']);
  scene.editor.abilities = new TestedModels(keptIn(kept));
  const done = () => scene.engine.times('attempt');
  scene.engine.answer('attempt', ({ prompt }) => ableAnswer(prompt));
  await scene.say('hi');
  assert.deepEqual(scene.prompts[0]?.tools, []);
  await scene.ready();
  assert.equal(done(), 3);
  assert.equal(kept.get('f1')?.calls, 'marks');
  await scene.say('and now?');
  assert.deepEqual(
    scene.prompt()?.tools.map(({ name }) => name),
    ['echo'],
  );
  await scene.ready();
  assert.equal(done(), 3);
});

test('a test beside other programs is repeated at the next idle moment, once', async () => {
  const abilities = new TestedModels(null);
  const { signal } = new AbortController();
  const test = (busy: boolean) => {
    const attempt = async ({ prompt }: Attempt) => ({ ...ableAnswer(prompt), ...(busy && { busy: true as const }) });
    return abilities.test(modelInfo, { attempt }, signal);
  };
  assert.equal(abilities.wants(modelInfo), true);
  await test(true);
  assert.deepEqual([abilities.of(modelInfo)?.busy, abilities.wants(modelInfo)], [true, true]);
  await test(false);
  assert.deepEqual([abilities.of(modelInfo)?.busy, abilities.wants(modelInfo)], [undefined, false]);
  const always = new TestedModels(keptIn(new Map([['f1', { ...ableNature, busy: true }]])));
  assert.equal(always.wants(modelInfo), true);
  const attempt = async ({ prompt }: Attempt) => ({ ...ableAnswer(prompt), busy: true as const });
  await always.test(modelInfo, { attempt }, signal);
  assert.equal(always.wants(modelInfo), false);
});

test('a test that is interrupted goes on where it stopped', async () => {
  const abilities = new TestedModels(null);
  const seen: string[] = [];
  let stop = new AbortController();
  const engine = {
    attempt: async ({ prompt }: Attempt) => {
      seen.push(asked(prompt));
      if (seen.length === 2) stop.abort();
      return ableAnswer(prompt);
    },
  };
  assert.equal(await abilities.test(modelInfo, engine, stop.signal), null);
  assert.equal(abilities.of(modelInfo), null);
  stop = new AbortController();
  assert.equal((await abilities.test(modelInfo, engine, stop.signal))?.calls, 'marks');
  assert.deepEqual(seen[1], seen[2]);
  assert.equal(seen.length, 4);
});

test('what is kept holds for the file, whatever else its name is; a store that fails costs a test and no more', async () => {
  const abilities = new TestedModels(keptIn(new Map([['f1', ableNature]])));
  assert.equal(abilities.of({ ...modelInfo, name: 'renamed' })?.calls, 'marks');
  assert.equal(abilities.of({ ...modelInfo, fingerprint: 'f2' }), null);
  assert.match(abilities.words({ ...modelInfo, fingerprint: 'f2' }), /^Not tested yet/);
  const fails = () => {
    throw new Error('the disk is full');
  };
  const broken = new TestedModels({ nature: fails, keepNature: fails, paces: fails });
  assert.equal(broken.of(modelInfo), null);
  const engine = { attempt: async ({ prompt }: Attempt) => ableAnswer(prompt) };
  await broken.test(modelInfo, engine, new AbortController().signal);
  assert.equal(broken.of(modelInfo)?.calls, 'marks');
});

test('what was measured is told where a window is chosen, of the store and of this editor window, and else nothing', async () => {
  const tested = new TestedModels(keptIn(new Map([['f1', { ...ableNature, reading: 47 }]])));
  const load = { modelPath: 'm.gguf', contextSize: null, gpu: 'off', gpuLayers: null, threads: 1, slots: 1 } as const;
  assert.deepEqual(tested.withPaces(load), { ...load, paces: { f1: 47 } });
  const set = { ...load, contextSize: 4096 };
  assert.equal(tested.withPaces(set), set);
  const own = new TestedModels(null);
  await own.test(modelInfo, { attempt: async ({ prompt }) => ableAnswer(prompt) }, new AbortController().signal);
  assert.deepEqual(own.withPaces(load), { ...load, paces: { f1: 100 } });
  const fails = () => {
    throw new Error('the disk is full');
  };
  assert.deepEqual(new TestedModels({ nature: fails, keepNature: fails, paces: fails }).withPaces(load), {
    ...load,
    paces: {},
  });
});

test('a test that fails is not begun again unasked, and the model is used all the same', async () => {
  const scene = openScene(['one', 'two']);
  scene.editor.abilities = new TestedModels(null);
  scene.engine.answer('attempt', () => Promise.reject(new FaultError({ kind: 'engineCrashed', reason: 'SIGKILL' })));
  await scene.ready();
  await scene.ready();
  assert.equal(scene.engine.times('attempt'), 1);
  await scene.say('hi');
  assert.equal(scene.texts().at(-1), 'one');
});
