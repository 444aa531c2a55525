// Passages near a question in the space of an embedding model: int8 vectors of length one, compared one by one.
import type { DatabaseSync } from 'node:sqlite';

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

/** All vectors of one model, beside the passages that have them. Read once, and again when the index changed. */
export class Vectors {
  private readonly ids: Int32Array;
  private readonly values: Int8Array;
  readonly dimensions: number;

  constructor(db: DatabaseSync, model: number) {
    const rows = db
      .prepare('select p.id, v.vector from passages p join vectors v on v.hash = p.hash and v.model = ?')
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
    const found = Array.from(this.ids, (id, at) => ({ id, cosine: this.product(question, at) / (scale * scale) }));
    return found.toSorted((one, two) => two.cosine - one.cosine).slice(0, most);
  }

  private product(question: Int8Array, at: number): number {
    const { values, dimensions } = this;
    const start = at * dimensions;
    let sum = 0;
    for (let i = 0; i < dimensions; i++) sum += (question[i] ?? 0) * (values[start + i] ?? 0);
    return sum;
  }
}
