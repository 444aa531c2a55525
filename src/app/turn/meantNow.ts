// Names in a message that stand for something which changes under the user's hands: looked at when it is written, not when its turn comes.

import type { Attachment } from '../../core/turn/turnPorts.ts';
import { changingKinds } from '../ports/mention.ts';
import type { Mentions } from '../ports/project.ts';
import type { DraftChoice } from './finding.ts';
import { mentionsIn } from './mentions.ts';

export type Resolve = Mentions['resolve'];

/** A message as it was written. */
export interface MeantMessage {
  readonly text: string;
  readonly resolve: Resolve;
  readonly choice: DraftChoice;
  /** Set for a message of the program's own. */
  readonly draw?: Draw;
}

/** One of several answers that are drawn to the same prompt. */
export interface Draw {
  /** Texts beside the message, in place of all that goes with one of the user's. */
  readonly beside: readonly Attachment[];
  /** Stands behind the message. */
  readonly note: string;
  /** GBNF for the whole answer. */
  readonly grammar: string;
  readonly maxTokens: number;
  readonly temperature: number;
  readonly seed: number;
}

/** Files, folders and symbols are read when the message is sent: the newest text of a file is what is asked about. */
export function meantNow(text: string, mentions: Mentions, choice: DraftChoice): MeantMessage {
  // The words of a prompt, which its name stands for, may mean any of them.
  const kinds = text.startsWith('/') ? changingKinds : changingKinds.filter((one) => named(text, one));
  const { signal } = new AbortController();
  const seen = new Map<string, ReturnType<Resolve>>(
    kinds.map((kind) => [kind, mentions.resolve({ kind, word: `@${kind}`, name: '', lines: null }, signal)]),
  );
  return { text, choice, resolve: (mention, stop) => seen.get(mention.kind) ?? mentions.resolve(mention, stop) };
}

function named(text: string, kind: string): boolean {
  return mentionsIn(text).some((one) => one.kind === kind);
}
