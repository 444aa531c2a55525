// Vectors of passages by the content of the passage: one that moves, or comes back, needs no new one.
import type { DatabaseSync } from 'node:sqlite';
import { linesOf } from '../cut/cut.ts';
import { kindOf } from '../text/accept.ts';
import { proseOf } from '../text/prose.ts';
import { type Buffers, readText } from '../text/read.ts';
import { passageHash } from './files.ts';
import { readOutline } from './outlineText.ts';

/** A passage as an embedding model reads it. */
export interface Embeddable {
  readonly hash: number;
  readonly text: string;
}

interface Row {
  readonly hash: number;
  readonly start: number;
  readonly end: number;
  readonly path: string;
  readonly outline: string;
}

/** Kinds of files in the order in which their passages get vectors; others get none. */
const order = ['code', 'docs', 'declarations', 'data', 'example', 'test'];

export function unembedded(
  db: DatabaseSync,
  model: number,
  most: number,
  first: readonly string[],
  locate: (path: string) => string,
  buffers: Buffers,
): readonly Embeddable[] {
  const rows = db
    .prepare(
      `select p.hash, p.start, p.end, f.path, f.outline from passages p join files f on f.id = p.file
       where f.stage = 2 and not exists (select 1 from vectors v where v.hash = p.hash and v.model = ?)`,
    )
    .all(model) as unknown as readonly Row[];
  const ranked = rows.flatMap((row) => {
    const kind = order.indexOf(kindOf(row.path));
    return kind < 0 ? [] : [{ row, rank: nearness(row.path, first) * order.length + kind }];
  });
  const chosen = ranked.toSorted((one, two) => one.rank - two.rank).slice(0, most);
  return chosen.flatMap(({ row }) => embeddable(row, locate, buffers));
}

/** 0 for a file that is asked first, 1 for its neighbours in the folder, 2 for the rest. */
function nearness(path: string, first: readonly string[]): number {
  if (first.includes(path)) return 0;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return first.some((one) => one.slice(0, one.lastIndexOf('/') + 1) === folder) ? 1 : 2;
}

/** Its path and the names around it, then its lines; nothing where the file is other by now. */
function embeddable(row: Row, locate: (path: string) => string, buffers: Buffers): readonly Embeddable[] {
  const file = readText(locate(row.path), buffers);
  if (file === null || 'refused' in file) return [];
  const lines = linesOf(file.text).slice(row.start - 1, row.end);
  if (passageHash(lines.join('\n')) !== row.hash) return [];
  const around = readOutline(row.outline).filter(({ from, to }) => from < row.start && to >= row.end);
  const names = around.map(({ name }) => name).join(' ');
  return [{ hash: row.hash, text: proseOf(`${row.path} ${names}\n${lines.join('\n')}`) }];
}

export function keepVectors(db: DatabaseSync, model: number, vectors: readonly (readonly [number, Int8Array])[]): void {
  const put = db.prepare('insert or replace into vectors values(?, ?, ?)');
  db.exec('begin immediate');
  try {
    for (const [hash, vector] of vectors)
      put.run(hash, model, new Uint8Array(vector.buffer, vector.byteOffset, vector.length));
    db.exec('commit');
  } catch (error) {
    db.exec('rollback');
    throw error;
  }
}
