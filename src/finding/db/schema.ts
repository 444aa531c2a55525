// The tables of an index. What they hold can be made again from the folder, so another version is no migration: it starts anew.
import { DatabaseSync } from 'node:sqlite';

/** Raised with every change of the tables, of the words, or of how files are cut. */
export const version = 3;

/**
 * Small on purpose: tokens stand once in a passage and without places (how often a word comes is counted in the text itself,
 * of the few passages that matter), and the declarations of a file are one text in its row (`outlineText.ts`). The passages
 * of a file are `count` rows from `first` on.
 */
const tables = `
create table files(
  id integer primary key, path text not null unique, size integer not null, mtime real not null,
  hash blob, stage integer not null, refused text, first integer not null default 0, count integer not null default 0,
  outline text not null default '', imports text not null default ''
);
create table passages(
  id integer primary key, file integer not null, start integer not null, end integer not null,
  tokens integer not null, hash integer not null
);
create virtual table words using fts5(tokens, content='', contentless_delete=1, detail=none,
  tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'");
create virtual table vocabulary using fts5vocab(words, row);
create table vectors(
  hash integer not null, model integer not null, part integer not null, vector blob not null,
  primary key(hash, model, part)
) without rowid;
`;

/** Milliseconds that another writer is waited for. */
const waits = 5000;

/** Opens the index in a file, made anew where it is none of ours, of another version, or damaged. */
export function openDatabase(file: string, remove: (file: string) => void): DatabaseSync {
  try {
    return prepared(file);
  } catch (error) {
    // Another window may only be writing for long.
    if (isBusy(error)) throw error;
    remove(file);
    return prepared(file);
  }
}

function prepared(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: waits });
  try {
    useLog(db);
    db.exec('pragma synchronous = normal; pragma temp_store = memory; pragma cache_size = -32768');
    const { user_version: found } = db.prepare('pragma user_version').get() as { user_version: number };
    if (found === 0) create(db);
    else if (found !== version) throw new Error(`the index has version ${found}`);
    // A damaged header or schema shows here; damage deeper in shows when it is read, and then too it starts anew.
    db.prepare('select count(*) from files').get();
    db.prepare('select rowid from words where words match ? limit 1').all('"tide"');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** SQLite waits for no other writer where the journal is to become a log: this does, as any writer, and then it is the only one. */
function useLog(db: DatabaseSync): void {
  const end = performance.now() + waits;
  for (;;) {
    try {
      db.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
      db.exec('begin immediate; commit');
    }
  }
}

function create(db: DatabaseSync): void {
  db.exec('begin immediate');
  // Another window may have made it while this one waited.
  const { user_version: found } = db.prepare('pragma user_version').get() as { user_version: number };
  if (found === 0) db.exec(`${tables} pragma user_version = ${version};`);
  db.exec('commit');
}

function isBusy(error: unknown): boolean {
  return ((error as { errcode?: number }).errcode ?? 0) % 256 === 5;
}

/** Whether an error says that the file is damaged: SQLITE_CORRUPT, SQLITE_NOTADB, and what FTS5 says of its own tables. */
export function isIndexDamage(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode ?? 0;
  return (code & 0xff) === 11 || (code & 0xff) === 26;
}
