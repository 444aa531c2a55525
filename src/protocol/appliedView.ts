// Code of answers that stands in an editor and waits for the user's word: kept, or taken back.

/** A file with changes that are neither kept nor undone. */
export interface AppliedView {
  /** The file's URI. */
  readonly file: string;
  /** Its path, as the user knows it. */
  readonly name: string;
  /** The blocks that were applied to it, by `blockKey`. */
  readonly blocks: readonly string[];
  readonly hunks: readonly HunkView[];
}

/** A run of lines that differ from what was there before. */
export interface HunkView {
  /** Names it among those of its file, as long as its lines are the same. */
  readonly key: string;
  /** The first line in the editor, from 1. */
  readonly line: number;
  readonly added: number;
  readonly removed: number;
}

/** Tells one code block of an answer from another: FNV-1a over the file it names and its text, 32 bits in hexadecimal. */
export function blockKey(path: string | null, code: string): string {
  let hash = 0x811c9dc5;
  for (const unit of `${path ?? ''}\n${code}`) {
    hash ^= unit.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193) >>> 0;
  }
  return hash.toString(16);
}
