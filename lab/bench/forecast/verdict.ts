// Judges forecasts: how many said the very tokens that were read, and how far the seconds were off.

export interface Row {
  /** The forecast, or null where none was shown. `most` includes what may still be found once the message is sent. */
  readonly said: {
    readonly tokens: number;
    readonly most: number;
    readonly milliseconds: number | null;
    readonly fits: 'enough' | 'crossing' | 'none';
  } | null;
  /** Tokens that the engine decoded for the first call. `milliseconds` says how long that took. */
  readonly read: number;
  readonly milliseconds: number;
  /** Tokens of all calls of the turn. */
  readonly whole: number;
}

const leastEqual = 0.95;
const mostOff = 0.25;

export function verdict(rows: readonly Row[]): { readonly words: string; readonly good: boolean } {
  const said = rows.flatMap((row) => (row.said === null ? [] : [{ ...row, said: row.said }]));
  const equal = said.filter((row) => row.said.tokens === row.read).length;
  const inRange = said.filter((row) => row.said.tokens <= row.read && row.read <= row.said.most).length;
  const crossings = said.filter((row) => row.said.fits !== 'enough').length;
  const off = said.flatMap(({ said: { milliseconds }, milliseconds: took }) =>
    milliseconds === null || took === 0 ? [] : [Math.abs(milliseconds - took) / took],
  );
  const sorted = off.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
  const words = [
    `${said.length} of ${rows.length} messages forecast, ${crossings} of them said that older turns go`,
    `tokens equal in ${equal} (${percent(equal / Math.max(1, said.length))}), in the range in ${inRange}`,
    `seconds off by ${percent(median)} in the median, ${percent(p95)} at p95`,
  ];
  const good = said.length > 0 && equal / said.length >= leastEqual && median <= mostOff;
  return { words: words.join('; '), good };
}
