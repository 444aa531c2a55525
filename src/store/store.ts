// The store: sessions, notes and leases in one SQLite file (WAL), each item written before the model sees it.
import type { StoredAbilities } from '../core/abilities/abilities.ts';
import type { MemoryStore } from '../core/memory/memory.ts';
import type { FileSnapshots } from '../core/stored/fileSnapshots.ts';
import type { Archive, Journal, Leases, Searches } from '../core/stored/storedSession.ts';
import { abilitiesIn } from './abilities.ts';
import { archiveIn } from './archive.ts';
import type { Connection } from './connection.ts';
import { fileSnapshotsIn } from './fileSnapshots.ts';
import { journalIn } from './journal.ts';
import { leasesIn } from './leases.ts';
import { memoryStoreIn } from './memoryStore.ts';
import { openConnection } from './open.ts';
import { search } from './search.ts';

/** Opens or creates the database. Rejects with `storeUnavailable` where the host has no SQLite or the file cannot be used. */
export async function openStore(path: string): Promise<Store> {
  return new Store(await openConnection(path));
}

export class Store {
  readonly sessions: Journal & Archive;
  readonly memory: MemoryStore;
  readonly leases: Leases;
  readonly abilities: StoredAbilities;
  readonly fileSnapshots: FileSnapshots;
  /** The file may be read but not written: every write throws. */
  readonly readOnly: boolean;
  private readonly connection: Connection;
  private readonly searches: Searches;

  /** Without `searches` it searches on the caller's thread. */
  constructor(connection: Connection, searches = searchesOn(connection)) {
    this.connection = connection;
    this.searches = searches;
    this.readOnly = connection.readOnly;
    this.sessions = { ...journalIn(connection), ...archiveIn(connection, searches) };
    this.memory = memoryStoreIn(connection);
    this.leases = leasesIn(connection);
    this.abilities = abilitiesIn(connection);
    this.fileSnapshots = fileSnapshotsIn(connection);
  }

  /** May be called again. */
  close(): void {
    this.searches.end();
    this.connection.close();
  }
}

function searchesOn(connection: Connection): Searches {
  return {
    search: async (workspace, words, limit) => connection.read(() => search(connection, workspace, words, limit)),
    startOver: () => undefined,
    end: () => undefined,
  };
}
