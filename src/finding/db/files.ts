// The index's table of files, and the one way in which a file gets into it: whole, in one transaction.
import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { LeftOutFile } from '../../core/prompt/found.ts';
import { linesOf } from '../cut/cut.ts';
import { type Refusal, refusalWords } from '../text/accept.ts';
import type { Cut, IndexedPassage } from '../text/passage.ts';
import { indexWordsOf, wordOf } from '../text/words.ts';
import { outlineText } from './outlineText.ts';

/** 0: only its path is known, 1: its words, 2: its declarations too. */
export type Stage = 0 | 1 | 2;

export interface FileRow {
  readonly id: number;
  /** Relative to the first folder, or `N/…` below the folder of that number. */
  readonly path: string;
  readonly size: number;
  /** Milliseconds; -1 of a text that is not saved. */
  readonly mtime: number;
  readonly stage: Stage;
  readonly refused: Refusal | null;
  /** Its passages: `count` rows from `first` on. */
  readonly first: number;
  readonly count: number;
}

export interface FileText extends Pick<FileRow, 'path' | 'size' | 'mtime'> {
  readonly text: string;
}

export class Files {
  private readonly db: DatabaseSync;
  private readonly statements: ReturnType<typeof prepare>;

  constructor(db: DatabaseSync) {
    this.db = db;
    this.statements = prepare(db);
  }

  all(): readonly FileRow[] {
    return this.statements.all.all() as unknown as readonly FileRow[];
  }

  one(path: string): FileRow | undefined {
    return this.statements.one.get(path) as unknown as FileRow | undefined;
  }

  hashOf(path: string): string | undefined {
    const row = this.statements.hash.get(path) as { hash: Uint8Array | null } | undefined;
    return row?.hash == null ? undefined : Buffer.from(row.hash).toString('hex');
  }

  /** Files of which only the path is taken, by their path. */
  leftOut(): readonly LeftOutFile[] {
    const rows = this.statements.leftOut.all() as unknown as readonly { path: string; refused: Refusal }[];
    return rows.map(({ path, refused }) => ({ path, reason: refusalWords[refused] }));
  }

  /** The file is as it was; only when it was written changed. */
  touch(id: number, size: number, mtime: number): void {
    this.statements.touch.run(size, mtime, id);
  }

  /** A file whose text is not taken, or not read yet: only its path can be found. */
  putPath(file: Omit<FileText, 'text'>, refused: Refusal | null): void {
    this.remove(file.path);
    this.statements.add.run(file.path, file.size, file.mtime, null, 0, refused, '', '');
  }

  put(file: FileText, cut: Cut, stage: Stage): void {
    this.remove(file.path);
    const { path, size, mtime, text } = file;
    const hash = Buffer.from(hashOf(text), 'hex');
    const imports = cut.imports.join('\n');
    const row = this.statements.add.run(path, size, mtime, hash, stage, null, outlineText(cut.declarations), imports);
    const id = Number(row.lastInsertRowid);
    const lines = linesOf(path, text);
    const ids = cut.passages.map((passage) => this.putPassage(id, passage, lines));
    this.statements.passagesOf.run(ids[0] ?? 0, ids.length, id);
  }

  private putPassage(file: number, { from, to, declares }: IndexedPassage, lines: readonly string[]): number {
    const text = lines.slice(from - 1, to).join('\n');
    const words = indexWordsOf(text);
    const { lastInsertRowid: id } = this.statements.passage.run(file, from, to, words.size, passageHash(text));
    this.statements.words.run(id, [...words, ...declaredTokens(declares)].join(' '));
    return Number(id);
  }

  remove(path: string): void {
    const row = this.one(path);
    if (row === undefined) return;
    // Each row is deleted by its own id, because FTS5 scans the whole table for a range of row ids.
    for (let id = row.first; id < row.first + row.count; id++) this.statements.unword.run(id);
    this.statements.unpassage.run(row.first, row.first + row.count);
    this.statements.unfile.run(row.id);
  }

  /** Runs it whole or not at all. */
  transaction<T>(run: () => T): T {
    this.db.exec('begin immediate');
    try {
      const result = run();
      this.db.exec('commit');
      return result;
    } catch (error) {
      this.db.exec('rollback');
      throw error;
    }
  }
}

function prepare(db: DatabaseSync) {
  const sql = (text: string) => db.prepare(text);
  const columns = 'id, path, size, mtime, stage, refused, first, count';
  return {
    all: sql(`select ${columns} from files`),
    one: sql(`select ${columns} from files where path = ?`),
    leftOut: sql('select path, refused from files where refused is not null order by path'),
    hash: sql('select hash from files where path = ?'),
    touch: sql('update files set size = ?, mtime = ? where id = ?'),
    add: sql(
      'insert into files(path, size, mtime, hash, stage, refused, outline, imports) values(?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    passagesOf: sql('update files set first = ?, count = ? where id = ?'),
    passage: sql('insert into passages(file, start, end, tokens, hash) values(?, ?, ?, ?, ?)'),
    words: sql('insert into words(rowid, tokens) values(?, ?)'),
    unword: sql('delete from words where rowid = ?'),
    unpassage: sql('delete from passages where id >= ? and id < ?'),
    unfile: sql('delete from files where id = ?'),
  };
}

/** Marks a token of a declared name. A letter (of the tokenizer's classes) that no source has. */
const declaredMark = '\u0298';

/** The token under which passages stand that declare a name, or a part of one. */
export function declaredToken(token: string): string {
  return `${declaredMark}${token}`;
}

function declaredTokens(names: readonly string[]): readonly string[] {
  const tokens = new Set<string>();
  for (const name of names) indexWordsOf(name, tokens).add(wordOf(name).whole);
  return [...tokens].map(declaredToken);
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** 52 bits of a passage's content, which a number holds: its vector is found again by it, wherever it moves. */
export function passageHash(text: string): number {
  return Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 13), 16);
}
