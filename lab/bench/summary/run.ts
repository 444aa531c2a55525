// `npm run bench -- summary [--half seen|unseen] [--model FILE [--count N]]`: what a compaction keeps of what the user said. Without a model by the
// rules alone, after forty turns in windows of 8,192 and 4,096; with one what it chooses, against the newest first, and what it answers.
import { parseArgs } from 'node:util';
import { tellFigure } from '../all/figure.ts';
import { keptIn } from './rules.ts';
import type { Half } from './sentences.ts';

const { values } = parseArgs({
  options: {
    half: { type: 'string', default: 'seen' },
    model: { type: 'string', default: '' },
    count: { type: 'string', default: '20' },
  },
});
if (values.half !== 'seen' && values.half !== 'unseen') {
  process.stderr.write('usage: npm run bench -- summary [--half seen|unseen] [--model FILE [--count N]]\n');
  process.exit(2);
}
const half: Half = values.half;
const print = (line: string) => process.stdout.write(`${line}\n`);
if (values.model !== '')
  await import('./chosen.ts').then(({ compare }) => compare(values.model, half, Number(values.count), print));
else await rules();

async function rules(): Promise<void> {
  let met = true;
  for (const window of [8192, 4096]) {
    const kept = await keptIn(window, half);
    const share = (of: typeof kept, is: (one: (typeof kept)[number]) => boolean) =>
      `${of.filter(is).length} of ${of.length}`;
    const of = (kind: string) => kept.filter((one) => one.kind === kind);
    const obligations = of('obligations');
    const english = obligations.filter(({ language }) => language === 'en');
    print(`\nwindow of ${window}, ${half} half | stand word for word | bind\n--- | --- | ---`);
    for (const [name, list] of [
      ['obligations', obligations],
      ['of these in English', english],
      ['harmless sentences', of('harmless')],
      ['questions and reports', of('asked')],
    ] as const)
      print(`${name} | ${share(list, ({ stands }) => stands)} | ${share(list, ({ binds }) => binds)}`);
    if (window !== 8192) continue;
    const count = (list: typeof kept, is: (one: (typeof kept)[number]) => boolean) => list.filter(is).length;
    met =
      count(obligations, ({ stands }) => stands) >= 0.95 * obligations.length &&
      count(obligations, ({ binds }) => binds) >= 0.6 * obligations.length &&
      count(english, ({ binds }) => binds) >= 0.8 * english.length &&
      count(of('harmless'), ({ binds }) => binds) <= 1 &&
      count(of('asked'), ({ binds }) => binds) === 0;
    tellFigure(
      `obligations that stand and bind after 40 turns in 8k, ${half} half`,
      `${share(obligations, ({ stands }) => stands)}, ${share(obligations, ({ binds }) => binds)}`,
    );
  }
  process.exitCode = met ? 0 : 1;
}
