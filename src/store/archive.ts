// All stored sessions for the user's own hands: listed, renamed, deleted, searched, carried out and in.
import type { Archive, Searches } from '../core/stored/storedSession.ts';
import type { Connection } from './connection.ts';
import { exportJson, importJson } from './exchange.ts';
import { readExchange } from './exchangeCheck.ts';
import { forgetFiles } from './fileSnapshots.ts';
import { updateTitle } from './sessionRows.ts';
import { summaries } from './summaries.ts';

export function archiveIn(connection: Connection, searches: Searches): Archive {
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
