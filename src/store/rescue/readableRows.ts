// Rows of a damaged database: each that can still be read.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Row } from '../connection.ts';

/** Rows that cannot be read one after another before the rest is given up, where the last row is not known. */
const mostMisses = 10_000;

export type SalvageTable =
  | 'session'
  | 'item'
  | 'report'
  | 'fold'
  | 'memory'
  | 'work'
  | 'decision'
  | 'audit'
  | 'snapshot'
  | 'changed_file'
  | 'content';

/** Every row that can be read. Behind one that cannot, it is looked for the next one. None where the table itself is not known any more. */
export function readableRows(database: DatabaseSync, table: SalvageTable, columns = '*'): readonly Row[] {
  const select = prepared(database, `SELECT rowid AS place, ${columns} FROM ${table} WHERE rowid > ? ORDER BY rowid`);
  if (select === null) return [];
  const rows: Row[] = [];
  const last = lastRow(database, table);
  let after = 0;
  for (let misses = 0; after < last && misses < mostMisses; misses++) {
    try {
      for (const row of select.iterate(after)) {
        // Torn pages may lead back to where they came from.
        if (Number(row.place) <= after) return rows;
        after = Number(row.place);
        misses = 0;
        rows.push(row);
      }
      break;
    } catch {
      // The row that stands at this place is lost.
      after += 1;
    }
  }
  return rows;
}

function prepared(database: DatabaseSync, sql: string): StatementSync | null {
  try {
    return database.prepare(sql);
  } catch {
    return null;
  }
}

function lastRow(database: DatabaseSync, table: SalvageTable): number {
  try {
    return Number(database.prepare(`SELECT max(rowid) AS last FROM ${table}`).get()?.last ?? 0);
  } catch {
    return Number.MAX_SAFE_INTEGER;
  }
}
