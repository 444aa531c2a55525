// The rows that the product itself stored while a bench used it in the workbench.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import type { Report } from '../../../src/core/report/report.ts';
import type { Panel } from '../../../test/harness/panel.ts';

/** The JSON of each row of a table, the oldest first. */
export function rowsIn({ server }: Pick<Panel, 'server'>, table: 'nature' | 'report'): readonly unknown[] {
  const [file = ''] = globSync(join(server.directory, '**', 'tidemark.sqlite'));
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    const rows = database.prepare(`SELECT json FROM ${table} ORDER BY rowid`).all();
    return rows.map(({ json }) => JSON.parse(String(json)));
  } finally {
    database.close();
  }
}

/** Waits for the report behind the `known` ones, for at most so many milliseconds. */
export async function nextReport(panel: Pick<Panel, 'server'>, known: number, longest: number): Promise<Report> {
  for (let i = 0; i < longest / 100 && rowsIn(panel, 'report').length <= known; i++) await wait(100);
  const told = rowsIn(panel, 'report').at(-1) as Report | undefined;
  if (told === undefined) throw new Error('The turn has no report.');
  return told;
}
