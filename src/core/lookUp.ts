// Guesses the next tokens where an answer quotes: what followed the last few tokens where they stood before. The model checks all
// guesses in one step, so that a wrong one costs little and changes nothing (prompt look-up decoding, Saxena 2023).

/** Tokens that must be the same before a guess is made, from the boldest to the most careful. */
const patterns = [3, 5, 8] as const;
/** Tokens of a guess, at least and at most. */
const shortest = 3;
const longest = 16;
/** Of the tokens guessed, so many must be right for guessing to pay. */
const paying = 0.3;
/** So much of what was seen before counts at the next guess. */
const memory = 0.7;

export class LookUp {
  private readonly ids: number[];
  /** Where each pattern stood last: the index behind it. */
  private readonly seen = patterns.map(() => new Map<string, number>());
  private size = 6;
  /** Share of guessed tokens that were right, of late. */
  private right: number = paying * 2;
  private care = 0;

  /** `prompt`: what may be quoted. */
  constructor(prompt: readonly number[]) {
    this.ids = [];
    for (const id of prompt) this.push(id);
  }

  /** A token that stands now behind the others. */
  push(id: number): void {
    const { ids } = this;
    for (const [at, length] of patterns.entries())
      if (ids.length >= length) this.seen[at]?.set(this.last(length), ids.length);
    ids.push(id);
  }

  /** The tokens that may follow; none where nothing like it stood before. */
  guess(): readonly number[] {
    const length = patterns[this.care];
    if (length === undefined || this.ids.length < length) return [];
    const at = this.seen[this.care]?.get(this.last(length));
    return at === undefined ? [] : this.ids.slice(at, at + this.size);
  }

  /** What became of a guess. */
  told(guessed: number, right: number): void {
    if (guessed === 0) return;
    this.right = memory * this.right + (1 - memory) * (right / guessed);
    this.size = right === guessed ? Math.min(longest, this.size * 2) : Math.max(shortest, right + 1);
    if (this.right >= paying) return;
    // Only what is more surely a quotation, and at last nothing in this answer.
    this.care += 1;
    this.right = paying * 2;
  }

  private last(length: number): string {
    return this.ids.slice(-length).join(' ');
  }
}
