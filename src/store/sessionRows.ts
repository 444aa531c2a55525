// The rows of a session: its own, its items, reports and compactions. The callers hold the transaction.

import { readThoughts } from '../core/answer/readThoughts.ts';
import type { CompactionRow } from '../core/compaction/compactionRow.ts';
import { type ConversationChoices, noChoices } from '../core/conversation/conversation.ts';
import { dialogOf, type Item, type ItemId } from '../core/dialog/dialog.ts';
import type { Marks } from '../core/dialog/marks.ts';
import { isRecord } from '../core/record.ts';
import type { SessionRow, StoredPruneState, StoredSession, UnfinishedAnswer } from '../core/stored/storedSession.ts';
import type { Connection } from './connection.ts';
import { linkedItems } from './linkedItems.ts';

export function insertSession(connection: Connection, { id, workspace, system, created }: SessionRow): void {
  const insert = 'INSERT INTO session (id, workspace, system, created, written) VALUES (?, ?, ?, ?, ?)';
  connection.run(insert, id, workspace, system, created, created);
}

/** The sequence of the new row. */
export function insertItem(connection: Connection, session: string, item: Item): number {
  const { id, parent, origin } = item;
  const above = connection.get('SELECT turns FROM item WHERE session = ? AND id = ?', session, parent);
  const turns = Number(above?.turns ?? 0) + (origin === 'user' ? 1 : 0);
  const insert = 'INSERT INTO item (session, id, json, origin, turns) VALUES (?, ?, ?, ?, ?) RETURNING sequence';
  return Number(connection.get(insert, session, id, JSON.stringify(item), origin, turns)?.sequence);
}

export interface HeadRow {
  readonly head: ItemId | null;
  /** Sequence of the item that was added last; null where there is none. */
  readonly last: number | null;
  /** Unix milliseconds. */
  readonly written: number;
}

export function setHead(connection: Connection, session: string, { head, last, written }: HeadRow): void {
  connection.run('UPDATE session SET head = ?, last = ?, written = ? WHERE id = ?', head, last, written, session);
}

export function moveHeadTo(connection: Connection, session: string, head: ItemId): void {
  connection.run('UPDATE session SET head = ? WHERE id = ?', head, session);
}

export function updateMarks(connection: Connection, session: string, { pinned, evicted }: Marks): void {
  const json = JSON.stringify({ pinned: [...pinned], evicted: [...evicted] });
  connection.run('UPDATE session SET marks = ? WHERE id = ?', json, session);
}

export function updateChoices(connection: Connection, session: string, choices: ConversationChoices): void {
  connection.run('UPDATE session SET choices = ? WHERE id = ?', JSON.stringify(choices), session);
}

export function updateRestored(connection: Connection, session: string, restored: StoredSession['restored']): void {
  connection.run('UPDATE session SET restored = ? WHERE id = ?', JSON.stringify(restored), session);
}

export function updatePruneStates(connection: Connection, session: string, pruned: readonly StoredPruneState[]): void {
  connection.run('UPDATE session SET held = ? WHERE id = ?', JSON.stringify(pruned), session);
}

export function updateTitle(connection: Connection, session: string, title: string): void {
  connection.run('UPDATE session SET title = ? WHERE id = ?', title, session);
}

/** An exported report comes in as plain JSON. */
export function insertReport(connection: Connection, session: string, report: object): void {
  connection.run('INSERT INTO report (session, json) VALUES (?, ?)', session, JSON.stringify(report));
}

/** A compaction that is replaced keeps its place in the order. */
export function putCompactionRow(connection: Connection, session: string, row: CompactionRow): void {
  const insert = `INSERT INTO fold (session, id, json) VALUES (?, ?, ?)
    ON CONFLICT (session, id) DO UPDATE SET json = excluded.json`;
  connection.run(insert, session, row.id, JSON.stringify(row));
}

export function readSession(connection: Connection, id: string): StoredSession | null {
  const row = connection.get(
    'SELECT id, workspace, system, created, title, head, marks, held, choices, restored FROM session WHERE id = ?',
    id,
  );
  if (row === null) return null;
  const { items, head, leftOut } = readItems(connection, id, row.head === null ? null : String(row.head));
  const { pinned, evicted } = readable<Record<keyof Marks, readonly ItemId[]>>(row.marks) ?? {
    pinned: [],
    evicted: [],
  };
  // Pruned runs and compactions count the items of a path: where one is missing, they would mean others.
  const isWhole = leftOut === 0;
  return {
    id: String(row.id),
    workspace: String(row.workspace),
    system: String(row.system),
    created: Number(row.created),
    title: String(row.title),
    dialog: dialogOf(items, head),
    ...(isWhole ? {} : { leftOut }),
    unfinished: readUnfinished(connection, id),
    marks: { pinned: new Set(pinned), evicted: new Set(evicted) },
    choices: readable<ConversationChoices>(row.choices) ?? noChoices,
    restored: readable<StoredSession['restored']>(row.restored) ?? [],
    pruned: (isWhole ? readable<readonly StoredPruneState[]>(row.held) : null) ?? [],
    compactions: isWhole ? readRows<CompactionRow>(connection, 'fold', id) : [],
  };
}

export function putUnfinished(connection: Connection, session: string, unfinished: UnfinishedAnswer): void {
  const put =
    'INSERT INTO unfinished (session, json) VALUES (?, ?) ON CONFLICT (session) DO UPDATE SET json = excluded.json';
  connection.run(put, session, JSON.stringify(unfinished));
}

function readUnfinished(connection: Connection, session: string): UnfinishedAnswer | null {
  const row = connection.get('SELECT json FROM unfinished WHERE session = ?', session);
  return row === null ? null : readable<UnfinishedAnswer>(row.json);
}

/** Earlier versions kept thoughts within the text. */
function parted(item: Item): Item {
  if ((item.origin !== 'assistant' && item.origin !== 'call') || item.thoughts !== undefined) return item;
  const { thoughts, answer } = readThoughts(item.text, [], true);
  return thoughts === '' ? item : { ...item, text: answer, thoughts };
}

/** Returns the items that can be read and still hang together; the last of them is the head where the stored one is lost. */
function readItems(connection: Connection, session: string, head: ItemId | null) {
  const rows = connection.all('SELECT id, origin, json FROM item WHERE session = ? ORDER BY sequence', session);
  const before = new Set<unknown>();
  const found = rows.flatMap(({ id, origin, json }) => {
    const item = readable<unknown>(json);
    const isSound = isItem(item) && item.id === id && item.origin === origin;
    const hangs = isSound && (item.parent === null || before.has(item.parent));
    before.add(id);
    return hangs ? [parted(item)] : [];
  });
  const isHeadThere = head === null || found.some(({ id }) => id === head);
  if (found.length === rows.length && isHeadThere) return { items: found, head, leftOut: 0 };
  const items = linkedItems(found);
  const isKept = items.some(({ id }) => id === head);
  return { items, head: isKept ? head : (items.at(-1)?.id ?? null), leftOut: rows.length - items.length };
}

/** In the order in which they were added; those that cannot be read are left out. */
export function readRows<T>(connection: Connection, table: 'item' | 'fold' | 'report', session: string): readonly T[] {
  const rows = connection.all(`SELECT json FROM ${table} WHERE session = ? ORDER BY sequence`, session);
  return rows.flatMap(({ json }) => readable<T>(json) ?? []);
}

/** Parses a column; null where a damaged file has other bytes there. */
function readable<T>(json: unknown): T | null {
  try {
    return parsed<T>(json);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A column this room wrote itself, or checked when it was imported. */
export function parsed<T>(json: unknown): T {
  return JSON.parse(String(json)) as T;
}

/** The text of a row of `item` in SQL; '' where SQLite cannot read the JSON, because something in it is nested too deep. */
export function textIn(row: string): string {
  return `CASE WHEN json_valid(${row}.json) THEN ${row}.json ->> '$.text' ELSE '' END`;
}

// Whether a value is an item, as far as whoever reads it takes for granted: a damaged byte may leave sound JSON of another form.

/** The members of each kind that are texts. */
const texts: Readonly<Record<Item['origin'], readonly string[]>> = {
  user: ['text'],
  attachment: ['head', 'body'],
  knowledge: ['role', 'before', 'after'],
  assistant: ['text', 'end'],
  call: ['text'],
  result: ['call', 'tool', 'head', 'body'],
  note: ['text'],
};

function isItem(value: unknown): value is Item {
  if (!isRecord(value) || !isText(value.origin) || !Object.hasOwn(texts, value.origin)) return false;
  const own = texts[value.origin as Item['origin']];
  const optional = ['day', 'thoughts', 'of'].every((name) => value[name] === undefined || isText(value[name]));
  return (
    isText(value.id) &&
    (value.parent === null || isText(value.parent)) &&
    own.every((name) => isText(value[name])) &&
    optional &&
    (value.origin !== 'call' || isListOf(value.calls, isCall)) &&
    isMaybe(value.generated, (one) => isText(one.model) && isListOf(one.ids, Number.isSafeInteger)) &&
    isMaybe(value.found, (one) => isText(one.path) && isText(one.why)) &&
    (value.seen === undefined || isListOf(value.seen, (one) => isRecord(one) && isText(one.file))) &&
    (value.changed === undefined || value.changed === 'anything' || isListOf(value.changed, isText))
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isListOf = (value: unknown, holds: (one: unknown) => boolean) => Array.isArray(value) && value.every(holds);
const isMaybe = (value: unknown, holds: (one: Readonly<Record<string, unknown>>) => boolean) =>
  value === undefined || (isRecord(value) && holds(value));
const isCall = (value: unknown) =>
  isRecord(value) && isText(value.id) && isText(value.name) && isRecord(value.arguments);
