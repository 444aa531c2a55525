// All who ask the engine at once, on a real llama.cpp: a higher rank waits for one chunk at most, and loses no token.
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { type Asker, allAskers, askers, outranks } from '../../../src/core/machine/askers.ts';
import type { Generation } from '../../../src/core/model/model.ts';
import { loadLocal } from '../../../src/engine/worker/local.ts';
import type { Tokenised } from '../../../src/templates/tokenise.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { chat, loadParams, message, words } from '../scenes/engineUnderTest.ts';
import { type Asked, asking, decoded, forgetSteps, mostBytes, stepsOf, untilStep } from './steps.ts';

const fill = ['<|fim_prefix|>', '<|fim_suffix|>', '<|fim_middle|>'].map((text) => ({ text, type: 3 }) as const);
const modelPath = nanoModel({ layers: 8, added: fill });
const params = loadParams({ modelPath, slots: 2, contextSize: 8192, askers: allAskers });
const silent = { planned: () => undefined, progress: () => undefined, template: async () => undefined };
const engine = await loadLocal(params, silent);
after(() => engine.dispose());
beforeEach(() => forgetSteps());

const heard = { onText: () => undefined, onProgress: () => undefined };
const never = new AbortController().signal;
const long = (seed: number) => chat(message('user', words(2000, seed)), message('user', 'x'));
const question = chat(message('user', words(300, 7)));

/** Asked at once when it is called: what it takes to get there is done before. */
type Play = (signal: AbortSignal) => Promise<unknown>;

const texts = [question, chat(message('user', words(300, 8))), ...Array.from({ length: 40 }, (_, i) => long(i))];
const [asked, told, ...ahead] = await Promise.all(texts.map((prompt) => engine.tokens(prompt)));
assert.ok(asked !== undefined && told !== undefined);

function generated(prompt: Tokenised, maxTokens: number, asker: 'answer' | 'summary', signal: AbortSignal) {
  const sampling = { temperature: 0, seed: 1 };
  const params = { asker, slot: 0, prompt: question, maxTokens, toolCalls: 'none', reuse: 'none', sampling } as const;
  return engine.generate(params, prompt, null, heard, signal);
}

/** Another prompt each time: what is warm already decodes nothing. */
function warmed(signal: AbortSignal) {
  const prompt = ahead.shift();
  assert.ok(prompt !== undefined);
  return engine.warm({ slot: 1, reuse: 'none', settleMilliseconds: 0 }, prompt, heard.onProgress, signal);
}

/** Another text each time, as after a jump. */
let jumps = 0;
function completed(signal: AbortSignal) {
  jumps += 1;
  const request = {
    prefix: words(600, 50 + jumps),
    suffix: '',
    order: 'suffix-first',
    maxTokens: 60,
    lines: 99,
  } as const;
  return engine.complete?.(request, () => undefined, signal) ?? Promise.reject(new Error('it cannot'));
}

/** Each long enough that another one comes while it decodes. */
const plays: Readonly<Record<Asker, Play>> = {
  answer: (signal) => generated(asked, 40, 'answer', signal),
  count: () => engine.count([words(400)]),
  completion: (signal) => completed(signal),
  edit: (signal) => engine.attempt({ prompt: question, toolCalls: 'none', maxTokens: 200, asker: 'edit' }, signal),
  summary: (signal) => generated(told, 40, 'summary', signal),
  speed: async (signal) => engine.speed?.(signal),
  probe: (signal) => engine.attempt({ prompt: question, toolCalls: 'none', maxTokens: 200 }, signal),
  warm: warmed,
};
const all = Object.keys(askers) as Asker[];
const decoding = all.filter((asker) => asker !== 'count');

/** An asker waits for one chunk of each lower asker at most, and of several that decode side by side for one more. */
function assertFair({ asker, asked, ended }: Asked): void {
  const lower = stepsOf().filter((step) => outranks(asker, step.asker) && step.ended > asked && step.began < ended);
  const names = lower.map((step) => step.asker);
  const most = new Set(names).size === 1 ? 1 : new Set(names).size + 1;
  assert.ok(names.length <= most, `${asker} waited for chunks of ${names.join()}`);
}

/** The second one comes when the first one is at work; both end when the higher one has decoded some chunks more. */
async function assertPair(first: Asker, second: Asker): Promise<void> {
  const stop = new AbortController();
  const higher = outranks(first, second) ? first : second;
  const one = asking(first, () => plays[first](stop.signal));
  await untilStep(first, 2);
  const other = asking(second, () => plays[second](stop.signal));
  await untilStep(higher, 5);
  stop.abort();
  await Promise.all([one.result, other.result]);
  assertFair(higher === first ? one.asked : other.asked);
}

for (const higher of decoding)
  for (const lower of decoding.filter((asker) => outranks(higher, asker))) {
    test(`${higher} waits for one chunk of ${lower} at most`, { timeout: 60_000 }, () => assertPair(lower, higher));
    test(`${lower} decodes nothing while ${higher} does`, { timeout: 60_000 }, () => assertPair(higher, lower));
  }

test('all at once: each higher rank waits for one chunk at most, and says what it says alone', {
  timeout: 120_000,
}, async () => {
  const answerAlone = (await plays.answer(never)) as Generation;
  const summaryAlone = (await plays.summary(never)) as Generation;
  forgetSteps();
  const places: Asked[] = [];
  const results = new Map<Asker, Promise<unknown>>();
  const ask = (asker: Asker) => {
    const { asked: place, result } = asking(asker, () => plays[asker](never));
    places.push(place);
    results.set(asker, result);
  };
  // The lowest first, each when the one before it is at work.
  for (const asker of all.toSorted((a, b) => askers[a].rank - askers[b].rank)) {
    ask(asker);
    if (asker !== 'count') await untilStep(asker, 2);
  }
  // Requests that come while the answer is written wait for it.
  ask('warm');
  ask('probe');
  await Promise.all(results.values());
  for (const place of places) assertFair(place);
  const answer = (await results.get('answer')) as Generation;
  assert.deepEqual(answer.generated.ids, answerAlone.generated.ids);
  const summary = (await plays.summary(never)) as Generation;
  assert.deepEqual(summary.generated.ids, summaryAlone.generated.ids);
});

test('a count is answered while a chunk is decoded', async () => {
  const first = asking('warm', () => plays.warm(never));
  await untilStep('warm', 2);
  const before = decoded('warm');
  await plays.count(never);
  assert.ok(decoded('warm') - before <= 1);
  await first.result;
});

test('all of them together took what was planned', async () => {
  const { memory } = engine.info;
  assert.ok(memory !== null && memory.passing !== null && memory.beside !== null);
  const planned = memory.kv + memory.compute + memory.passing + memory.beside;
  assert.ok(Math.abs(mostBytes() / planned - 1) <= 0.1, `${mostBytes()} bytes instead of ${planned}`);
});
