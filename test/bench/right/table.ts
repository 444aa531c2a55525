// The answers in a table: right ones by way and kind, and what they cost.
import { type Kind, kinds } from '../find/questions.ts';
import { type Way, ways } from './ways.ts';

export interface Answer {
  readonly id: string;
  readonly kind: Kind;
  readonly way: Way;
  readonly answer: string;
  readonly right: boolean;
  /** Of the last prompt. */
  readonly tokens: number;
  /** Prefill and generation, by the engine's own clock. */
  readonly seconds: number;
  /** Tool calls that were understood and answered. */
  readonly calls: number;
}

/** Null where the way was not tried. */
export function shareOf(answers: readonly Answer[], way: Way): number | null {
  const some = answers.filter((one) => one.way === way);
  return some.length === 0 ? null : some.filter(({ right }) => right).length / some.length;
}

export function table(answers: readonly Answer[]): string {
  const head = ['given', ...kinds, 'all', 'median tokens', 'median seconds', 'calls', 'empty'];
  const rows = ways.flatMap((way) => {
    const some = answers.filter((one) => one.way === way);
    if (some.length === 0) return [];
    const cells = kinds.map((kind) => rightOf(some.filter((one) => one.kind === kind)));
    const tokens = median(some.map((one) => one.tokens));
    const seconds = median(some.map((one) => one.seconds)).toFixed(1);
    const calls = some.reduce((sum, one) => sum + one.calls, 0);
    const empty = some.filter(({ answer }) => answer === '').length;
    return [[way, ...cells, rightOf(some), tokens, seconds, calls, empty]];
  });
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`);
  return lines.join('');
}

function rightOf(some: readonly Answer[]): string {
  return `${some.filter(({ right }) => right).length} of ${some.length}`;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, two) => one - two)[numbers.length >> 1] ?? 0;
}
