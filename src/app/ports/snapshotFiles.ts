// The port to the folder in which the state of slots is kept.

/** A snapshot that is in the folder. */
export interface KeptSnapshot {
  readonly session: string;
  readonly path: string;
  readonly bytes: number;
  /** When it was stored or loaded last, Unix milliseconds. */
  readonly used: number;
}

/** The folder of all windows' snapshots. What cannot be deleted now stays; the engine looks at everything before it loads it. */
export interface SnapshotFiles {
  /** Returns the path for the state of a session's slot, which does not reveal the session. */
  path(session: string, slot: number): string;
  /** Lists the snapshots that look whole, and deletes what a dead process left. */
  list(): Promise<readonly KeptSnapshot[]>;
  remove(path: string): Promise<void>;
  /** All of a session. */
  removeSession(session: string): Promise<void>;
}
