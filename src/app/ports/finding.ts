// The port to finding: what a message is about, and the passages that it brings.
import type { Signal } from '../../core/dialog/tool.ts';
import type { Found, LeftOut } from '../../core/prompt/found.ts';

/** What a message is about besides its own words. */
export interface FindQuery {
  readonly text: string;
  /** Only passages below this folder; '' for all. */
  readonly folder: string;
  /** Paths of files that the turn before was about. */
  readonly last: readonly string[];
  /** Only the files that the text names, where it names some: the place of a change. */
  readonly onlyNamed: boolean;
  /** Lines above and below each passage that are shown with it. */
  readonly around: number;
  /** Waits for the question's vector, where an embedding model is there. A draft does not. */
  readonly meaning: boolean;
}

/** Finds passages of the workspace. Never rejects. */
export interface Finding {
  /** Whether there is an embedding model, so that a message finds more than its draft shows. */
  readonly embeds: boolean;
  find(query: FindQuery, signal: Signal): Promise<Found>;
  /** Files that the index has nothing of, with the reason. */
  leftOut(): Promise<LeftOut>;
}
