// `npm run bench -- all [--model FILE.gguf]`: the figures that tell whether Tidemark keeps what it promises, in one table: each of the benches
// below, one after the other, then what is packaged, what rests in memory, and what the tests take. With a model, also what only one can show.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { forkEngine } from '../../../src/engine/fork.ts';
import { minutesFile, projectRoot } from '../../../test/harness/program.ts';
import { figuresIn } from './figure.ts';

const { values } = parseArgs({ options: { model: { type: 'string', default: '' } } });
const { model } = values;
const plain = [[], ['exact'], ['edits'], ['find'], ['hostile']];
const asking = [
  ['right', '--model', model, '--half', 'seen'],
  ['forecast', '--model', model],
  ['one-line', model],
];

interface Row {
  readonly bench: string;
  readonly name: string;
  readonly value: string;
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const rows: Row[] = [];
for (const args of model === '' ? plain : [...plain, ...asking]) rows.push(...told(args));
rows.push(...packaged(), await resting(), ...tested());
print('| bench | figure | |\n|---|---|---|');
for (const { bench, name, value } of rows) print(`| ${bench} | ${name} | ${value} |`);

/** A bench that misses its mark says so as a figure. */
function told(args: readonly string[]): readonly Row[] {
  const bench = args[0] ?? 'cache';
  process.stderr.write(`${bench} ...\n`);
  const { stdout, status } = spawnSync(process.execPath, [join(import.meta.dirname, '..', 'named.ts'), ...args], {
    cwd: projectRoot,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) process.exitCode = 1;
  const figures = figuresIn(stdout).map(([name, value]) => ({ bench, name, value }));
  return status === 0 ? figures : [...figures, { bench, name: 'marks', value: `missed, exit code ${status}` }];
}

function packaged(): readonly Row[] {
  const files = globSync('*.vsix', { cwd: projectRoot });
  if (files.length === 0) return [{ bench: 'package', name: 'size', value: 'not packaged: `npm run package`' }];
  return files.map((name) => {
    const megabytes = statSync(join(projectRoot, name)).size / 1e6;
    return { bench: 'package', name, value: `${megabytes.toFixed(2)} MB` };
  });
}

/** The engine's process before a model is loaded, and at rest for a second. */
async function resting(): Promise<Row> {
  const bench = 'memory';
  const name = 'the engine without a model';
  const engine = forkEngine(join(projectRoot, 'src', 'engine', 'worker', 'main.ts'));
  try {
    await wait(3000);
    const file = `/proc/${engine.pid}/smaps_rollup`;
    if (!existsSync(file)) return { bench, name, value: 'only told on Linux' };
    const kilobytes = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1]);
    return { bench, name, value: `${Math.round(kilobytes / 1024)} MiB` };
  } finally {
    engine.kill();
  }
}

function tested(): readonly Row[] {
  const bench = 'tests';
  if (!existsSync(minutesFile)) return [{ bench, name: 'minutes', value: 'not run here: `npm test`' }];
  const { at, minutes, failed } = JSON.parse(readFileSync(minutesFile, 'utf8'));
  const value = `${minutes} min on ${at}${failed > 0 ? `, ${failed} steps failed` : ''}`;
  return [{ bench, name: '`npm test`', value }];
}
