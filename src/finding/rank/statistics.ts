// Tells in which passages of the index a token stands, and how rare it is.
import type { DatabaseSync } from 'node:sqlite';
import { declaredToken } from '../db/files.ts';

/** The most passages that a token may stand in: a more frequent one does not tell anybody where to look. */
const mostRows = 50_000;

export class Statistics {
  /** Passages in all. */
  readonly passages: number;
  private readonly known: Map<string, number>;
  private readonly rows;
  private readonly frequency;

  /** `known` keeps how many passages hold a token from one question to the next: counting takes a look at each of them. */
  constructor(db: DatabaseSync, passages: number, known: Map<string, number>) {
    this.passages = passages;
    this.known = known;
    this.rows = db.prepare('select rowid from words where words match ?');
    this.rows.setReturnArrays(true);
    this.frequency = db.prepare('select doc from vocabulary where term = ?');
  }

  /** Passages that hold the token. */
  passagesWith(token: string): number {
    const frequency = this.known.get(token) ?? (this.frequency.get(token) as { doc: number } | undefined)?.doc ?? 0;
    this.known.set(token, frequency);
    return frequency;
  }

  /** Their ids; empty where there are too many. */
  idsWith(token: string, frequency = this.passagesWith(token)): readonly number[] {
    if (frequency === 0 || frequency > mostRows) return [];
    return (this.rows.all(`"${token}"`) as unknown as readonly (readonly [number])[]).map(([id]) => id);
  }

  idsThatDeclare(name: string): readonly number[] {
    return this.idsWith(declaredToken(name));
  }
}

/** Robertson and Spärck Jones's weight of a term, kept positive as in Lucene. */
export function rarity(frequency: number, passages: number): number {
  return Math.log(1 + (passages - frequency + 0.5) / (frequency + 0.5));
}

/** Passages in all, and the distinct tokens one has in the mean. Looks at every row. */
export function countPassages(db: DatabaseSync): { readonly passages: number; readonly tokens: number } {
  const sql = 'select count(*) as passages, coalesce(avg(tokens), 1) as tokens from passages';
  return db.prepare(sql).get() as unknown as { passages: number; tokens: number };
}
