// What a kind of attack came to.

export interface AttackOutcome {
  readonly words: string;
  /** What must not be. */
  readonly bad: readonly string[];
}
