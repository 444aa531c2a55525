// The result of one kind of attack.

export interface AttackOutcome {
  readonly words: string;
  /** Sentences about each try that must not end as it did. */
  readonly bad: readonly string[];
}
