// The store: sessions, notes and leases in one SQLite file (WAL), each item written before the model sees it.

import { abilitiesVersion, type ModelAbilities, type StoredAbilities } from '../core/abilities/abilities.ts';
import type { MemoryStore } from '../core/memory/memory.ts';
import type { FileSnapshots } from '../core/stored/fileSnapshots.ts';
import type { Archive, Journal, Leases, Searches } from '../core/stored/storedSession.ts';
import type { Connection } from './connection.ts';
import { exportJson, importJson } from './exchange.ts';
import { readExchange } from './exchangeCheck.ts';
import { fileSnapshotsIn, forgetFiles } from './fileSnapshots.ts';
import { journalIn } from './journal.ts';
import { leasesIn } from './leases.ts';
import { memoryStoreIn } from './memoryStore.ts';
import { openConnection } from './open.ts';
import { search } from './search.ts';
import { updateTitle } from './sessionRows.ts';
import { summaries } from './summaries.ts';

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

// Stores the abilities of models by the fingerprint of their files. Results of an older probe count as none.
function abilitiesIn(connection: Connection): StoredAbilities {
  return {
    nature: (fingerprint) => {
      const row = connection.get(
        'SELECT json FROM nature WHERE fingerprint = ? AND version = ?',
        fingerprint,
        abilitiesVersion,
      );
      return row === null ? null : (JSON.parse(String(row.json)) as ModelAbilities);
    },
    paces: () => {
      const rows = connection.all('SELECT fingerprint, json FROM nature WHERE version = ?', abilitiesVersion);
      const paces = rows.map(({ fingerprint, json }) => {
        const { reading } = JSON.parse(String(json)) as ModelAbilities;
        return [String(fingerprint), reading] as const;
      });
      return Object.fromEntries(paces.filter(([, reading]) => reading > 0));
    },
    keepNature: (fingerprint, nature) =>
      connection.write(() => {
        const put = `INSERT INTO nature (fingerprint, version, json) VALUES (?, ?, ?)
          ON CONFLICT (fingerprint) DO UPDATE SET version = excluded.version, json = excluded.json`;
        connection.run(put, fingerprint, abilitiesVersion, JSON.stringify(nature));
      }),
  };
}

// All stored sessions for the user's own hands: listed, renamed, deleted, searched, carried out and in.
function archiveIn(connection: Connection, searches: Searches): Archive {
  return {
    sessions: (workspace) => connection.read(() => summaries(connection, workspace)),
    rename: (session, title) => connection.write(() => updateTitle(connection, session, title.trim())),
    delete: (session) => {
      searches.startOver();
      if (connection.write(() => deleteSession(connection, session))) connection.wipe('file');
    },
    exportJson: (session) => exportJson(connection, session),
    importJson: (document, workspace, newId, keepSystem) =>
      importJson(connection, document, workspace, newId, keepSystem),
    systemOf: (document) => readExchange(document).session.system,
    search: searches.search,
  };
}

/** Whether it was there. Items, reports, compactions and snapshots of files go with their session. */
function deleteSession(connection: Connection, session: string): boolean {
  connection.run('DELETE FROM lease WHERE name IN (?, ?)', `session:${session}`, `fold:${session}`);
  const there = connection.run('DELETE FROM session WHERE id = ?', session) > 0;
  forgetFiles(connection, session);
  return there;
}
