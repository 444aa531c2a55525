// `npm run bench -- quote --model FILE [--rounds N]`: how much faster answers come that quote the prompt, because what they quote is
// guessed, and what guessing costs where nothing is quoted. With and without in turns, on two slots; greedy but for free prose. Then what came
// with guesses is read again one token a step: where one token is surely the likeliest, it must be the one that was written.
// Exits 1 below 1.3 times for functions repeated with one change, below 0.98 for free prose, or at another token.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Token } from 'node-llama-cpp';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { generate } from '../../../src/engine/worker/draw/generate.ts';
import type { GenerationJob } from '../../../src/engine/worker/draw/job.ts';
import { loadEngine } from '../../../src/engine/worker/load/loadModel.ts';
import type { Slot } from '../../../src/engine/worker/slot/slot.ts';
import { asTokens } from '../../../src/engine/worker/slot/vocabulary.ts';
import { projectRoot } from '../../../test/harness/program.ts';

const { values } = parseArgs({
  options: { model: { type: 'string', default: '' }, rounds: { type: 'string', default: '2' } },
});
if (values.model === '') {
  process.stderr.write('usage: npm run bench -- quote --model FILE [--rounds N]\n');
  process.exit(2);
}

const functionIn = (path: string, name: string) => {
  const text = readFileSync(join(projectRoot, path), 'utf8');
  const from = text.indexOf(`function ${name}`);
  return text.slice(from, text.indexOf('\n}\n', from) + 2);
};
const repeated = [
  ['src/core/turn/cache.ts', 'headroomFor', 'the parameter cache is called reuse'],
  ['src/core/model/speed.ts', 'advice', 'the name `change` becomes `first`'],
  ['src/core/kv/pace.ts', 'paced', 'it returns null where nothing was measured'],
  ['src/core/turn/callTools.ts', 'callKey', 'the entries are sorted in the other direction'],
  ['src/core/agent/graph.ts', 'graphNamed', 'it throws for a name that no graph has'],
].map(
  ([path = '', name = '', change = '']) => `${functionIn(path, name)}\n\nWrite this function again, so that ${change}.`,
);
const prose = [
  'Explain in plain words what a database index is.',
  'Tell the story of a lighthouse keeper in the winter.',
  'What should one think of before moving to another city?',
  'Describe how bread is made, from the field to the table.',
  'Why do the tides come later each day?',
];
/** Greedy, a small model goes round in circles in prose, which is quoting; so what guessing costs is seen where tokens are drawn. */
const kinds = [
  { kind: 'a function, with one change', texts: repeated, temperature: 0, mark: 1.3 },
  { kind: 'prose, the likeliest token', texts: prose, temperature: 0, mark: 0 },
  { kind: 'free prose, temperature 0.8', texts: prose, temperature: 0.8, mark: 0.98 },
] as const;
const maxTokens = 200;
/** A top token that is ahead by less may change with the rounding of other batches (`bench:exact`). */
const margin = 0.05;

const params = { modelPath: values.model, contextSize: 2048, gpu: 'auto', gpuLayers: null, threads: null } as const;
const engine = await loadEngine(
  { ...params, slots: 2, verify: false },
  { planned: () => undefined, progress: () => undefined, template: async () => undefined },
);
const [guessing, plain] = engine.slots;
if (guessing === undefined || plain === undefined) throw new Error('two slots are needed');

function promptOf(words: string): Prompt {
  const segment = (layer: 'system' | 'turn', text: string) => ({ layer, item: null, part: 'text', text }) as const;
  const messages = [
    { role: 'system', segments: [segment('system', 'You are a coding assistant.')] },
    { role: 'user', segments: [segment('turn', words)] },
  ] as const;
  return { messages, tools: [] };
}

function write(slot: Slot, prompt: Prompt, temperature: number, guesses: boolean) {
  const sampling = { temperature, seed: null } as const;
  const job: GenerationJob = {
    loaded: engine.loaded,
    slot,
    params: { slot: 0, prompt, maxTokens, toolCalls: 'none', reuse: 'exact', sampling },
    prompt: engine.tokeniser.prompt(prompt),
    forced: null,
    guesses,
    onText: () => undefined,
    onProgress: () => undefined,
    signal: new AbortController().signal,
  };
  return generate(job);
}

/** Counts the tokens behind the prompt where one token is surely the likeliest (`sure`), and those of them where another one stands (`other`). */
async function checked(prompt: Prompt, ids: readonly Token[]) {
  const { sequence } = plain as Slot;
  const { tokens } = engine.tokeniser.prompt(prompt);
  await sequence.clearHistory();
  await sequence.evaluateWithoutGeneratingNewTokens(asTokens(tokens.slice(0, -1)));
  let [last, sure, other] = [tokens.at(-1) as Token, 0, 0];
  for (const id of ids) {
    const [row] = await sequence.controlledEvaluate([[last, { generateNext: { probabilities: true } }]]);
    const [[top, first] = [id, 0], [, second] = [id, 0]] = [...(row?.next.probabilities ?? new Map<Token, number>())];
    if (first - second > margin) {
      sure += 1;
      if (top !== id) other += 1;
    }
    last = id;
  }
  await sequence.clearHistory();
  return { sure, other };
}

process.stdout.write(
  '| | with guessing, tokens/s | without | times | of its tokens guessed | the same text | sure places | other tokens there |\n',
);
process.stdout.write('|---|---|---|---|---|---|---|---|\n');
let missed = false;
for (const { kind, texts, temperature, mark } of kinds) {
  const sum = { with: 0, without: 0, tokens: 0, others: 0, quoted: 0, same: 0, asked: 0, sure: 0, other: 0 };
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [at, text] of texts.entries()) {
      const prompt = promptOf(text);
      const first = at % 2 === 0 ? await write(guessing, prompt, temperature, true) : null;
      const slow = await write(plain, prompt, temperature, false);
      const fast = first ?? (await write(guessing, prompt, temperature, true));
      sum.with += fast.generateMilliseconds;
      sum.without += slow.generateMilliseconds;
      sum.tokens += fast.generated.ids.length;
      sum.others += slow.generated.ids.length;
      sum.quoted += fast.quoted ?? 0;
      sum.same += fast.raw === slow.raw ? 1 : 0;
      sum.asked += 1;
      if (round > 0 || temperature > 0) continue;
      const { sure, other } = await checked(prompt, fast.generated.ids as readonly Token[]);
      sum.sure += sure;
      sum.other += other;
    }
  const [fast, slow] = [(sum.tokens * 1000) / sum.with, (sum.others * 1000) / sum.without];
  missed ||= fast / slow < mark || sum.other > 0;
  const cells = [kind, fast.toFixed(1), slow.toFixed(1), (fast / slow).toFixed(2)];
  const share = `${Math.round((100 * sum.quoted) / sum.tokens)} %`;
  const same = `${sum.same} of ${sum.asked}`;
  process.stdout.write(`| ${[...cells, share, same, sum.sure, sum.other].join(' | ')} |\n`);
}
await engine.loaded.llama.dispose();
process.exit(missed ? 1 : 0);
