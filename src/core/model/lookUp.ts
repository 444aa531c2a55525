// Guesses the next tokens where an answer quotes: what followed the last few tokens where they stood before. The model checks all
// guesses in one step, so a wrong one costs time and changes nothing (prompt look-up decoding, Saxena 2023). How many are
// guessed follows from what was measured: how often guesses are right, and what a step with so many takes.

/** The last tokens that are the same as before, and how sure the next one is then, until it is known. */
const matches = [
  { length: 16, sure: 0.95 },
  { length: 8, sure: 0.85 },
  { length: 5, sure: 0.7 },
  { length: 3, sure: 0.5 },
] as const;
const [{ length: longest }] = matches;
/** Tokens of a guess. */
const sizes = [0, 1, 2, 3, 5, 7, 11, 15] as const;
/** Cost of each extra token in a step, as a share of a step without guesses, until it is measured. */
const added = 0.2;
/** So much of what was seen before counts at the next look. */
const memory = 0.85;
/** After so many chances, guessing is tried again when it does not pay. */
const again = 48;

/** Milliseconds of a step, by the tokens that are guessed in it. */
export type StepCosts = Map<number, number>;

export class LookUp {
  private readonly ids: number[];
  /** Probability of the next token, for each kind of match. */
  private readonly sure: number[] = matches.map(({ sure }) => sure);
  private readonly costs: StepCosts;
  private match = 0;
  private chances = 0;

  /** `prompt`: what may be quoted. `costs` are kept from answer to answer. */
  constructor(prompt: readonly number[], costs: StepCosts = new Map()) {
    this.ids = [...prompt];
    this.costs = costs;
  }

  /** A token that stands now behind the others. */
  push(id: number): void {
    this.ids.push(id);
  }

  /** The tokens that may follow; none where nothing like it stood before, or where guessing does not pay. */
  guess(): readonly number[] {
    const { at, length } = this.before();
    this.match = matches.findIndex((one) => length >= one.length);
    if (this.match < 0) return [];
    this.chances += 1;
    const best = this.best();
    const size = best === 0 && this.chances % again === 0 ? 1 : best;
    return this.ids.slice(at, at + size);
  }

  /** Records how many guessed tokens were right, and how long the step took. */
  told(guessed: number, right: number, milliseconds: number): void {
    const { costs, sure, match } = this;
    const before = costs.get(guessed);
    costs.set(guessed, before === undefined ? milliseconds : mixed(before, milliseconds));
    // Each right one was a hit, and one miss ended them.
    for (let at = 0; at < Math.min(right + 1, guessed); at++) sure[match] = mixed(sure[match] ?? 0, at < right ? 1 : 0);
  }

  /** Behind the longest run of tokens that stood before as the last ones do, and its length; the last such place of several. */
  private before(): { readonly at: number; readonly length: number } {
    const { ids } = this;
    const end = ids.length;
    const last = ids[end - 1];
    let best = { at: end, length: 0 };
    for (let at = end - 1; at > 0 && best.length < longest; at--) {
      if (ids[at - 1] !== last) continue;
      let length = 1;
      while (length < longest && length < at && ids[at - 1 - length] === ids[end - 1 - length]) length += 1;
      if (length > best.length) best = { at, length };
    }
    return best;
  }

  /** The size with the most tokens for its time. */
  private best(): number {
    const sure = Math.min(0.98, this.sure[this.match] ?? 0);
    const worth = (size: number) => (1 - sure ** (size + 1)) / (1 - sure) / this.cost(size);
    return sizes.reduce<number>((a, b) => (worth(b) > worth(a) ? b : a), 0);
  }

  /** The measured cost of a step; for an unmeasured size that of the next smaller one, plus a share for each extra token. */
  private cost(size: number): number {
    const step = this.costs.get(0) ?? 1;
    const known = sizes.findLast((one) => one <= size && this.costs.has(one)) ?? 0;
    return (this.costs.get(known) ?? step) + step * added * (size - known);
  }
}

function mixed(before: number, now: number): number {
  return memory * before + (1 - memory) * now;
}
