// Walks a GGUF's header before any library reads it: lengths that no file can hold end the library's process instead of its call.
// Format: ggml's docs/gguf.md.
import { readSync } from 'node:fs';

/** Bytes that are read at once. */
const step = 1 << 20;
/** A list or a text beyond these would take the memory before anything else could be said about the file. */
const mostItems = 1 << 25;
const mostText = 1 << 26;
const mostDimensions = 4;

/** Bytes of a metadata value by its type; texts (8) and lists (9) have a length of their own. */
const sizes: Readonly<Record<number, number>> = {
  ...{ 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 },
};
const text = 8;
const list = 9;
/** The least that a pair of metadata, and a tensor's entry, can take. */
const leastPair = 13;
const leastTensor = 24;

/** What is wrong with the header, in words; null for a sound one. */
export function headerProblem(file: number, bytes: number): string | null {
  const walk = new Walk(file, bytes);
  try {
    walk.skip(4);
    const version = walk.u32();
    // The library tries its luck with any version.
    if (version !== 2 && version !== 3) return `it is of GGUF version ${version}, and llama.cpp reads 2 and 3`;
    const tensors = walk.count(leastTensor, 'tensors');
    const pairs = walk.count(leastPair, 'metadata pairs');
    for (let i = 0; i < pairs; i++) {
      walk.text();
      walk.value(walk.u32());
    }
    for (let i = 0; i < tensors; i++) walk.tensor();
    return null;
  } catch (error) {
    if (error instanceof Broken) return error.message;
    throw error;
  }
}

class Broken extends Error {}

class Walk {
  private readonly file: number;
  private readonly bytes: number;
  private readonly window: Buffer;
  private from = 0;
  private held = 0;
  private at = 0;
  private items = 0;

  constructor(file: number, bytes: number) {
    this.file = file;
    this.bytes = bytes;
    this.window = Buffer.alloc(Math.min(step, Math.max(16, bytes)));
  }

  skip(bytes: number): void {
    if (bytes > this.bytes - this.at)
      throw new Broken(`at byte ${this.at} its header goes on beyond the end of the file`);
    this.at += bytes;
  }

  u32(): number {
    return this.window.readUInt32LE(this.take(4));
  }

  /** A number of things that take at least `least` bytes each. */
  count(least: number, what: string): number {
    const count = this.window.readBigUInt64LE(this.take(8));
    const room = Math.floor((this.bytes - this.at) / least);
    if (count > BigInt(room))
      throw new Broken(`its header speaks of ${count} ${what}, and the file has room for ${room}`);
    this.items += Number(count);
    if (this.items > mostItems) throw new Broken(`its header has more than ${mostItems} entries`);
    return Number(count);
  }

  text(): void {
    const length = this.window.readBigUInt64LE(this.take(8));
    if (length > BigInt(mostText)) throw new Broken(`at byte ${this.at} a text is ${length} bytes long`);
    this.skip(Number(length));
  }

  value(type: number): void {
    if (type === text) this.text();
    else if (type === list) this.list(this.u32());
    else this.skip(this.sizeOf(type));
  }

  tensor(): void {
    this.text();
    const dimensions = this.u32();
    if (dimensions > mostDimensions) throw new Broken(`at byte ${this.at} a tensor has ${dimensions} dimensions`);
    this.skip(dimensions * 8 + 12);
  }

  private list(type: number): void {
    if (type === list) throw new Broken(`at byte ${this.at} a list holds lists`);
    const size = type === text ? 8 : this.sizeOf(type);
    const count = this.count(size, 'list items');
    if (type !== text) this.skip(count * size);
    else for (let i = 0; i < count; i++) this.text();
  }

  private sizeOf(type: number): number {
    const size = sizes[type];
    if (size === undefined) throw new Broken(`at byte ${this.at} a value is of the unknown type ${type}`);
    return size;
  }

  /** Passes over so many bytes, and says where in the window they stand. */
  private take(bytes: number): number {
    const start = this.at;
    this.skip(bytes);
    if (start < this.from || this.at > this.from + this.held) {
      this.from = start;
      this.held = readSync(this.file, this.window, 0, this.window.length, start);
      // It became shorter while it was read.
      if (this.held < bytes) throw new Broken(`it ends at byte ${start + this.held}`);
    }
    return start - this.from;
  }
}
