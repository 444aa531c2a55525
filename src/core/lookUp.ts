// Guesses the next tokens where an answer quotes: what followed the last few tokens where they stood before. The model checks all
// guesses in one step, so a wrong one costs time and changes nothing (prompt look-up decoding, Saxena 2023). How many are
// guessed follows from what was measured: how often guesses are right, and what a step with so many takes.

/** Tokens that are the same as before, and how sure the next one is then, until it is known. */
const patterns = [
  { length: 8, sure: 0.85 },
  { length: 5, sure: 0.7 },
  { length: 3, sure: 0.5 },
] as const;
/** Tokens of a guess. More than one does not help: the library (3.21.1) takes the first of a step and drops the others unseen. */
const sizes = [0, 1] as const;
/** What a token more adds to a step, as a share of a step without guesses, until it is known. */
const added = 0.12;
/** So much of what was seen before counts at the next look. */
const memory = 0.85;
/** Where guessing does not pay, it is tried again after so many chances. */
const again = 48;

export class LookUp {
  private readonly ids: number[] = [];
  /** Where each pattern stood last: the index behind it. */
  private readonly seen = patterns.map(() => new Map<string, number>());
  /** By pattern, how sure its next token is. */
  private readonly sure: number[] = patterns.map(({ sure }) => sure);
  /** Milliseconds of a step, by the size of its guess; undefined before there was one. */
  private readonly costs: Map<number, number>;
  private pattern = 0;
  private size = 0;
  private chances = 0;

  /** `prompt`: what may be quoted. `costs` are kept from answer to answer. */
  constructor(prompt: readonly number[], costs = new Map<number, number>()) {
    this.costs = costs;
    for (const id of prompt) this.push(id);
  }

  /** A token that stands now behind the others. */
  push(id: number): void {
    const { ids } = this;
    for (const [at, { length }] of patterns.entries())
      if (ids.length >= length) this.seen[at]?.set(this.last(length), ids.length);
    ids.push(id);
  }

  /** The tokens that may follow; none where nothing like it stood before, or where guessing does not pay. */
  guess(): readonly number[] {
    const { ids, seen } = this;
    this.size = 0;
    this.pattern = patterns.findIndex(({ length }, at) => ids.length >= length && seen[at]?.has(this.last(length)));
    const length = patterns[this.pattern]?.length;
    if (length === undefined) return [];
    const at = seen[this.pattern]?.get(this.last(length)) ?? ids.length;
    this.chances += 1;
    this.size = this.chances % again === 0 ? 1 : this.best();
    return ids.slice(at, at + this.size);
  }

  /** What became of a guess, and how long the step took. */
  told(guessed: number, right: number, milliseconds: number): void {
    const before = this.costs.get(this.size);
    if (guessed === this.size)
      this.costs.set(this.size, before === undefined ? milliseconds : mixed(before, milliseconds));
    const { sure, pattern } = this;
    const former = sure[pattern];
    if (guessed === 0 || former === undefined) return;
    // Each right one was a hit, and one miss ended them.
    for (let at = 0; at < Math.min(right + 1, guessed); at++)
      sure[pattern] = mixed(sure[pattern] ?? former, at < right ? 1 : 0);
  }

  /** The size with the most tokens for its time. */
  private best(): number {
    const sure = Math.min(0.98, this.sure[this.pattern] ?? 0);
    const worth = (size: number) => (1 - sure ** (size + 1)) / (1 - sure) / this.cost(size);
    return sizes.reduce<number>((a, b) => (worth(b) > worth(a) ? b : a), 0);
  }

  private cost(size: number): number {
    const one = this.costs.get(0) ?? 1;
    return this.costs.get(size) ?? one * (1 + added * size);
  }

  private last(length: number): string {
    return this.ids.slice(-length).join(' ');
  }
}

function mixed(before: number, now: number): number {
  return memory * before + (1 - memory) * now;
}
