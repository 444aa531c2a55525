// Everything that outlives a window, behind one port per kind.
import type { MemoryStore } from '../../core/memory/memory.ts';
import type { Archive, Journal, Leases } from '../../core/stored/storedSession.ts';

export interface Storage {
  readonly sessions: Journal & Archive;
  readonly shelves: MemoryStore;
  readonly leases: Leases;
}
