// Memories, work items and decisions. Each write is one transaction with its row in the audit.
import type {
  AuditRow,
  DecisionRecord,
  Memory,
  MemorySource,
  MemoryStore,
  NoteKind,
  WorkItem,
} from '../core/memory/memory.ts';
import type { Connection } from './connection.ts';
import { parsed } from './sessionRows.ts';

export function memoryStoreIn(connection: Connection): MemoryStore {
  return {
    memories: (workspace) => records<Memory>(connection, 'memory', workspace),
    work: (workspace) => records<WorkItem>(connection, 'work', workspace),
    decisions: (workspace) => records<DecisionRecord>(connection, 'decision', workspace),
    putMemory: (memory) => put(connection, 'memory', memory),
    putWork: (item) => put(connection, 'work', item),
    putDecision: (decision) => put(connection, 'decision', decision),
    forget: (kind, id, at, source) => {
      if (connection.write(() => forget(connection, { kind, id, at, source }))) connection.wipe('log');
    },
    audit: (limit) =>
      connection.all('SELECT * FROM audit ORDER BY sequence DESC LIMIT ?', Math.max(0, limit)).map(
        (row): AuditRow => ({
          at: Number(row.at),
          kind: row.shelf as NoteKind,
          action: row.action as AuditRow['action'],
          id: String(row.id),
          source: row.source as MemorySource,
          before: String(row.before),
          after: String(row.after),
        }),
      ),
  };
}

function records<T>(connection: Connection, kind: NoteKind, workspace: string): readonly T[] {
  const select = `SELECT json FROM ${kind} WHERE workspace IS NULL OR workspace = ? ORDER BY sequence`;
  return connection.all(select, workspace).map(({ json }) => parsed<T>(json));
}

function put(connection: Connection, kind: NoteKind, record: Memory | WorkItem | DecisionRecord): void {
  const { id, workspace, changed: at, source } = record;
  connection.write(() => {
    const before = jsonOf(connection, kind, id);
    const after = JSON.stringify(record);
    const upsert = `INSERT INTO ${kind} (id, workspace, json) VALUES (?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET workspace = excluded.workspace, json = excluded.json`;
    connection.run(upsert, id, workspace, after);
    addAudit(connection, { at, kind, action: before === '' ? 'added' : 'changed', id, source, before, after });
  });
}

/** Whether there was anything to forget. */
function forget(
  connection: Connection,
  { kind, id, ...row }: Pick<AuditRow, 'kind' | 'id' | 'at' | 'source'>,
): boolean {
  if (connection.run(`DELETE FROM ${kind} WHERE id = ?`, id) === 0) return false;
  connection.run("UPDATE audit SET before = '', after = '' WHERE shelf = ? AND id = ?", kind, id);
  addAudit(connection, { ...row, kind, action: 'forgotten', id, before: '', after: '' });
  for (const table of [kind, 'audit']) rewrite(connection, table);
  return true;
}

/** Leaves no copies of former rows in the gaps of pages: all pages of the table are freed, and with that overwritten. */
function rewrite(connection: Connection, table: string): void {
  const rows = connection.all(`SELECT * FROM ${table} ORDER BY sequence`);
  connection.run(`DELETE FROM ${table}`);
  for (const row of rows) {
    const columns = Object.keys(row);
    const places = columns.map(() => '?').join(', ');
    connection.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`, ...Object.values(row));
  }
}

/** The record as it is stored; '' where there is none. */
function jsonOf(connection: Connection, kind: NoteKind, id: string): string {
  return String(connection.get(`SELECT json FROM ${kind} WHERE id = ?`, id)?.json ?? '');
}

function addAudit(connection: Connection, { at, kind, action, id, source, before, after }: AuditRow): void {
  const insert = 'INSERT INTO audit (at, shelf, action, id, source, before, after) VALUES (?, ?, ?, ?, ?, ?, ?)';
  connection.run(insert, at, kind, action, id, source, before, after);
}
