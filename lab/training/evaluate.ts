// `npm run pocket:eval [-- --model FILE --seed N --samples N]`: the pocket model through llama.cpp and the product's own prompts,
// on worlds, names and phrasings it never saw. A turn counts when the whole of it is right. Exits 1 below the gate.
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { readGeneration } from '../../src/core/calls/read.ts';
import { hermes } from '../../src/core/calls/syntax.ts';
import type { Prompt } from '../../src/core/prompt/prompt.ts';
import { openEngine } from '../cli/engine.ts';
import { questionOf, type Task, tasks } from './ask.ts';
import { converse, openPlace } from './converse.ts';
import { askAll, type Score } from './endToEnd.ts';
import type { Topic } from './texts/oracle.ts';
import { pocketTemplate, type Saying } from './texts/record.ts';
import { createWorld } from './texts/world.ts';

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: new URL('../../test/fixtures/pocket.gguf', import.meta.url).pathname },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    samples: { type: 'string', default: '200' },
    failures: { type: 'boolean', default: false },
  },
});
const gate = { calls: 0.97, answers: 0.9 };
const maxTokens = 300;
const perWorld = 5;
const signal = new AbortController().signal;

interface Row {
  conversations: number;
  right: Record<Part, number>;
  asked: Record<Part, number>;
}
type Part = 'call' | 'answer';

const rows = new Map<Task, Row>(
  tasks.map((task) => [task, { conversations: 0, right: { call: 0, answer: 0 }, asked: { call: 0, answer: 0 } }]),
);
let endless = 0;

const { client } = await openEngine(values.model, 4096, 1);
const model = client.model(0, { temperature: 0, seed: 1 });
const template = pocketTemplate();
const print = (line: string) => process.stdout.write(`${line}\n`);

/** Lets the model speak where the oracle will, and compares. The conversation goes on with what is right. */
async function judge(row: Row, prompt: Prompt, { raw, task }: Saying): Promise<void> {
  const part: Part = task.endsWith('.call') ? 'call' : 'answer';
  const generation = await model.generate(
    { prompt, maxTokens, toolCalls: 'auto', reuse: 'exact' },
    () => undefined,
    signal,
  );
  if (generation.stop === 'length') endless += 1;
  row.asked[part] += 1;
  if (same(raw, generation.raw)) row.right[part] += 1;
  else if (values.failures)
    print(`${task}\n  wanted ${JSON.stringify(raw)}\n  said   ${JSON.stringify(generation.raw)}`);
}

function same(wanted: string, raw: string): boolean {
  const plain = (text: string) => {
    const { calls, text: words } = readGeneration(hermes, text, true);
    return { words: words.trim(), calls: calls.map((call) => ({ name: call.name, arguments: call.arguments })) };
  };
  return isDeepStrictEqual(plain(raw), plain(wanted));
}

async function sample(task: Task, wanted: number): Promise<void> {
  const row = rows.get(task) as Row;
  for (let seed = Number(values.seed) * 7919 + tasks.indexOf(task) * 1_000_003; row.conversations < wanted; seed++) {
    const place = await openPlace(createWorld(seed, 'unseen'));
    const question = (topic: Topic | null) => questionOf(task, place.world, 'unseen', topic);
    const turns = task === 'further' ? 2 : 1;
    const watch = (prompt: Prompt, saying: Saying) =>
      saying.task.startsWith(`${task}.`) ? judge(row, prompt, saying) : Promise.resolve();
    for (let i = 0; i < perWorld; i++, row.conversations++) await converse(place, template, { turns, question, watch });
    place.remove();
  }
}

const cell = (part: Part, { right, asked }: Row) => (asked[part] === 0 ? '' : `${right[part]} of ${asked[part]}`);
const sum = (part: Part): readonly [number, number] => {
  const all = [...rows.values()];
  return [all.reduce((n, row) => n + row.right[part], 0), all.reduce((n, row) => n + row.asked[part], 0)];
};
const share = ([right, asked]: readonly [number, number]) => `${((100 * right) / asked).toFixed(1)} %`;
const scored = (name: string, { right, asked, wrong }: Score) => {
  print(`${name}: ${right} of ${asked} name the right file and line`);
  for (const { ask, answer } of wrong) print(`  - ${ask} -> ${JSON.stringify(answer)}`);
};

for (const task of tasks) await sample(task, Number(values.samples));
await client.dispose();
print(`${values.model}, seed ${values.seed}, held-out words and phrasings\n`);
print('| task | conversations | calls exact | answers exact |\n|---|---|---|---|');
for (const [task, row] of rows)
  print(`| ${task} | ${row.conversations} | ${cell('call', row)} | ${cell('answer', row)} |`);
const [calls, answers] = [sum('call'), sum('answer')];
print(
  `| all | | ${share(calls)} | ${share(answers)} |\n\nanswers that do not end within ${maxTokens} tokens: ${endless}\n`,
);
scored('questions written before the training', askAll('before', values.model));
scored('questions written between its stages', askAll('between', values.model));
scored('questions written after it', askAll('after', values.model));
const passed = calls[0] >= gate.calls * calls[1] && answers[0] >= gate.answers * answers[1] && endless === 0;
print(`\ngate (calls ${gate.calls}, answers ${gate.answers}, none endless): ${passed ? 'passed' : 'MISSED'}`);
if (!passed) process.exitCode = 1;
