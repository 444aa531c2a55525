// Notices that a model goes round in circles: the same run of tokens again and again, up to the last one. The idea is that of a
// repeated n-gram, with n as long as the run. The numbers are measured: of 871 source files of twelve packages and of this
// project, with up to 60,000 characters each, none stands out but two that hold a program as base64.

/** The longest run that is looked for, in tokens: a paragraph. */
const longest = 256;
/** A run is a circle when it comes again so many times at least, and when these have so many tokens. */
const circles: readonly (readonly [times: number, tokens: number])[] = [
  [16, 256],
  [8, 400],
  [3, 600],
];
/** A sentence or paragraph is a circle sooner. It has so many tokens, so many of them different: a row of zeros has few. */
const sentence = { times: 2, tokens: 120, run: 24, different: 12 } as const;

export class Repetition {
  private readonly ids: number[] = [];
  /** Number of last tokens equal to those one run earlier, by the length of a run. */
  private readonly same = new Int32Array(longest + 1);

  /** How many tokens to keep, the last of them once, where the token closes a circle; null where it does not. */
  push(id: number): number | null {
    const { ids, same } = this;
    const at = ids.push(id) - 1;
    for (let run = 1; run <= longest && run <= at; run++) {
      const again = ids[at - run] === id ? (same[run] ?? 0) + 1 : 0;
      same[run] = again;
      if (circles.some(([times, tokens]) => again >= times * run && again >= tokens)) return ids.length - again;
      if (again >= sentence.tokens && this.isSentence(run, again)) return ids.length - this.whole(run);
    }
    return null;
  }

  /** Tokens that came again, counted from the end of the shortest run in this one. */
  private whole(run: number): number {
    const { same } = this;
    return same.slice(1, run + 1).reduce((most, again, at) => (run % (at + 1) === 0 ? Math.max(most, again) : most), 0);
  }

  private isSentence(run: number, again: number): boolean {
    if (run < sentence.run || again < sentence.times * run) return false;
    return new Set(this.ids.slice(-run)).size >= sentence.different;
  }
}
