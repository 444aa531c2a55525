// Reads a database file by plain SQLite from a copy, and finds what is wrong with it by itself.
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { reasonOf } from '../../src/core/faults/faults.ts';
import { type CompactionFacts, type Conversation, conversationOf, type ItemRow } from './conversation.ts';
import { auditProblems } from './judge/auditReplay.ts';
import type { Facts } from './judge/ledger.ts';
import { parsed } from './parsed.ts';
import { shaOf } from './said.ts';

export interface Found {
  readonly facts: Facts;
  /** Faults of the database, as sentences. */
  readonly problems: readonly string[];
  /** Each session's conversation, rebuilt from its items, by the session's id. */
  readonly conversations: ReadonlyMap<string, Conversation>;
  readonly compactions: ReadonlyMap<string, readonly CompactionFacts[]>;
  /** The session with the item that was added last; null where there is none. */
  readonly latest: string | null;
}

type Row = Readonly<Record<string, unknown>>;
type Query = (sql: string) => readonly Row[];

/** Reads a copy: what SQLite has to mend after a crash is left to the product. */
export function readCopy(path: string, copy: string): Found {
  for (const end of ['', '-wal', '-shm']) rmSync(copy + end, { force: true });
  for (const end of ['', '-wal']) if (existsSync(path + end)) copyFileSync(path + end, copy + end);
  const database = new DatabaseSync(copy);
  try {
    return readFound(database);
  } catch (error) {
    return empty([`it cannot be read: ${reasonOf(error)}`]);
  } finally {
    database.close();
  }
}

function readFound(database: DatabaseSync): Found {
  const all: Query = (sql) => database.prepare(sql).all();
  const problems: string[] = [];
  const integrity = all('PRAGMA integrity_check').map((row) => String(row.integrity_check));
  if (integrity.join() !== 'ok') problems.push(...integrity.map((words) => `integrity: ${words}`));
  for (const row of all('PRAGMA foreign_key_check')) problems.push(`a row of ${row.table} has no ${row.parent}`);
  if (all("SELECT name FROM sqlite_master WHERE name = 'audit'").length === 0) return empty(problems);
  problems.push(...auditProblems(all));
  const found = { facts: new Map(), problems, conversations: new Map(), compactions: new Map() };
  for (const session of all('SELECT * FROM session ORDER BY rowid')) addSession(found, session, all);
  addRows(found.facts, all);
  const [last] = all('SELECT session FROM item ORDER BY sequence DESC LIMIT 1');
  return { ...found, latest: last === undefined ? null : String(last.session) };
}

interface Finding {
  readonly facts: Facts;
  readonly problems: string[];
  readonly conversations: Map<string, Conversation>;
  readonly compactions: Map<string, readonly CompactionFacts[]>;
}

function addSession({ facts, problems, conversations, compactions }: Finding, session: Row, all: Query): void {
  const { id: name, held: pruned, marks, head, last } = session;
  const id = String(name);
  facts
    .set(`session/${id}`, '')
    .set(`pruned/${id}`, shaOf(`${pruned}`))
    .set(`marks/${id}`, shaOf(`${marks}`));
  if (head !== null) facts.set(`head/${id}`, String(head));
  const of = (table: string) => all(`SELECT * FROM ${table} WHERE session = '${id}' ORDER BY sequence`);
  const [unfinished] = all(`SELECT json FROM unfinished WHERE session = '${id}'`);
  const rows = of('item') as unknown as readonly ItemRow[];
  const conversation = conversationOf(rows, head, last, unfinished?.json ?? null);
  conversations.set(id, conversation);
  const compacted = of('fold').map((compaction) => ({
    name: String(compaction.id),
    row: parsed(compaction.json) as CompactionFacts | null,
  }));
  const whole = compacted.flatMap(({ row }) => row ?? []);
  compactions.set(id, whole);
  const wrong = [...conversation.problems, ...compactionProblems(pruned, compacted)];
  problems.push(...wrong.map((words) => `${id}: ${words}`));
}

/** No table is there yet, or none can be read. */
function empty(problems: readonly string[]): Found {
  return { facts: new Map(), problems, conversations: new Map(), compactions: new Map(), latest: null };
}

function addRows(facts: Facts, all: Query): void {
  for (const table of ['item', 'fold']) {
    for (const { session, id, json } of all(`SELECT session, id, json FROM ${table} ORDER BY sequence`))
      facts.set(`${table}/${session}/${id}`, shaOf(String(json)));
  }
  const reports = new Map<unknown, number>();
  for (const { session, json } of all('SELECT session, json FROM report ORDER BY sequence')) {
    const count = reports.get(session) ?? 0;
    reports.set(session, count + 1);
    facts.set(`report/${session}/${count}`, shaOf(String(json)));
  }
  for (const table of ['memory', 'work', 'decision']) {
    for (const { id, json } of all(`SELECT id, json FROM ${table} ORDER BY sequence`))
      facts.set(`${table}/${id}`, shaOf(String(json)));
  }
}

interface NamedRow {
  readonly name: string;
  readonly row: CompactionFacts | null;
}

/** Compacts build upon compactions that are there, and what the slots let go of names a compaction with a summary. */
function compactionProblems(pruned: unknown, rows: readonly NamedRow[]): readonly string[] {
  const known = new Map<string, CompactionFacts | null>();
  const problems: string[] = [];
  for (const { name, row } of rows) {
    if (row?.id !== name) problems.push(`compaction ${name} is torn`);
    else if (row.previous !== null && !known.has(row.previous))
      problems.push(`compaction ${name} builds upon one that is not there`);
    if (row?.outcome === 'lock_held') problems.push(`compaction ${name} was kept off by a dead window's lease`);
    known.set(name, row);
  }
  const slots = JSON.parse(String(pruned)) as readonly { readonly fold: string | null }[];
  for (const { fold: compaction } of slots) {
    if (compaction !== null && !known.get(compaction)?.checkpoint)
      problems.push(`the slots hold compaction ${compaction}, which is not there`);
  }
  return problems;
}
