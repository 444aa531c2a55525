// A vocabulary, as far as templates and tokenising need one: what an engine must offer, wherever it runs.

/** What a token is beside text. None of them: ordinary text. */
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
  /** Of a byte-pair vocabulary, each token as its file has it, with GPT-2's stand-ins for bytes; null for others. */
  readonly pieces: readonly string[] | null;
  /** As the file has it; null without one. */
  readonly chatTemplate: string | null;
}
