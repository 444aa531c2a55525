// Proposes passages that are worth reading: those that hold the rarest words of the question, and that declare what it names.
import type { DatabaseSync } from 'node:sqlite';
import type { Question, Term } from './question.ts';
import { rarity, type Statistics } from './statistics.ts';

/** A term with how rare it is in this folder. */
export interface Weighed extends Term {
  /** Passages that hold it. */
  readonly frequency: number;
  /** Its weight times its rarity. */
  readonly value: number;
}

export interface PassageRow {
  readonly id: number;
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly outline: string;
  readonly imports: string;
}

const mostProposed = 140;
/** Ids that are looked at, beside those of the rarest word; the most frequent words are left to the reading. */
const mostVisited = 12_000;

export function weighWords(question: Question, statistics: Statistics): readonly Weighed[] {
  const { passages } = statistics;
  return question.terms.map((term) => {
    const frequency = statistics.passagesWith(term.token);
    return { ...term, frequency, value: term.weight * rarity(frequency, passages) };
  });
}

/** Ids of passages, the most promising first, by rarity alone. */
export function propose(question: Question, terms: readonly Weighed[], statistics: Statistics): readonly number[] {
  const scores = new Map<number, number>();
  let visited = 0;
  const add = (ids: readonly number[], value: number): void => {
    visited += ids.length;
    for (const id of ids) scores.set(id, (scores.get(id) ?? 0) + value);
  };
  const { passages } = statistics;
  for (const [name, { sure }] of question.names) {
    const ids = statistics.idsThatDeclare(name);
    add(ids, (sure ? 2 : 1) * rarity(ids.length, passages));
  }
  for (const { token, frequency, value } of terms.toSorted((one, two) => one.frequency - two.frequency)) {
    if (visited > 0 && visited + frequency > mostVisited) break;
    add(statistics.idsWith(token, frequency), value);
    add(statistics.idsThatDeclare(token), value);
  }
  const best = [...scores].toSorted((one, two) => two[1] - one[1]).slice(0, mostProposed);
  return best.map(([id]) => id);
}

/** Ids of all passages of some files. */
export function passageIds(db: DatabaseSync, paths: readonly string[]): readonly number[] {
  const sql =
    'select p.id from passages p join files f on f.id = p.file where f.path in (select value from json_each(?))';
  return (db.prepare(sql).all(JSON.stringify(paths)) as unknown as readonly { readonly id: number }[]).map(
    ({ id }) => id,
  );
}

export function passageRows(db: DatabaseSync, ids: readonly number[]): readonly PassageRow[] {
  const sql = `select p.id, f.path, p.start, p.end, f.outline, f.imports from passages p join files f on f.id = p.file
    where p.id in (select value from json_each(?))`;
  return db.prepare(sql).all(JSON.stringify(ids)) as unknown as readonly PassageRow[];
}
