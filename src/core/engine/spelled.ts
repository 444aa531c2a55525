// The text of a prompt as the model gets it, run by run.

/** A run of a prompt's text. */
export interface SpelledPiece {
  /** Its number in `segmentsOf(prompt)`; null for what the chat template writes. */
  readonly segment: number | null;
  readonly tokens: number;
  readonly text: string;
}
