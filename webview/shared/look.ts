// How a session looked, as data.

/** The row at the top edge of what scrolls, and how many pixels above the edge it begins. */
export interface Top {
  readonly row: string;
  readonly above: number;
}

export interface SessionLook {
  readonly session: string;
  /** Whether the user opened or closed a row, by the row's key; the latest change is last. */
  readonly opened: Readonly<Record<string, boolean>>;
  /** The row at the top edge; `null` at the end of the conversation. */
  readonly top: Top | null;
}
