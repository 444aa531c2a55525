// Blocks in which a comment or dots stand where lines were left out, and blocks whose comments stand there on purpose: the half that may
// be looked at while the reading of such blocks is built.
import cases from './gaps.json' with { type: 'json' };

export interface GapCase {
  readonly id: string;
  readonly path: string;
  /** Text before the change. */
  readonly file: string;
  /** The model's code: a whole file or a whole declaration. */
  readonly block: string;
  /** Text with the left-out lines in their places, or null where only asking or refusing is right. */
  readonly expected: string | null;
}

export interface ReplacementCase extends GapCase {
  readonly expected: string;
  /** Lines of the file go in a comment's place, so asking is allowed. Otherwise the change must land. */
  readonly mayAsk: boolean;
}

export const gapCases: readonly GapCase[] = cases.gaps;
export const replacementCases: readonly ReplacementCase[] = cases.replacements;
