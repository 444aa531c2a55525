// The text that is shown at a caret, until it is clear what became of it: the editor tells only that all of it was accepted, the rest is seen in what the
// document becomes.

export interface PendingText {
  readonly id: number;
  /** The document, by its address. */
  readonly document: string;
  /** UTF-16 units in front of the caret, and of the whole document when the text was shown, with line feeds alone. */
  readonly offset: number;
  readonly length: number;
  readonly text: string;
  /** A part of it was there at some time. */
  readonly isBegun: boolean;
}

/** The text still waits; all of it stands there; a part; or none. */
export type PendingState = 'open' | 'accepted' | 'typed' | 'dismissed';

/** `now`: the document's text, with line feeds alone. `isOver`: the caret left, or another text is shown. */
export function stateOf({ offset, length, text, isBegun }: PendingText, now: string, isOver: boolean): PendingState {
  const typed = now.slice(offset, offset + Math.max(0, now.length - length));
  const there = commonLength(typed, text);
  if (there === text.length) return 'accepted';
  if (there === typed.length && now.length >= length && !isOver) return 'open';
  return there === 0 && !isBegun ? 'dismissed' : 'typed';
}

/** UTF-16 units that two texts begin with. */
export function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
