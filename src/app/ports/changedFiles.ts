// The port to what the agents of conversations changed in files.
import type { ItemId } from '../../core/dialog/dialog.ts';
import type { Disposable } from '../../core/emitter.ts';
import type { ReviewView } from '../../protocol/reviewView.ts';

export interface ChangedFiles {
  /** Calls back when something was changed, kept or taken back. */
  subscribe(listener: () => void): Disposable;
  /** Never rejects. */
  view(session: string): Promise<ReviewView>;
  /** Returns what the user did with changes since the model was last told, as one line; '' for nothing. */
  news(session: string): string;
  /** The model is told. */
  told(session: string): void;
  /**
   * Before messages are asked anew: offers to take back what they changed. False where the user would rather not ask at all, or where not all
   * of it was taken back, which is said. Never rejects.
   */
  offerUndo(session: string, messages: readonly ItemId[]): Promise<boolean>;
  /** Takes back what messages changed, without a question. Gives the files that could not be, with the reason. */
  undo(session: string, messages: readonly ItemId[]): Promise<readonly string[]>;
  /** Reports as Markdown which files the conversation changed, and how much space the snapshots of all conversations take. */
  report(session: string): string;
}
