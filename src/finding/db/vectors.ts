// Vectors of passages by the content of the passage: one that moves, or comes back, needs no new one.
import type { DatabaseSync } from 'node:sqlite';
import type { Root } from '../../tools/files/paths.ts';
import { linesOf } from '../cut/cut.ts';
import { partsOf } from '../cut/parts.ts';
import { fileKindOf } from '../text/accept.ts';
import { locate } from '../text/folders.ts';
import type { IndexedDeclaration } from '../text/passage.ts';
import { type Buffers, readText } from '../text/read.ts';
import { passageHash } from './files.ts';
import { readOutline } from './outlineText.ts';

/** A text that wants a vector: a whole passage (part 0), or one of its parts (from 1). */
export interface Embeddable {
  /** The hash of the passage. */
  readonly hash: number;
  readonly part: number;
  readonly text: string;
}

/** A vector with its place: the hash of its passage, and the part. */
export type KeptVector = readonly [hash: number, part: number, vector: Int8Array];

/** The folders and the unsaved texts that files are read from. */
export interface Texts {
  readonly roots: readonly Root[];
  readonly buffers: Buffers;
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
/** The part that comes last, so that it says that all have theirs; without a vector it says that the whole is the only part. */
const last = 1;

/** About `most` texts without a vector of a model: whole passages before any parts, those of `first` before others. */
export function unembedded(
  db: DatabaseSync,
  model: number,
  most: number,
  first: readonly string[],
  texts: Texts,
): readonly Embeddable[] {
  const wholes = missing(db, model, 0, first).slice(0, most);
  if (wholes.length > 0) return wholes.flatMap((row) => textsOf(row, texts).slice(0, 1));
  const result: Embeddable[] = [];
  const alone: KeptVector[] = [];
  for (const row of missing(db, model, last, first)) {
    const [whole, ...parts] = textsOf(row, texts);
    if (whole !== undefined && parts.length === 0) alone.push([row.hash, last, new Int8Array()]);
    result.push(...parts.toReversed());
    if (result.length >= most) break;
  }
  keepVectors(db, model, alone);
  return result;
}

/** Passages that have no vector of a part, in the order in which they get theirs. */
function missing(db: DatabaseSync, model: number, part: number, first: readonly string[]): readonly Row[] {
  const rows = db
    .prepare(
      `select p.hash, p.start, p.end, f.path, f.outline from passages p join files f on f.id = p.file where f.stage = 2
       and not exists (select 1 from vectors v where v.hash = p.hash and v.model = ? and v.part = ?)`,
    )
    .all(model, part) as unknown as readonly Row[];
  const ranked = rows.flatMap((row) => {
    const kind = order.indexOf(fileKindOf(row.path));
    return kind < 0 ? [] : [{ row, rank: nearness(row.path, first) * order.length + kind }];
  });
  return ranked.toSorted((one, two) => one.rank - two.rank).map(({ row }) => row);
}

/** 0 for a file that is asked first, 1 for its neighbours in the folder, 2 for the rest. */
function nearness(path: string, first: readonly string[]): number {
  if (first.includes(path)) return 0;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return first.some((one) => one.slice(0, one.lastIndexOf('/') + 1) === folder) ? 1 : 2;
}

/** The whole passage, then its parts if it has several; nothing where the file is other by now. */
function textsOf(row: Row, { roots, buffers }: Texts): readonly Embeddable[] {
  const { hash, start, end, path } = row;
  const file = readText(locate(roots, path), buffers, roots);
  if (file === null || 'refused' in file) return [];
  const lines = linesOf(path, file.text).slice(start - 1, end);
  if (passageHash(lines.join('\n')) !== hash) return [];
  const outline = readOutline(row.outline);
  const around = outline.filter(({ from, to }) => from < start && to >= end);
  const textOf = (names: readonly IndexedDeclaration[], from: number, to: number): string =>
    `${[path, ...names.map(({ name }) => name)].join(' ')}\n${lines.slice(from - start, to - start + 1).join('\n')}`;
  const parts = partsOf(lines, start);
  const several = parts.length === 1 ? [] : parts;
  return [
    { hash, part: 0, text: textOf(around, start, end) },
    ...several.map(({ from, to }, at) => {
      const inside = outline.filter((one) => one.from >= start && one.from < from && one.to >= from);
      return { hash, part: at + 1, text: textOf([...around, ...inside], from, to) };
    }),
  ];
}

export function keepVectors(db: DatabaseSync, model: number, vectors: readonly KeptVector[]): void {
  const put = db.prepare('insert or replace into vectors values(?, ?, ?, ?)');
  db.exec('begin immediate');
  try {
    for (const [hash, part, vector] of vectors)
      put.run(hash, model, part, new Uint8Array(vector.buffer, vector.byteOffset, vector.length));
    db.exec('commit');
  } catch (error) {
    db.exec('rollback');
    throw error;
  }
}
