// `--compare`: the same trace at another window or policy, call by call side by side.
import { defaultPolicy, type Policy } from '../../src/core/prompt/budget.ts';
import type { ReplayRow } from './replayTrace.ts';

/** The window and policy of the other side, where they differ. */
export interface Other {
  /** Tokens; null for the same window. */
  readonly window: number | null;
  readonly policy: Partial<Policy>;
}

/** Reads `window=8192,pruneAt=0`. Returns words where it cannot. */
export function readOther(text: string): Other | string {
  let window: number | null = null;
  const policy: Record<string, number> = {};
  for (const pair of text.split(',')) {
    const [key = '', value = ''] = pair.split('=').map((part) => part.trim());
    const number = Number(value);
    if (value === '' || !Number.isFinite(number) || number < 0) return `--compare: "${pair}" is not NAME=NUMBER`;
    if (key === 'window') window = number;
    else if (typeof defaultPolicy[key as keyof Policy] === 'number') policy[key] = number;
    else return `--compare: "${key}" is not window or one of ${numbers.join(', ')}`;
  }
  if (window !== null && (!Number.isInteger(window) || window < 512)) {
    return '--compare: window must be a whole number from 512';
  }
  return { window, policy };
}

const numbers = Object.entries(defaultPolicy).flatMap(([key, value]) => (typeof value === 'number' ? [key] : []));

export interface Pair {
  readonly one: ReplayRow | null;
  readonly other: ReplayRow | null;
}

/** Calls of both sides by turn and call; one side may have failed before the other. */
export function sideBySide(one: readonly ReplayRow[], other: readonly ReplayRow[]): readonly Pair[] {
  const key = ({ turn, call }: ReplayRow) => `${turn}.${call}`;
  const others = new Map(other.map((row) => [key(row), row]));
  const pairs: Pair[] = one.map((row) => ({ one: row, other: others.get(key(row)) ?? null }));
  const known = new Set(one.map(key));
  return [...pairs, ...other.filter((row) => !known.has(key(row))).map((row) => ({ one: null, other: row }))];
}

export function pairWords({ one, other }: Pair): string {
  const { turn = 0, call = 0 } = one ?? other ?? {};
  const side = (row: ReplayRow | null) => {
    if (row === null) return '(not reached)'.padEnd(44);
    const { promptTokens, high, decoded, decisions } = row;
    const lost = `${decisions.stubbed} pruned, ${decisions.trimmed} trimmed`;
    return `${promptTokens} of ${high}, ${decoded} decoded, ${lost}`.padEnd(44);
  };
  return `turn ${`${turn}.${call}:`.padEnd(8)} ${side(one)} | ${side(other)}`.trimEnd();
}

export function totalWords(one: readonly ReplayRow[], other: readonly ReplayRow[]): string {
  const side = (rows: readonly ReplayRow[]) => {
    const sum = (value: (row: ReplayRow) => number) => rows.reduce((all, row) => all + value(row), 0);
    const fresh = sum(({ newTokens }) => newTokens);
    const decoded = sum((row) => row.decoded);
    const ratio = fresh === 0 ? '' : ` = ${(decoded / fresh).toFixed(2)} x the ${fresh} new ones`;
    return `${decoded} decoded${ratio}, ${rows.at(-1)?.decisions.trimmed ?? 0} items trimmed`;
  };
  return `one:   ${side(one)}\nother: ${side(other)}`;
}
