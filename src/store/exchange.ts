// A whole session as one JSON document, out and in.

import type { Item } from '../core/dialog/dialog.ts';
import { FaultError } from '../core/faults/faults.ts';
import type { Connection } from './connection.ts';
import { readExchange } from './exchangeCheck.ts';
import type { Exchange } from './exchangeDocument.ts';
import {
  insertItem,
  insertReport,
  insertSession,
  putCompactionRow,
  readRows,
  readSession,
  setHead,
  updateMarks,
  updatePruneStates,
  updateTitle,
} from './sessionRows.ts';

/** Exports a session in the order of a reader, from the whole to the parts. Throws a `storeUnavailable` fault where it is gone. */
export function exportJson(connection: Connection, id: string): string {
  const exchange = connection.read((): Exchange | null => {
    const stored = readSession(connection, id);
    if (stored === null) return null;
    const { workspace, system, created, title, dialog, marks, pruned, compactions } = stored;
    return {
      format: 'tidemark-session',
      version: 1,
      session: { id, workspace, system, created, title },
      head: dialog.head,
      items: dialog.items,
      marks: { pinned: [...marks.pinned], evicted: [...marks.evicted] },
      held: pruned,
      folds: compactions,
      reports: readRows<object>(connection, 'report', id),
    };
  });
  if (exchange !== null) return JSON.stringify(exchange, null, 2);
  throw new FaultError({ kind: 'storeUnavailable', reason: 'the conversation is no longer there' });
}

/** The id of the new session. Without `keepSystem` its frozen system text is left out. */
export function importJson(
  connection: Connection,
  document: string,
  workspace: string,
  newId: () => string,
  keepSystem = true,
): string {
  const { session, ...rest } = readExchange(document);
  const exchange = { ...rest, session: keepSystem ? session : { ...session, system: '' } };
  const id = newId();
  connection.write(() => takeIn(connection, exchange, id, workspace));
  return id;
}

function takeIn(connection: Connection, exchange: Exchange, id: string, workspace: string): void {
  const { system, created, title } = exchange.session;
  insertSession(connection, { id, workspace, system, created });
  updateTitle(connection, id, title);
  const sequences = exchange.items.map((item) => insertItem(connection, id, asText(item)));
  setHead(connection, id, { head: exchange.head, last: sequences.at(-1) ?? null, written: Date.now() });
  const { pinned, evicted } = exchange.marks;
  updateMarks(connection, id, { pinned: new Set(pinned), evicted: new Set(evicted) });
  updatePruneStates(connection, id, exchange.held);
  for (const row of exchange.folds) putCompactionRow(connection, id, row);
  for (const report of exchange.reports) insertReport(connection, id, report);
}

/** Ids go to the model as they are, special ones among them: those of a document are nobody's word for a text. */
function asText(item: Item): Item {
  if (!('generated' in item)) return item;
  const { generated: _, ...rest } = item;
  return rest;
}
