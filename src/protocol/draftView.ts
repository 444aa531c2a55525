// The message that is being written, as the views show it: what it wants, what it will cost, what it names, and what would be found for it.
import type { Intent } from '../core/agent/intent.ts';

/** An intent as it is shown and corrected. */
export interface IntentView extends Intent {
  /** Commands of the project that may run in the place of the shown one. */
  readonly commands: readonly string[];
  /** False where the mode changes no file: a change is then shown in the answer. */
  readonly edits: boolean;
}

/** The expected cost of the message that is being written. */
export interface Forecast {
  /** Prompt tokens to decode for the first call. */
  readonly tokens: number;
  /** About what the calls behind it decode, by the turns before; 0 where there was none. */
  readonly later: number;
  /** The message's own part of `tokens`. */
  readonly own: number;
  /** About how long that takes; null before anything was measured. */
  readonly milliseconds: number | null;
  /** The message's own at most, where more may be found once it is sent; else as `own`. */
  readonly most: number;
  /** Whether there is space for it: as it is, once older turns were let go of, or not at all. */
  readonly fits: 'enough' | 'crossing' | 'none';
  /** False on a server whose tokens are estimated. */
  readonly exact: boolean;
}

/** Something that the message which is being written names with an @. */
export interface MentionView {
  /** The mention as it stands in the message. */
  readonly word: string;
  /** The title of the attached text; '' when nothing is attached. */
  readonly title: string;
  /** Tokens that the mention adds to the prompt. */
  readonly tokens: number;
  readonly exact: boolean;
  /** Why it cannot be had; '' where it can. */
  readonly problem: string;
  /** Whether its middle is left out, because all of it would be too large. */
  readonly cut: boolean;
}

/** A passage that the message which is being written would bring. */
export interface FoundView {
  /** `path:from-to`; of a folder `path/`. */
  readonly place: string;
  readonly path: string;
  /** From 1; 0 of a folder. */
  readonly line: number;
  readonly why: string;
  readonly tokens: number;
  readonly exact: boolean;
  readonly pinned: boolean;
}

/** How far the index of the folder is. */
export interface IndexView {
  /** Files whose words are in it, and those still to be read. */
  readonly files: number;
  readonly left: number;
  readonly passages: number;
  /** Bytes on disk. */
  readonly bytes: number;
  /** Passages that have a vector; null without an embedding model. */
  readonly vectors: number | null;
}

/** The parts of the open editor that a message can use. */
export interface OpenEditor {
  /** The mention that stands for it: `@selection`, or the file. */
  readonly word: string;
  /** For instance `report.ts:23-27`. */
  readonly label: string;
  /** The path, and the lines where some are selected. */
  readonly title: string;
  readonly selected: boolean;
  /** The same until the user selects there anew: a change of the file that moves the selection makes none. */
  readonly place: string;
  /** How often the user asked about a place from the editor, where this is the last one; 0 where it is another. */
  readonly chosen: number;
}
