// `npm run soak -- slots [CANCELS KILLS SEED]`: random cancels in prefill, generation and idle work, then verified tokens; and
// kills of the engine, with the time until it answers again. Exits 1 at any difference.
import { median, SlotSoak } from './slots.ts';

const [cancels = '1000', kills = '200', seed = `${Date.now() % 1_000_000}`] = process.argv.slice(2);
console.log(`seed ${seed}: again with npm run soak -- slots ${cancels} ${kills} ${seed}`);
const soak = new SlotSoak(Number(seed));
await soak.begin();
for (let n = 0; n < Number(cancels); n++) await soak.cancel();
for (let n = 0; n < Number(kills); n++) await soak.kill();
await soak.dispose();
const { cancelled, mismatches, compared, recoveries } = soak;
const rows: readonly (readonly [string, string])[] = [
  ['cancelled in prefill, in generation, in idle work, too late', Object.values(cancelled).join(', ')],
  ['differences between slot and prompt', `${mismatches.length}`],
  ['answers compared with an emptied slot, of them different', `${compared.answers}, ${compared.different}`],
  ['kills', `${recoveries.length}`],
  [
    'from the kill to the first token, median, least and most',
    [median(recoveries), Math.min(...recoveries), Math.max(...recoveries)]
      .map((ms) => `${ms.toFixed(0)} ms`)
      .join(', '),
  ],
];
console.log(['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n'));
for (const words of mismatches.slice(0, 10)) console.log(words);
// Random weights have near ties, and other batches round otherwise; a stale slot would differ nearly every time.
process.exit(mismatches.length === 0 && compared.different * 10 <= compared.answers ? 0 : 1);
