// A vocabulary, as far as templates and tokenising need one: what an engine must offer, wherever it runs.

/** The kinds that a token can have beside text. A token with none of them is ordinary text. */
export interface TokenKind {
  /** Acts: the template's own marks. */
  readonly control: boolean;
  /** A string of its own; llama.cpp matches it in any text, whatever it is asked. */
  readonly userDefined: boolean;
  readonly unknown: boolean;
  /** Spells nothing. */
  readonly unused: boolean;
}

/** Token ids are whole numbers from 0. */
export interface Vocabulary {
  /** Ids of a plain text. Some vocabularies begin each text with a blank of their own: `further` texts go on from one before. */
  tokenise(text: string, further: boolean): readonly number[];
  /** The text of ids, special strings included. `before`: ids in front of them, which some vocabularies look at for blanks. */
  detokenise(ids: readonly number[], before?: readonly number[]): string;
  ids(): Iterable<number>;
  kind(id: number): TokenKind;
  /** Whether a generation ends with it. */
  isEnd(id: number): boolean;
  /** The tokens of a byte-pair vocabulary as its file has them, with GPT-2's stand-ins for bytes; null for other vocabularies. */
  readonly pieces: readonly string[] | null;
  /** The chat template as the file has it; null without one. */
  readonly chatTemplate: string | null;
}
