// Passages near a question in the space of an embedding model: int8 vectors of length one, compared one by one.
import type { DatabaseSync } from 'node:sqlite';

/** How near parts of passages are, by the passage; none of one that has no vectors of its parts. */
export type PartsNear = ReadonlyMap<number, readonly number[]>;

export interface Near {
  readonly id: number;
  /** Cosine of the angle between passage and question. */
  readonly cosine: number;
}

const scale = 127;

/** A vector of length one in bytes: a hundred times smaller than the passage, and ranks as the floats do. */
export function packed(vector: readonly number[] | Float32Array): Int8Array {
  const length = Math.hypot(...vector) || 1;
  return Int8Array.from(vector, (value) => Math.round((value / length) * scale));
}

/** The cosines of the parts of some passages with a question, in the order of the parts. */
export function partsNear(
  db: DatabaseSync,
  model: number,
  question: Int8Array,
  passages: readonly number[],
): PartsNear {
  const rows = db
    .prepare(
      `select p.id, v.vector from passages p join vectors v on v.hash = p.hash and v.model = ? and v.part > 0
       where p.id in (select value from json_each(?)) order by p.id, v.part`,
    )
    .all(model, JSON.stringify(passages)) as unknown as readonly { id: number; vector: Uint8Array }[];
  const near = new Map<number, number[]>();
  for (const { id, vector } of rows) {
    if (vector.length !== question.length) continue;
    const values = new Int8Array(vector.buffer, vector.byteOffset, vector.length);
    near.set(id, [...(near.get(id) ?? []), product(question, values, 0) / (scale * scale)]);
  }
  return near;
}

function product(question: Int8Array, values: Int8Array, start: number): number {
  let sum = 0;
  for (let i = 0; i < question.length; i++) sum += (question[i] ?? 0) * (values[start + i] ?? 0);
  return sum;
}

/** The vectors of all whole passages of one model. Read once, and again when the index changed. */
export class Vectors {
  private readonly ids: Int32Array;
  private readonly values: Int8Array;
  readonly dimensions: number;

  constructor(db: DatabaseSync, model: number) {
    const rows = db
      .prepare('select p.id, v.vector from passages p join vectors v on v.hash = p.hash and v.model = ? and v.part = 0')
      .all(model) as unknown as readonly { id: number; vector: Uint8Array }[];
    this.dimensions = rows[0]?.vector.length ?? 0;
    this.ids = Int32Array.from(rows, ({ id }) => id);
    this.values = new Int8Array(rows.length * this.dimensions);
    for (const [at, { vector }] of rows.entries())
      if (vector.length === this.dimensions)
        this.values.set(new Int8Array(vector.buffer, vector.byteOffset, vector.length), at * this.dimensions);
  }

  get count(): number {
    return this.ids.length;
  }

  nearest(question: Int8Array, most: number): readonly Near[] {
    if (question.length !== this.dimensions) return [];
    const found = Array.from(this.ids, (id, at) => ({
      id,
      cosine: product(question, this.values, at * this.dimensions) / (scale * scale),
    }));
    return found.toSorted((one, two) => two.cosine - one.cosine).slice(0, most);
  }
}
