// The workspace bundle: text about the workspace that stands in the prompt's head without being asked for, capped.

export interface BundlePart {
  /** The file as the user would name it, `map` or `overview`. */
  readonly name: string;
  /** The injected text: a heading line and the content, cut at its cap. */
  readonly text: string;
  /** Tokens of the whole file and of `text`. */
  readonly raw: number;
  readonly injected: number;
}

export interface Bundle {
  readonly parts: readonly BundlePart[];
  /** The same for the same texts: tells a stale bundle from a fresh one. */
  readonly key: string;
  /** The same for the same files, whatever room a model leaves them. */
  readonly files?: string;
  /** False when the tokens are estimates. */
  readonly exact: boolean;
}

/** A file of the map of a folder, with the names that it declares: the most used first. */
export interface MappedFile {
  readonly path: string;
  readonly names: readonly string[];
}

export const emptyBundle: Bundle = { parts: [], key: '', exact: true };
