// When to ask for text at the caret: by how fast this user types, and by whether what was shown was of use lately.

/** Milliseconds. */
const leastDelay = 75;
const mostDelay = 400;
/** A gap between two keys that is longer says nothing about how fast the user types. */
const longestInterval = 1000;
/** Without a key for so long, the user has paused. */
const pause = 5000;
/** The weight of the latest interval in the mean. */
const weight = 0.2;
/** Times of the user's own interval after which a key counts as the last one for now. */
const intervals = 1.5;
/** Shown texts in a row of which none was kept, after which nothing is asked until the next pause. */
const mostUnkept = 3;

export class TypingHabits {
  private last = Number.NEGATIVE_INFINITY;
  private interval = 200;
  private unkept = 0;

  /** `now` in milliseconds. */
  key(now: number): void {
    const since = now - this.last;
    if (since > pause) this.unkept = 0;
    if (since <= longestInterval) this.interval += weight * (since - this.interval);
    this.last = now;
  }

  /** Milliseconds to wait behind a key. */
  get delay(): number {
    return Math.round(Math.min(mostDelay, Math.max(leastDelay, intervals * this.interval)));
  }

  /** Counts what became of a shown text. */
  ended(isKept: boolean): void {
    this.unkept = isKept ? 0 : this.unkept + 1;
  }

  /** Whether too many were not kept, and the user has typed on since. */
  isDisturbing(now: number): boolean {
    return this.unkept >= mostUnkept && now - this.last <= pause;
  }
}
