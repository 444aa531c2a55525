// `npm run bench -- threads --model FILE [--rounds N] [--json]`: reading and writing with the number of threads that is found while
// they work, against each fixed number, in turns in one run: on a quiet machine, with one core busy, and with one busy half of
// the time. Exits 1 where the found number stays more than 5 % (quiet) or 15 % (busy) behind the best fixed one.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { type OpenEngine, openEngine } from '../../cli/engine.ts';

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
if (values.model === '') {
  process.stderr.write('usage: npm run bench -- threads --model FILE [--rounds N] [--json]\n');
  process.exit(2);
}

/** Tokens that are read, about, and written each time. */
const [readWords, written] = [200, 48];
const rounds = Number(values.rounds);
const cores = cpus().length;
const numbers = [...new Set([1, Math.ceil(cores / 2), Math.max(1, cores - 1), cores])].toSorted((a, b) => a - b);

interface Way {
  readonly name: string;
  readonly engine: OpenEngine;
}

interface Row {
  readonly load: string;
  readonly way: string;
  /** Tokens per second, of all rounds together. */
  readonly reading: number;
  readonly writing: number;
}

/** A process that keeps a core busy for so many of each thousand milliseconds. */
function busy(milliseconds: number): ChildProcess {
  const work = `for (;;) { const end = Date.now() + ${milliseconds}; while (Date.now() < end);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${1000 - milliseconds}); }`;
  return spawn(process.execPath, ['-e', work], { stdio: 'ignore' });
}

let asked = 0;
/** Never the same words, so that nothing of it is in the slot. */
function prompt(): Prompt {
  asked += 1;
  const text = Array.from({ length: readWords }, (_, i) => `w${(asked * 7919 + i * 31) % 997}`).join(' ');
  const segment = { layer: 'turn', item: null, part: 'text', text: `${asked} ${text}\nTell a long story.` } as const;
  return { messages: [{ role: 'user', segments: [segment] }], tools: [] };
}

const grammar = 'root ::= [a-z ]{400}';

async function measure({ engine: { client } }: Way) {
  const sampling = { temperature: 1, seed: asked + 1 };
  const request = {
    slot: 0,
    prompt: prompt(),
    maxTokens: written,
    toolCalls: 'none',
    reuse: 'none',
    sampling,
  } as const;
  const { prefill, generated, generateMilliseconds, firstTokenMilliseconds } = await client.request('generate', {
    ...request,
    grammar,
  });
  return {
    read: prefill.decoded,
    readTime: firstTokenMilliseconds,
    wrote: generated.ids.length,
    writeTime: generateMilliseconds,
  };
}

async function underLoad(load: string, processes: number, milliseconds: number, ways: readonly Way[]): Promise<Row[]> {
  const others = Array.from({ length: processes }, () => busy(milliseconds));
  try {
    const all = ways.map(() => ({ read: 0, readTime: 0, wrote: 0, writeTime: 0 }));
    // An uncounted round lets each way look for its number on the machine as it is now.
    for (const way of ways) await measure(way);
    for (let round = 0; round < rounds; round++)
      for (const [at, way] of ways.entries()) {
        const one = await measure(way);
        const sum = all[at];
        if (sum === undefined) continue;
        for (const key of ['read', 'readTime', 'wrote', 'writeTime'] as const) sum[key] += one[key];
      }
    return ways.map(({ name }, at) => {
      const { read = 0, readTime = 1, wrote = 0, writeTime = 1 } = all[at] ?? {};
      return { load, way: name, reading: (read * 1000) / readTime, writing: (wrote * 1000) / writeTime };
    });
  } finally {
    for (const one of others) one.kill();
  }
}

const ways: Way[] = [];
for (const threads of [...numbers, null])
  ways.push({
    name: threads === null ? 'found' : `${threads}`,
    engine: await openEngine(values.model, 4096, 1, threads),
  });
const rows = [
  ...(await underLoad('quiet', 0, 0, ways)),
  ...(await underLoad('one core busy', 1, 1000, ways)),
  ...(await underLoad('busy half of the time', 1, 500, ways)),
];
for (const { engine } of ways) await engine.client.dispose();

const best = (load: string, key: 'reading' | 'writing') =>
  Math.max(...rows.filter((row) => row.load === load && row.way !== 'found').map((row) => row[key]));
const missed = rows.filter(({ load, way, reading, writing }) => {
  const mark = load === 'quiet' ? 0.95 : 0.85;
  return way === 'found' && (reading < mark * best(load, 'reading') || writing < mark * best(load, 'writing'));
});
if (values.json) process.stdout.write(`${JSON.stringify({ cores, rounds, rows })}\n`);
else {
  process.stdout.write(
    '| machine | threads | read, tokens/s | of the best fixed | written, tokens/s | of the best fixed |\n',
  );
  process.stdout.write('|---|---|---|---|---|---|\n');
  for (const { load, way, reading, writing } of rows) {
    const share = (value: number, of: number) => `${Math.round((100 * value) / of)} %`;
    const cells = [load, way, reading.toFixed(1), share(reading, best(load, 'reading')), writing.toFixed(1)];
    process.stdout.write(`| ${[...cells, share(writing, best(load, 'writing'))].join(' | ')} |\n`);
  }
}
process.exit(missed.length === 0 ? 0 : 1);
