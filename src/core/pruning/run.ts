// A run: a stretch of the path that is out of the prompt.
import type { ItemId } from '../dialog/dialog.ts';

/** Path indices `from` to `to`, exclusive, that are out of the prompt: whole turns, but for an emergency. */
export interface PrunedRun {
  readonly from: number;
  readonly to: number;
  /** Id of the last item, to notice that the path is another branch. */
  readonly last: ItemId;
  /** Tokens the items had before any of them was let go. */
  readonly tokens: number;
  readonly by: string;
}
