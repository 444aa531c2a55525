// `npm run bench -- secrets [--half seen|unseen|all]`: fresh secrets that are left out, refused or asked about, and what is met by mistake.
// Exits 1 where a mark is missed.
import { parseArgs } from 'node:util';
import { folderOf, packages } from '../find/packages.ts';
import { questionsOf } from '../find/questions.ts';
import type { Half } from './fresh.ts';
import { type Missed, measureFolder, measureFresh, measureOrdinary } from './measure.ts';

/** Shares. */
const marks = { found: 0.97, passages: 0.002, refused: 0.01, asked: 0.03 };

const { values } = parseArgs({
  options: {
    half: { type: 'string', default: 'all' },
    packages: { type: 'string' },
    seed: { type: 'string', default: '7' },
  },
});
const half: Half = values.half === 'seen' || values.half === 'unseen' ? values.half : 'all';
const seed = Number(values.seed);
const print = (line: string) => process.stdout.write(`${line}\n`);
const percent = (part: number, of: number) => `${((100 * part) / (of || 1)).toFixed(2)} %`;
let isMissed = false;
const mark = (isKept: boolean) => {
  isMissed ||= !isKept;
  return isKept ? '' : '  MISSED';
};

const fresh: readonly (readonly [string, Missed])[] = [
  [`${half} half`, await measureFresh(['files', 'notes'], half, seed)],
  ['written later', await measureFresh(['later', 'last'], 'all', seed)],
];
for (const [name, { of, missed }] of fresh) {
  const found = of - missed.length;
  print(`${name}: ${found} of ${of} fresh secrets (${percent(found, of)})${mark(found >= marks.found * of)}`);
  for (const one of missed) print(`  not found: ${one}`);
}

const ordinary = await measureOrdinary(50, seed);
const { refused, asked } = ordinary;
print(
  `${ordinary.of} ordinary lines: ${refused.length} refused, ${asked.length} asked about${mark(refused.length <= marks.refused * ordinary.of && asked.length <= marks.asked * ordinary.of)}`,
);
for (const one of [...refused, ...asked]) print(`  ${one}`);

let [passages, lines, milliseconds] = [0, 0, 0];
const [met, gold]: [string[], string[]] = [[], []];
for (const one of packages) {
  const own = questionsOf('all').filter(({ of: of_ }) => of_ === one);
  const found = await measureFolder(folderOf(one, values.packages), own);
  passages += found.passages;
  lines += found.lines;
  milliseconds += found.milliseconds;
  met.push(...found.met.map((place) => `${one.name} ${place}`));
  gold.push(...found.gold);
}
print(
  `${passages} passages: ${met.length} with a line left out (${percent(met.length, passages)})${mark(met.length <= marks.passages * passages)}`,
);
for (const one of met) print(`  ${one}`);
print(`gold lines left out: ${gold.length}${mark(gold.length === 0)}`);
print(
  `${lines} lines in ${Math.round(milliseconds)} ms: ${((milliseconds / (passages || 1)) * 1000).toFixed(0)} µs a passage`,
);
process.exitCode = isMissed ? 1 : 0;
