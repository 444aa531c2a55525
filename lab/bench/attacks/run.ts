// `npm run bench -- attacks [--databases N] [--templates N] [--hangs N]`: damaged databases, hostile chat templates, engines that hang, against
// the real store, engine process and chat. Says for each kind how many ended in words, how long, and how late the host's event loop was.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { attackDatabases } from './databases.ts';
import { attackByHanging } from './hangs.ts';
import type { AttackOutcome } from './outcome.ts';
import { attackTemplates } from './templates.ts';

const number = (initial: string) => ({ type: 'string', default: initial }) as const;
const { values } = parseArgs({
  options: { databases: number('200'), templates: number('100'), hangs: number('40'), seed: number('1') },
});
const seed = Number(values.seed);

async function judged(name: string, work: () => Promise<AttackOutcome>): Promise<void> {
  const lag = monitorEventLoopDelay({ resolution: 5 });
  lag.enable();
  const { words, bad } = await work();
  lag.disable();
  const late = `event loop late by ${(lag.percentile(99) / 1e6).toFixed(0)} ms (p99), ${(lag.max / 1e6).toFixed(0)} ms at most`;
  process.stdout.write(`${name}: ${words}; ${late}\n${bad.map((one) => `  BAD: ${one}\n`).join('')}`);
  if (bad.length > 0) process.exitCode = 1;
}

await judged('databases', () => attackDatabases(Number(values.databases), seed));
await judged('templates', () => attackTemplates(Number(values.templates)));
await judged('hangs', () => attackByHanging(Number(values.hangs), seed));
process.exit();
