// What an agent changed in files, for the user to keep or take back.
import type { ItemId } from '../core/dialog/dialog.ts';
import type { HunkView } from './appliedView.ts';

export interface ReviewedFile {
  /** The file's URI. */
  readonly file: string;
  /** Its path, as the user knows it. */
  readonly name: string;
  readonly is: 'changed' | 'new' | 'deleted';
  /** Changes that wait for the user's word, or were taken back and can be made again. */
  readonly state: 'waits' | 'undone';
  readonly hunks: readonly HunkView[];
  /** Why it cannot be looked at; '' where it can. */
  readonly problem: string;
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
