// `npm run bench -- processors --model FILE [--rounds N] [--json]`: what a token takes with all processors, with one of them (`taskset -c 0`), and
// with a CPU quota of so many processors (a cgroup v1 or v2 of our own, where that can be made; Linux, as root). Each way is a process of its own, in turns.
// Exits 1 where a token with one of two takes over 2.2 times what it takes with both.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { openEngine } from '../../cli/engine.ts';

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
    /** Measures in this very process. */
    here: { type: 'boolean', default: false },
  },
});

/** Milliseconds that a token takes, by who asks. */
interface Taken {
  readonly threads: number;
  readonly answer: number;
  readonly probe: number;
  /** The number of threads that the engine has now, in the speed test. */
  readonly speed: number;
}

const medianOf = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;

const grammar = 'root ::= [a-z ]{400}';
const text = (words: string) => ({ layer: 'turn', item: null, part: 'text', text: words }) as const;
const prompt: Prompt = { messages: [{ role: 'user', segments: [text('Tell a long story.')] }], tools: [] };

async function measured(): Promise<Taken> {
  const { client, info } = await openEngine(values.model, 2048, 1);
  const sampling = { temperature: 1, seed: 1 };
  const say = { slot: 0, prompt, maxTokens: 32, toolCalls: 'none', reuse: 'none', sampling, grammar } as const;
  const each = ({
    generateMilliseconds,
    generated,
  }: {
    generateMilliseconds: number;
    generated: { ids: ArrayLike<number> };
  }) => generateMilliseconds / Math.max(1, generated.ids.length);
  // The first one looks at the machine.
  await client.request('generate', { ...say, maxTokens: 8 });
  const answer = each(await client.request('generate', say));
  const probe = each(await client.request('attempt', { prompt, maxTokens: 24, toolCalls: 'none' }));
  const { rows, threads } = await client.request('speed', {});
  const speed = 1000 / (rows.find((row) => row.threads === threads)?.generation ?? Number.NaN);
  await client.dispose();
  return { threads: info.threads, answer, probe, speed };
}

const quotaFolder = '/sys/fs/cgroup/cpu/tidemark-bench';
const unified = '/sys/fs/cgroup/tidemark-bench';

/** A group of its own for so many processors' time. Null where none can be made. */
function quotaGroup(share: number): string | null {
  try {
    const v1 = existsSync('/sys/fs/cgroup/cpu/cpu.cfs_period_us');
    const folder = v1 ? quotaFolder : unified;
    mkdirSync(folder, { recursive: true });
    if (v1) writeFileSync(`${folder}/cpu.cfs_quota_us`, `${share * 100_000}`);
    else writeFileSync(`${folder}/cpu.max`, `${share * 100_000} 100000`);
    return folder;
  } catch {
    return null;
  }
}

const all = cpus().length;
const shares = [...new Set([1, all - 0.5])].filter((share) => share < all);
const ways: readonly { readonly name: string; readonly before: () => readonly string[] | null }[] = [
  { name: `all ${all} processors`, before: () => [] },
  { name: 'taskset -c 0', before: () => ['taskset', '-c', '0'] },
  ...shares.map((share) => ({
    name: `a quota of ${share}`,
    before: () => {
      const folder = quotaGroup(share);
      return folder === null ? null : ['bash', '-c', `echo $$ > ${folder}/cgroup.procs && exec "$@"`, 'in-group'];
    },
  })),
];

function run(before: readonly string[]): Taken {
  const own = [...process.execArgv, import.meta.filename, '--here', '--model', values.model];
  const [program = '', ...rest] = [...before, process.execPath, ...own];
  return JSON.parse(execFileSync(program, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
}

function table(): boolean {
  const taken = new Map<string, Taken[]>();
  for (let round = 0; round < Number(values.rounds); round++)
    for (const { name, before } of ways) {
      const command = before();
      if (command !== null) taken.set(name, [...(taken.get(name) ?? []), run(command)]);
    }
  for (const folder of [quotaFolder, unified]) if (existsSync(folder)) rmdirSync(folder);
  const rows = [...taken].map(([name, some]) => {
    const median = (key: keyof Taken) => medianOf(some.map((one) => one[key]));
    return {
      name,
      threads: median('threads'),
      answer: median('answer'),
      probe: median('probe'),
      speed: median('speed'),
    };
  });
  const whole = rows[0]?.answer ?? Number.NaN;
  if (values.json) process.stdout.write(`${JSON.stringify(rows)}\n`);
  else {
    process.stdout.write(
      '| may use | threads | a token of an answer, ms | times | of a test, ms | of the speed test, ms |\n|---|---|---|---|---|---|\n',
    );
    for (const { name, threads, answer, probe, speed } of rows)
      process.stdout.write(
        `| ${[name, threads, answer.toFixed(1), (answer / whole).toFixed(2), probe.toFixed(1), speed.toFixed(1)].join(' | ')} |\n`,
      );
  }
  return rows.every(({ answer }) => answer <= 2.2 * whole);
}

if (values.here) process.stdout.write(JSON.stringify(await measured()));
else process.exitCode = table() ? 0 : 1;
