// Answers as small models write them, for real files, with what must come of each: the half that may be looked at while the reading of
// answers is built.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import cases from './answers.json' with { type: 'json' };

export interface AnswerCase {
  readonly id: string;
  readonly kind: string;
  /** Files of the folder when the answer comes; several paths may hold the same stored file. */
  readonly files: readonly { readonly path: string; readonly stored: string }[];
  readonly request: string;
  /** Paths of the files whose text stands in the prompt. */
  readonly sent: readonly string[];
  /** The model's whole text, thoughts included. */
  readonly answer: string;
  /** Present where the answer was cut off by its length; every other answer ends by itself. */
  readonly end?: string;
  /** Exact text of each changed file afterwards, null for a deleted one. All other files stay, and no more files are made. */
  readonly expected: string | readonly { readonly path: string; readonly text: string | null }[];
  readonly why: string;
}

/** Expected where the answer must change nothing unasked. */
export const refuseOrAsk = 'refuse-or-ask';

/** Bytes of a stored file: three of them are no UTF-8. */
export const storedBytes = (stored: string): Buffer => readFileSync(join(import.meta.dirname, 'files', stored));

export const answerCases: readonly AnswerCase[] = cases;
