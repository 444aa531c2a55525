// A break of the slot's prefix, as data.
import type { ItemId } from '../dialog/dialog.ts';
import type { BreakCause } from '../kv/kvBreak.ts';
import type { Layer } from '../prompt/prompt.ts';

export interface Break {
  readonly cause: BreakCause;
  /** The prompt's segment that stands there now. */
  readonly layer: Layer;
  readonly item: ItemId | null;
  readonly token: number;
  /** Tokens that the slot had and that were decoded again all the same, and about how long that took. */
  readonly again: number;
  readonly milliseconds: number;
  readonly words: string;
}
