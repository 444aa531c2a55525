// The counter port: how many tokens texts take, exactly where the model's own tokenizer can say, else as a marked estimate.

export interface Counts {
  /** Tokens of each text as content, in the order given. */
  readonly tokens: readonly number[];
  /** False when a stand-in tokenizer counted at least one of them. */
  readonly exact: boolean;
}

/** Never rejects: where the exact counter cannot answer, an estimate stands in. */
export interface TokenCounter {
  count(texts: readonly string[]): Promise<Counts>;
}
