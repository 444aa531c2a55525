// The port to the folder in which the state of slots is kept.

/** One that is there. */
export interface KeptSnapshot {
  readonly session: string;
  readonly path: string;
  readonly bytes: number;
  /** When it was stored or loaded last, Unix milliseconds. */
  readonly used: number;
}

/** The folder of all windows' snapshots. What cannot be deleted now stays; the engine looks at everything before it loads it. */
export interface SnapshotFiles {
  /** Where the state of a session's slot is kept. Says nothing about either. */
  path(session: string, slot: number): string;
  /** Those that are whole by their looks; what was left by a process that died goes. */
  list(): Promise<readonly KeptSnapshot[]>;
  remove(path: string): Promise<void>;
  /** All of a session. */
  removeSession(session: string): Promise<void>;
}
