// `npm run bench -- quote --model FILE [--rounds N]`: how much faster answers come that quote the prompt, because what they quote is
// guessed, and what guessing costs where nothing is quoted. With and without in turns; greedy, so that both write the same.
// Exits 1 below 1.3 times for functions repeated with one change, or below 0.98 for free prose.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEngine } from '../../../src/cli/engine.ts';
import type { Generation } from '../../../src/core/model.ts';
import type { Prompt } from '../../../src/core/prompt.ts';
import { projectRoot } from '../../harness/program.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== 'quote'),
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
  ['src/core/cache.ts', 'headroomFor', 'the parameter cache is called reuse'],
  ['src/core/speed.ts', 'advice', 'the name `change` becomes `first`'],
  ['src/core/pace.ts', 'paced', 'it returns null where nothing was measured'],
  ['src/core/callTools.ts', 'callKey', 'the entries are sorted in the other direction'],
  ['src/core/graph.ts', 'graphNamed', 'it throws for a name that no graph has'],
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
const kinds = { 'a function, with one change': repeated, 'free prose': prose } as const;
const marks: Readonly<Record<string, number>> = { 'a function, with one change': 1.3, 'free prose': 0.98 };

const { client } = await openEngine(values.model, 2048, 1);
const maxTokens = 200;

function promptOf(words: string): Prompt {
  const segment = (layer: 'system' | 'turn', text: string) => ({ layer, item: null, part: 'text', text }) as const;
  const messages = [
    { role: 'system', segments: [segment('system', 'You are a coding assistant.')] },
    { role: 'user', segments: [segment('turn', words)] },
  ] as const;
  return { messages, tools: [] };
}

const sampling = { temperature: 0, seed: 1 } as const;
const common = { slot: 0, maxTokens, toolCalls: 'none', reuse: 'exact', sampling } as const;

process.stdout.write(
  '| | with guessing, tokens/s | without | times | of its tokens guessed | the same text |\n|---|---|---|---|---|---|\n',
);
let missed = false;
for (const [kind, texts] of Object.entries(kinds)) {
  const sum = { with: 0, without: 0, tokens: 0, others: 0, quoted: 0, same: 0, asked: 0 };
  for (let round = 0; round < Number(values.rounds); round++)
    for (const text of texts) {
      const prompt = promptOf(text);
      const guessed: Generation = await client.request('generate', { ...common, prompt });
      const plain: Generation = await client.request('attempt', { prompt, toolCalls: 'none', maxTokens });
      sum.with += guessed.generateMilliseconds;
      sum.without += plain.generateMilliseconds;
      sum.tokens += guessed.generated.ids.length;
      sum.others += plain.generated.ids.length;
      sum.quoted += guessed.quoted ?? 0;
      sum.same += guessed.raw === plain.raw ? 1 : 0;
      sum.asked += 1;
    }
  const [fast, slow] = [(sum.tokens * 1000) / sum.with, (sum.others * 1000) / sum.without];
  missed ||= fast / slow < (marks[kind] ?? 0);
  const cells = [kind, fast.toFixed(1), slow.toFixed(1), (fast / slow).toFixed(2)];
  const share = `${Math.round((100 * sum.quoted) / sum.tokens)} %`;
  process.stdout.write(`| ${[...cells, share, `${sum.same} of ${sum.asked}`].join(' | ')} |\n`);
}
await client.dispose();
process.exit(missed ? 1 : 0);
