// Walks a GGUF's header before any library reads it: lengths that no file can hold end the library's process instead of its call.
// The use of the file stands in it too. Format: ggml's docs/gguf.md.

/** The use of a file. */
export type ModelUse = Purpose | OtherUse;

/**
 * Uses for which Tidemark loads nothing. `ranking`: scores pairs of texts, and gives neither words nor vectors; `projector`: turns pictures
 * into tokens of a chat model; `adapter`: changes a model, as a LoRA does; `imatrix`: which weights a quantisation has to spare; `image`:
 * draws pictures; `draft`: guesses for another model; `part`: a later part of a model in several files.
 */
export type OtherUse = 'ranking' | 'projector' | 'adapter' | 'imatrix' | 'image' | 'draft' | 'part';

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
const u16 = 2;
const u32 = 4;
const text = 8;
const list = 9;
/** How many numbers of a tensor stand in a block, and the block's bytes, by ggml's number for the kind. */
const blocks: Readonly<Record<number, readonly [numbers: number, bytes: number]>> = {
  ...{ 0: [1, 4], 1: [1, 2], 2: [32, 18], 3: [32, 20], 6: [32, 22], 7: [32, 24], 8: [32, 34] },
  ...{ 10: [256, 84], 11: [256, 110], 12: [256, 144], 13: [256, 176], 14: [256, 210], 16: [256, 66] },
  ...{ 17: [256, 74], 18: [256, 98], 19: [256, 50], 20: [32, 18], 21: [256, 110], 22: [256, 82] },
  ...{ 23: [256, 136], 29: [256, 56], 30: [1, 2], 39: [32, 17] },
};
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
    const said = new Map<string, string | number>();
    for (let i = 0; i < pairs; i++) {
      const key = walk.text();
      const type = walk.u32();
      const value = isTelling(key) ? walk.told(type) : walk.value(type);
      if (value !== undefined) said.set(key, value);
    }
    let end = 0;
    for (let i = 0; i < tensors; i++) end = Math.max(end, walk.tensor());
    if (tensors > 0) walk.weights(end, Number(said.get(alignment) ?? 32));
    return { problem: null, use: useOf(said) };
  } catch (error) {
    if (error instanceof Broken) return { problem: error.message };
    throw error;
  }
}

const pooling = '.pooling_type';
const alignment = 'general.alignment';
const telling = new Set(['general.architecture', 'general.type', 'split.no', alignment]);
const isTelling = (key: string) => telling.has(key) || key.endsWith(pooling);
/** Architectures of llama.cpp that only encode: they cannot continue a text. */
const encoder = /bert(-|$)|-embed(ding)?$|^t5encoder$/;
/** llama.cpp's LLAMA_POOLING_TYPE_NONE and LLAMA_POOLING_TYPE_RANK. */
const [unpooled, ranks] = [0, 4];

/** Architectures that turn pictures into tokens, draw pictures, and guess for another model; llama.cpp's loader of models has the last alone. */
const projector = /^(clip|mmproj)$/;
const draws =
  /^(flux\d?|sd[123]|sdxl|aura|hidream|cosmos|ltxv?|hyvid|hunyuan_?video|wan|lumina2|qwen_image|z_?image|chroma|pig)$/;
const guesses = /^(eagle\d*|dflash\w*)$/;
/** Files that are no model say so in `general.type`. */
const types: Readonly<Record<string, OtherUse>> = { mmproj: 'projector', adapter: 'adapter', imatrix: 'imatrix' };

/** A model that continues texts says how to pool its numbers only where it was trained to give vectors. */
function useOf(said: ReadonlyMap<string, string | number>): ModelUse {
  const architecture = String(said.get('general.architecture') ?? '');
  const pooled = said.get(`${architecture}${pooling}`) ?? unpooled;
  const type = String(said.get('general.type') ?? '');
  if (Object.hasOwn(types, type)) return types[type] as OtherUse;
  if (Number(said.get('split.no') ?? 0) > 0) return 'part';
  if (projector.test(architecture)) return 'projector';
  if (draws.test(architecture)) return 'image';
  if (guesses.test(architecture)) return 'draft';
  if (pooled === ranks) return 'ranking';
  return encoder.test(architecture) || pooled !== unpooled ? 'embedding' : 'chat';
}

class Broken extends Error {}

class Walk {
  private readonly bytes: number;
  private readonly read: ReadBytes;
  private readonly window: DataView<ArrayBuffer>;
  private from = 0;
  private loaded = 0;
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
    const left = Math.floor((this.bytes - this.at) / least);
    if (count > BigInt(left))
      throw new Broken(`its header speaks of ${count} ${what}, and the file has room for ${left}`);
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

  value(type: number): undefined {
    if (type === text) this.skip(this.length());
    else if (type === list) this.list(this.u32());
    else this.skip(this.sizeOf(type));
  }

  /** A text or a whole number without a sign; undefined for anything else, which is passed over. */
  told(type: number): string | number | undefined {
    if (type === text) return this.text();
    if (type === u32) return this.u32();
    return type === u16 ? this.window.getUint16(this.take(2), true) : this.value(type);
  }

  /** Returns where its weights end, counted from where all weights begin; where they begin, for kinds of weights that are not known. */
  tensor(): number {
    this.skip(this.length());
    const dimensions = this.u32();
    if (dimensions > mostDimensions) throw new Broken(`at byte ${this.at} a tensor has ${dimensions} dimensions`);
    let numbers = 1;
    for (let i = 0; i < dimensions; i++) numbers *= this.u64();
    const [block, bytes] = blocks[this.u32()] ?? [1, 0];
    return this.u64() + Math.ceil(numbers / block) * bytes;
  }

  /** Throws where the weights, which end at `end` behind the header, go on beyond the file. */
  weights(end: number, aligned: number): void {
    const missing = Math.ceil(this.at / aligned) * aligned + end - this.bytes;
    if (missing > 0) throw new Broken(`it is not whole: ${missing} bytes of its weights are missing`);
  }

  /** A vocabulary has hundreds of thousands of these, so no BigInt is made of each. */
  private u64(): number {
    const at = this.take(8);
    return this.window.getUint32(at, true) + this.window.getUint32(at + 4, true) * 2 ** 32;
  }

  /** Reads the length of a text, in bytes. */
  private length(): number {
    const length = this.u64();
    if (length > mostText) throw new Broken(`at byte ${this.at} a text is ${length} bytes long`);
    return length;
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
    if (start < this.from || this.at > this.from + this.loaded) {
      this.from = start;
      this.loaded = this.read(new Uint8Array(this.window.buffer), start);
      // The file became shorter while it was read.
      if (this.loaded < bytes) throw new Broken(`it ends at byte ${start + this.loaded}`);
    }
    return start - this.from;
  }
}
