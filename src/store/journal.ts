// Sessions as they are written, item by item, and read back whole.
import type { Journal } from '../core/stored/storedSession.ts';
import type { Connection } from './connection.ts';
import {
  insertItem,
  insertReport,
  insertSession,
  moveHeadTo,
  putCompactionRow,
  putUnfinished,
  readRows,
  readSession,
  setHead,
  updateChoices,
  updateMarks,
  updatePruneStates,
  updateRestored,
} from './sessionRows.ts';

export function journalIn(connection: Connection): Journal {
  return {
    createSession: (row) => connection.write(() => insertSession(connection, row)),
    // When it returns, the item survives the end of this process in any way; a power cut may take the last few.
    appendItem: (session, item) =>
      connection.write(() => {
        const sequence = insertItem(connection, session, item);
        setHead(connection, session, { head: item.id, last: sequence, written: Date.now() });
      }),
    setHead: (session, head) => connection.write(() => moveHeadTo(connection, session, head)),
    setUnfinished: (session, unfinished) => connection.write(() => putUnfinished(connection, session, unfinished)),
    setMarks: (session, marks) => connection.write(() => updateMarks(connection, session, marks)),
    setChoices: (session, choices) => connection.write(() => updateChoices(connection, session, choices)),
    setRestored: (session, restored) => connection.write(() => updateRestored(connection, session, restored)),
    addReport: (session, report) => connection.write(() => insertReport(connection, session, report)),
    setPruned: (session, pruned) => connection.write(() => updatePruneStates(connection, session, pruned)),
    putCompaction: (session, row, pruned) =>
      connection.write(() => {
        putCompactionRow(connection, session, row);
        updatePruneStates(connection, session, pruned);
      }),
    reports: (session) => connection.read(() => readRows<object>(connection, 'report', session)),
    latestSession: (workspace) =>
      connection.read(() => {
        const latest = 'SELECT id FROM session WHERE workspace = ? AND last IS NOT NULL ORDER BY last DESC LIMIT 1';
        const row = connection.get(latest, workspace);
        return row === null ? null : readSession(connection, String(row.id));
      }),
    session: (id) => connection.read(() => readSession(connection, id)),
    has: (id) => connection.read(() => connection.get('SELECT 1 FROM session WHERE id = ?', id)) !== null,
  };
}
