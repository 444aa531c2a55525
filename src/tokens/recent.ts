// A map that holds what was used most recently, up to a number of entries, and counts how often it knew.
import { createHash } from 'node:crypto';

export class Recent<Value> {
  /** In the order of their last use: a Map gives its keys in the order in which they were set. */
  private readonly entries = new Map<string, Value>();
  private most: number;
  private counts = { hits: 0, misses: 0 };

  /** `capacity` in entries; less than 1 holds nothing. */
  constructor(capacity: number) {
    this.most = capacity;
  }

  get size(): number {
    return this.entries.size;
  }

  get hits(): number {
    return this.counts.hits;
  }

  get misses(): number {
    return this.counts.misses;
  }

  get capacity(): number {
    return this.most;
  }

  /** Lets go of the entries that were used longest ago, where there are too many. */
  set capacity(capacity: number) {
    this.most = capacity;
    this.trim();
  }

  /** Counts as a use. */
  get(key: string): Value | undefined {
    const value = this.entries.get(key);
    this.counts[value === undefined ? 'misses' : 'hits'] += 1;
    if (value !== undefined) this.put(key, value);
    return value;
  }

  /** Whether it is known; counts as no use, no hit and no miss. */
  has(key: string): boolean {
    return this.entries.has(key);
  }

  set(key: string, value: Value): void {
    this.put(key, value);
    this.trim();
  }

  private put(key: string, value: Value): void {
    this.entries.delete(key);
    this.entries.set(key, value);
  }

  private trim(): void {
    for (const key of this.entries.keys()) {
      if (this.entries.size <= this.most) return;
      this.entries.delete(key);
    }
  }
}

/** Returns the key of a text's count: short whatever the text, and another one for every model. */
export function keyOf(fingerprint: string, text: string): string {
  return `${fingerprint}:${createHash('sha256').update(text).digest('base64url')}`;
}
