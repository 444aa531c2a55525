// Everything that outlives a window, behind one port per kind.
import type { MemoryStore, NoteCheck } from '../../core/memory/memory.ts';
import type { Archive, Journal, Leases } from '../../core/stored/storedSession.ts';

export interface Storage {
  readonly sessions: Journal & Archive;
  readonly memory: MemoryStore;
  readonly leases: Leases;
}

/** The same, as conversations have it: nothing is kept as a note that is not checked. */
export interface CheckedStorage extends Storage {
  /** Says why a text should not be kept as a note; null where nothing is against it. */
  readonly noteProblem: NoteCheck;
}
