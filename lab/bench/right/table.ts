// The answers in a table: right ones by way and kind, and what they cost.
import { type Kind, kinds } from '../find/questions.ts';
import type { Verdict } from './judge.ts';
import { pairsOf } from './pairs.ts';
import { type Way, ways } from './ways.ts';

export interface Answer {
  readonly id: string;
  readonly kind: Kind;
  readonly way: Way;
  readonly answer: string;
  readonly verdict: Verdict;
  readonly isSure: boolean;
  /** All lines of one alternative of the gold stood before the question. */
  readonly hasGold: boolean;
  /** Tokens that all calls of the turn decoded. */
  readonly decoded: number;
  /** Prefill and generation, by the engine's own clock. */
  readonly seconds: number;
  /** Tool calls that were understood and answered. */
  readonly calls: number;
}

const isRight = ({ verdict }: Answer) => verdict === 'right';

/** Returns the share of right answers that a way got, or null where it was not tried. */
export function shareOf(answers: readonly Answer[], way: Way): number | null {
  const some = answers.filter((one) => one.way === way);
  return some.length === 0 ? null : some.filter(isRight).length / some.length;
}

export function rightByKind(answers: readonly Answer[], way: Way): string {
  const some = answers.filter((one) => one.way === way);
  const each = kinds.map((kind) => `${kind} ${rightOf(some.filter((one) => one.kind === kind))}`);
  return `${rightOf(some)} (${each.join(', ')})`;
}

export function table(answers: readonly Answer[]): string {
  const head = ['given', ...kinds, 'all', 'quoted only', 'wrong and sure', 'gold lines', 'decoded', 'seconds', 'calls'];
  const rows = ways.flatMap((way) => {
    const some = answers.filter((one) => one.way === way);
    if (some.length === 0) return [];
    const counted = (which: (one: Answer) => boolean) => some.filter(which).length;
    const cells = kinds.map((kind) => rightOf(some.filter((one) => one.kind === kind)));
    const quoted = counted(({ verdict }) => verdict === 'quoted only');
    const sure = counted((one) => one.verdict === 'wrong' && one.isSure);
    const decoded = median(some.map((one) => one.decoded));
    const seconds = median(some.map((one) => one.seconds)).toFixed(1);
    const calls = some.reduce((sum, one) => sum + one.calls, 0);
    const gold = counted(({ hasGold }) => hasGold);
    return [[way, ...cells, rightOf(some), quoted, sure, gold, decoded, seconds, calls]];
  });
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`);
  return lines.join('') + versus(answers);
}

/** Ours and the former rule, question by question; empty where one of them was not asked. */
function versus(answers: readonly Answer[]): string {
  const former = new Map(answers.filter(({ way }) => way === 'former').map((one) => [one.id, one]));
  const both = answers.flatMap((one) => {
    const other = former.get(one.id);
    return one.way === 'ours' && other !== undefined ? [[one, other] as const] : [];
  });
  if (both.length === 0) return '';
  const { won, lost, p } = pairsOf(both.map(([one, other]) => [isRight(one), isRight(other)] as const));
  const words = `Against the former rule: ${won} won, ${lost} lost, p ${p.toFixed(3)} (sign test)`;
  const [decoded, seconds] = (['decoded', 'seconds'] as const).map((key) =>
    percent(median(both.map(([one]) => one[key])), median(both.map(([, other]) => other[key]))),
  );
  return `\n${words}; tokens decoded ${decoded}, seconds ${seconds} of its medians.\n`;
}

function percent(one: number, other: number): string {
  return `${Math.round((100 * one) / other)} %`;
}

function rightOf(some: readonly Answer[]): string {
  return `${some.filter(isRight).length} of ${some.length}`;
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, two) => one - two)[numbers.length >> 1] ?? 0;
}
