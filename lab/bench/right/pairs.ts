// Two ways over the same questions: what one answers rightly and the other does not, with the sign test (Conover 1999, 3.4).

export interface Pairs {
  readonly won: number;
  readonly lost: number;
  /** Two-sided: how probable so uneven a split is among that many pairs that differ, if neither way were better. */
  readonly p: number;
}

export function pairsOf(pairs: readonly (readonly [one: boolean, other: boolean])[]): Pairs {
  const won = pairs.filter(([one, other]) => one && !other).length;
  const lost = pairs.filter(([one, other]) => other && !one).length;
  return { won, lost, p: signTest(won, lost) };
}

export function signTest(won: number, lost: number): number {
  const all = won + lost;
  let chosen = 1;
  let tail = 0;
  for (let at = 0; at <= Math.min(won, lost); at++) {
    tail += chosen / 2 ** all;
    chosen = (chosen * (all - at)) / (at + 1);
  }
  return Math.min(1, 2 * tail);
}
