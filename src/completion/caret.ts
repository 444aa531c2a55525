// A caret in a file, and what of the text around it a rule looks at.

/** A file as it is open or on disk, with line feeds alone. */
export interface OpenText {
  readonly path: string;
  /** The editor's name for its language. */
  readonly language: string;
  readonly lines: readonly string[];
}

/** Both from 0; the column in UTF-16 units. */
export interface Caret {
  readonly line: number;
  readonly column: number;
}

export interface AtCaret {
  /** The caret's line in front of it, and behind it. */
  readonly before: string;
  readonly behind: string;
}

export function atCaret({ lines }: OpenText, { line, column }: Caret): AtCaret {
  const text = lines[line] ?? '';
  return { before: text.slice(0, column), behind: text.slice(column) };
}

export function leadingBlanks(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

export const indentWidth = (line: string): number => leadingBlanks(line).length;

export const isBlank = (line: string) => line.trim() === '';

/** Whether more than a line may be shown: the line is empty, or opens a block and nothing stands behind the caret. */
export function takesBlock({ before, behind }: AtCaret): boolean {
  return isBlank(behind) && (isBlank(before) || opensBlock(before));
}

export function opensBlock(line: string): boolean {
  return /(?:[{([]|=>|:|\b(?:do|then|begin))\s*$/.test(line);
}
