// Changes of files by an agent, or by code blocks that the user applied, for the user to keep or undo.
import type { ItemId } from '../core/dialog/dialog.ts';

export interface ReviewedFile {
  /** The file's URI. */
  readonly file: string;
  /** Its path, as the user knows it. */
  readonly name: string;
  readonly is: 'changed' | 'new' | 'deleted';
  /** Changes that wait for the user's word, or were taken back and can be made again. */
  readonly state: 'waits' | 'undone';
  /** The editor has nothing unsaved of it. */
  readonly saved: boolean;
  /** The code blocks that were applied to it and wait, by `blockKey`. */
  readonly blocks: readonly string[];
  readonly hunks: readonly HunkView[];
  /** Why it cannot be looked at; '' where it can. */
  readonly problem: string;
}

/** A run of lines that differ from what was there before. */
export interface HunkView {
  /** Names it among those of its file, as long as its lines are the same. */
  readonly key: string;
  /** The first line in the editor, from 1. */
  readonly line: number;
  readonly added: number;
  readonly removed: number;
  /** Who wrote it last. */
  readonly author: 'agent' | 'block';
}

/** A message whose turn changed files. */
export interface ChangingMessage {
  readonly item: ItemId;
  /** All that it changed was taken back. */
  readonly undone: boolean;
}

export interface ReviewView {
  readonly files: readonly ReviewedFile[];
  readonly messages: readonly ChangingMessage[];
}

export const nothingToReview: ReviewView = { files: [], messages: [] };

export type ReviewRequest =
  /** The user's decision about changes that wait in a file. The key names a single change or a code block; '' is all of them. */
  | { readonly type: 'keepChange' | 'undoChange'; readonly file: string; readonly key: string }
  /** Shows a file beside what it was; or makes changes again that were taken back. */
  | { readonly type: 'compareChange' | 'redoChange'; readonly file: string }
  /** About all that the conversation changed. */
  | { readonly type: 'keepChanges' | 'undoChanges' | 'openChanges' }
  /** Undoes or redoes the changes of a message's turn and of those after it. */
  | { readonly type: 'undoTurn' | 'redoTurn'; readonly item: ItemId };

/** A code block of an answer. */
export interface BlockOfAnswer {
  readonly code: string;
  readonly language: string;
  /** The name of the file, as the answer gives it. */
  readonly path: string | null;
  /** Id of the message that the answer is to; '' outside of an answer. */
  readonly message: ItemId;
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
