// How a session looked, as data.

/** The row at the top edge of what scrolls, and how many pixels above the edge it begins. */
export interface Top {
  readonly row: string;
  readonly above: number;
}

export interface SessionLook {
  readonly session: string;
  /** By the key of a row, the one that was changed last at the end. */
  readonly opened: Readonly<Record<string, boolean>>;
  /** Null at the end of the conversation. */
  readonly top: Top | null;
}
