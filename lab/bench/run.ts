// `npm run bench [-- --json]`: tokens decoded per new token for three traces, two windows and ten policies, by the library's
// meter; with `--size half` or `--time` the times to the first token and of generation against raw llama.cpp.
// Exits 1 when a count misses its mark. Times are only printed.
import { parseArgs } from 'node:util';
import { reasonOf } from '../../src/core/faults/faults.ts';
import { benchModel, type Size } from '../../test/models/scenes/half.ts';
import { tellFigure } from './all/figure.ts';
import { countAll } from './counts.ts';
import { kinds } from './kinds.ts';
import { machine } from './machine.ts';
import { marksOf } from './marks.ts';
import { tables } from './tables/tables.ts';
import { timeTable } from './tables/timeTable.ts';
import { timeAll } from './timing.ts';

const usage =
  'usage: npm run bench [-- --json] [--size small|half] [--time] [--counts] [--trace NAME] [--window N] [--turns N] [--jobs N]';
const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

function readArguments() {
  try {
    return parseArgs({
      options: {
        json: flag,
        size: { ...text, default: 'small' },
        /** Times also of the small model. */
        time: flag,
        /** Counts also of the half model, which takes hours and says the same. */
        counts: flag,
        trace: { ...text, multiple: true },
        window: { ...text, multiple: true },
        turns: { ...text, default: '50' },
        /** Traces played at the same time. Counts do not depend on it. */
        jobs: { ...text, default: '2' },
      },
    }).values;
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n${usage}\n`);
    process.exit(2);
  }
}

const values = readArguments();
const size: Size = values.size === 'half' ? 'half' : 'small';
const chosen = kinds.filter((kind) => values.trace?.includes(kind) ?? true);
const windows = (values.window ?? ['8192', '4096']).map(Number);
if (chosen.length === 0 || ![...windows, Number(values.turns), Number(values.jobs)].every((n) => n >= 1)) {
  process.stderr.write(`traces: ${kinds.join(', ')}\n${usage}\n`);
  process.exit(2);
}
const print = (line: string) => process.stdout.write(`${line}\n`);

const model = benchModel(size);
const counted = size === 'small' || values.counts;
const timed = size === 'half' || values.time;
const cases = chosen.flatMap((kind) => windows.map((window) => ({ kind, window, turns: Number(values.turns) })));
const results = counted ? await countAll(model, cases, Number(values.jobs)) : [];
const marks = marksOf(results);
const times = timed ? await timeAll(model) : null;
const where = await machine(model, size);

if (values.json) print(JSON.stringify({ ...where, turns: Number(values.turns), results, marks, times }, null, 1));
else {
  print(`${where.cpu}, ${where.cores} cores, ${where.device}; ${where.model}; node-llama-cpp ${where.library}\n`);
  if (counted) print(tables(results));
  for (const { trace, window, policy, decoded, per } of results)
    if (policy.startsWith('ours auto'))
      tellFigure(`decoded per new token, ${trace}, ${window}, ${policy}`, (decoded / per).toFixed(3));
  for (const { words, met } of marks) print(`- ${met ? 'met' : 'MISSED'}: ${words}`);
  if (times !== null) print(timeTable(times));
  if (!counted) print('\nCounts do not depend on the size of the model: `npm run bench` without --size has them.');
}
if (marks.some(({ met }) => !met)) process.exitCode = 1;
