// Brings back, file by file, what a damaged database has of files before they were changed, so that changes can still be kept or undone.
import { createHash } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { inflateRawSync } from 'node:zlib';
import { isRecord } from '../../core/record.ts';
import type { Connection, Row } from '../connection.ts';
import { readableRows } from './readableRows.ts';

/** Compressed bytes by the hash of what they were; undefined where they are lost. */
type Contents = (hash: string) => Uint8Array | undefined;

/** The files of which something came back. `once` does not take a file again that came back before. */
export function takeFiles(
  from: DatabaseSync,
  into: Connection,
  once: (file: string, take: () => boolean) => boolean,
): readonly string[] {
  const contents = contentsOf(from);
  const snapshots = Map.groupBy(readableRows(from, 'snapshot'), ({ file }) => String(file));
  const changed = new Map(readableRows(from, 'changed_file').map((row) => [String(row.file), row]));
  const files = new Set([...snapshots.keys(), ...changed.keys()]);
  return [...files].filter((file) =>
    once(file, () =>
      takeFile(into, file, { changed: changed.get(file), snapshots: snapshots.get(file) ?? [], contents }),
    ),
  );
}

interface FileParts {
  readonly changed: Row | undefined;
  readonly snapshots: readonly Row[];
  readonly contents: Contents;
}

/** All of it in one transaction, so that no content stands there without the row that names it. A file that was changed anew meanwhile stays. */
function takeFile(into: Connection, file: string, { changed, snapshots, contents }: FileParts): boolean {
  try {
    return into.write(() => {
      const isChangedAnew = into.get('SELECT 1 FROM changed_file WHERE file = ?', file) !== null;
      // Without its row nobody knows how it stands with the file, and without its contents nothing can be taken back.
      if (isChangedAnew || changed === undefined || !takeContents(into, namesOfChanged(changed), contents))
        return false;
      insert(into, 'changed_file', changed);
      for (const one of snapshots) {
        const isThere = into.get('SELECT 1 FROM session WHERE id = ?', String(one.session)) !== null;
        if (isThere && takeContents(into, [one.before, one.after, one.base], contents)) insert(into, 'snapshot', one);
      }
      return true;
    });
  } catch {
    // A row is not what its columns take any more.
    return false;
  }
}

function namesOfChanged({ base, now, wanted, redo, applied }: Row): readonly (SQLOutputValue | undefined)[] {
  const blocks: unknown = applied === null || applied === undefined ? null : JSON.parse(String(applied));
  const under = isRecord(blocks) && typeof blocks.under === 'string' ? blocks.under : null;
  return [base, now, wanted, redo, under];
}

/** False where one of them is lost; '' and null name none. */
function takeContents(into: Connection, names: readonly (SQLOutputValue | undefined)[], contents: Contents): boolean {
  const hashes = names.flatMap((name) => (typeof name === 'string' && name !== '' ? [name] : []));
  const found = hashes.map((hash) => [hash, contents(hash)] as const);
  if (found.some(([, bytes]) => bytes === undefined)) return false;
  for (const [hash, bytes = null] of found)
    into.run('INSERT OR IGNORE INTO content (hash, bytes) VALUES (?, ?)', hash, bytes);
  return true;
}

/** A snapshot gets a new number: the order stays, and the former one may be another's by now. */
function insert(into: Connection, table: 'snapshot' | 'changed_file', { place: _, id: __, ...row }: Row): void {
  const names = Object.keys(row);
  const values = names.map(() => '?').join(', ');
  into.run(`INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${values})`, ...Object.values(row));
}

/** Reads one content at a time into memory; a content whose bytes do not have its hash is lost. */
function contentsOf(from: DatabaseSync): Contents {
  const places = new Map(readableRows(from, 'content', 'hash').map(({ hash, place }) => [String(hash), place ?? null]));
  return (hash) => {
    const place = places.get(hash);
    if (place === undefined) return undefined;
    try {
      const bytes = from.prepare('SELECT bytes FROM content WHERE rowid = ?').get(place)?.bytes as Uint8Array;
      const is = createHash('sha256').update(inflateRawSync(bytes)).digest('hex');
      return is === hash ? bytes : undefined;
    } catch {
      return undefined;
    }
  };
}
