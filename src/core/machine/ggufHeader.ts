// Walks a GGUF's header before any library reads it: lengths that no file can hold end the library's process instead of its call.
// What the model is for stands in it too. Format: ggml's docs/gguf.md.

/** `ranking`: scores pairs of texts, and gives neither words nor vectors. */
export type ModelUse = Purpose | 'ranking';

/** The purpose for which Tidemark loads a model. */
export type Purpose = 'chat' | 'embedding';

export type Header = { readonly problem: string } | { readonly problem: null; readonly use: ModelUse };

/** Fills `into` with the file's bytes from `at` on; returns how many there were. */
export type ReadBytes = (into: Uint8Array, at: number) => number;

/** Bytes that are read at once. */
const step = 1 << 20;
/** A list or a text beyond these would take the memory before anything else could be said about the file. */
const mostItems = 1 << 25;
const mostText = 1 << 26;
const mostDimensions = 4;
/** Names of keys and architectures; a longer text is only passed over. */
const mostName = 64;

/** Bytes of a metadata value by its type; texts (8) and lists (9) have a length of their own. */
const sizes: Readonly<Record<number, number>> = {
  ...{ 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 },
};
const u32 = 4;
const text = 8;
const list = 9;
/** The least that a pair of metadata, and a tensor's entry, can take. */
const leastPair = 13;
const leastTensor = 24;

/** `bytes`: size of the file. A problem is in words. */
export function readHeader(bytes: number, read: ReadBytes): Header {
  const walk = new Walk(bytes, read);
  try {
    walk.skip(4);
    const version = walk.u32();
    // The library tries its luck with any version.
    if (version !== 2 && version !== 3)
      return { problem: `it is of GGUF version ${version}, and llama.cpp reads 2 and 3` };
    const tensors = walk.count(leastTensor, 'tensors');
    const pairs = walk.count(leastPair, 'metadata pairs');
    let architecture = '';
    const poolings = new Map<string, number>();
    for (let i = 0; i < pairs; i++) {
      const key = walk.text();
      const type = walk.u32();
      if (key === 'general.architecture' && type === text) architecture = walk.text();
      else if (key.endsWith(pooling) && type === u32) poolings.set(key, walk.u32());
      else walk.value(type);
    }
    for (let i = 0; i < tensors; i++) walk.tensor();
    return { problem: null, use: useOf(architecture, poolings.get(`${architecture}${pooling}`)) };
  } catch (error) {
    if (error instanceof Broken) return { problem: error.message };
    throw error;
  }
}

const pooling = '.pooling_type';
/** Architectures of llama.cpp that only encode: they cannot continue a text. */
const encoder = /bert(-|$)|-embed(ding)?$|^t5encoder$/;
/** llama.cpp's LLAMA_POOLING_TYPE_NONE and LLAMA_POOLING_TYPE_RANK. */
const [unpooled, ranks] = [0, 4];

/** A model that continues texts says how to pool its numbers only where it was trained to give vectors. */
function useOf(architecture: string, pooled: number = unpooled): ModelUse {
  if (pooled === ranks) return 'ranking';
  return encoder.test(architecture) || pooled !== unpooled ? 'embedding' : 'chat';
}

class Broken extends Error {}

class Walk {
  private readonly bytes: number;
  private readonly read: ReadBytes;
  private readonly window: DataView<ArrayBuffer>;
  private from = 0;
  private held = 0;
  private at = 0;
  private items = 0;

  constructor(bytes: number, read: ReadBytes) {
    this.bytes = bytes;
    this.read = read;
    this.window = new DataView(new ArrayBuffer(Math.min(step, Math.max(mostName, bytes))));
  }

  skip(bytes: number): void {
    if (bytes > this.bytes - this.at)
      throw new Broken(`at byte ${this.at} its header goes on beyond the end of the file`);
    this.at += bytes;
  }

  u32(): number {
    return this.window.getUint32(this.take(4), true);
  }

  /** A number of things that take at least `least` bytes each. */
  count(least: number, what: string): number {
    const count = this.window.getBigUint64(this.take(8), true);
    const room = Math.floor((this.bytes - this.at) / least);
    if (count > BigInt(room))
      throw new Broken(`its header speaks of ${count} ${what}, and the file has room for ${room}`);
    this.items += Number(count);
    if (this.items > mostItems) throw new Broken(`its header has more than ${mostItems} entries`);
    return Number(count);
  }

  /** A short one as it stands there, byte for byte; '' for a long one, which is only passed over. */
  text(): string {
    const length = this.length();
    if (length > mostName) this.skip(length);
    if (length === 0 || length > mostName) return '';
    return String.fromCharCode(...new Uint8Array(this.window.buffer, this.take(length), length));
  }

  value(type: number): void {
    if (type === text) this.skip(this.length());
    else if (type === list) this.list(this.u32());
    else this.skip(this.sizeOf(type));
  }

  tensor(): void {
    this.skip(this.length());
    const dimensions = this.u32();
    if (dimensions > mostDimensions) throw new Broken(`at byte ${this.at} a tensor has ${dimensions} dimensions`);
    this.skip(dimensions * 8 + 12);
  }

  /** Reads the length of a text, in bytes. */
  private length(): number {
    const length = this.window.getBigUint64(this.take(8), true);
    if (length > BigInt(mostText)) throw new Broken(`at byte ${this.at} a text is ${length} bytes long`);
    return Number(length);
  }

  private list(type: number): void {
    if (type === list) throw new Broken(`at byte ${this.at} a list holds lists`);
    const size = type === text ? 8 : this.sizeOf(type);
    const count = this.count(size, 'list items');
    if (type !== text) this.skip(count * size);
    else for (let i = 0; i < count; i++) this.skip(this.length());
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
      this.held = this.read(new Uint8Array(this.window.buffer), start);
      // The file became shorter while it was read.
      if (this.held < bytes) throw new Broken(`it ends at byte ${start + this.held}`);
    }
    return start - this.from;
  }
}
