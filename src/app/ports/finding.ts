// The port to finding: what a message is about, and the passages that it brings.

import type { Failing, Named } from '../../core/agent/intent.ts';
import type { FileLines } from '../../core/dialog/filesNamed.ts';
import type { Signal } from '../../core/dialog/tool.ts';
import type { Found, LeftOut } from '../../core/prompt/found.ts';

/** A question to the index: the words of a message, and what it is about besides them. */
export interface FindQuery {
  readonly text: string;
  /** Only passages below this folder; '' for all. */
  readonly folder: string;
  /** Paths of files that the turn before was about. */
  readonly last: readonly string[];
  /** Lines above and below each passage that are shown with it. */
  readonly around: number;
  /** Set for a message of the user's: lines that the user put beside it, lines that stand in the prompt, and whether it changes the files that it names. */
  readonly message?: {
    readonly pointed: readonly FileLines[];
    readonly standing: readonly FileLines[];
    readonly edits: boolean;
    /** Files that the message is about, whatever its words name. */
    readonly files: readonly string[];
    /** Files that the output beside it is about, which count where its words name none. */
    readonly failing?: readonly string[];
  };
  /** Waits for the question's vector, where an embedding model is there. A draft does not. */
  readonly meaning: boolean;
}

/** Finds passages of the workspace. Never rejects. */
export interface Finding {
  /** Whether there is an embedding model, so that a message finds more than its draft shows. */
  readonly embeds: boolean;
  find(query: FindQuery, signal: Signal): Promise<Found>;
  /** Things of the folder that the words of a message name. */
  named(text: string): Promise<Named>;
  failing(output: string): Promise<Failing>;
  /** Files that the index has nothing of, with the reason. */
  leftOut(): Promise<LeftOut>;
}
