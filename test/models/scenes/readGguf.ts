// Reads the metadata of a GGUF version 3 file. Format: ggml's docs/gguf.md.
import type { Value } from './gguf.ts';

export function readMetadata(file: Buffer): Readonly<Record<string, Value>> {
  const cursor = new Cursor(file);
  if (cursor.take(4).toString('latin1') !== 'GGUF' || cursor.u32() !== 3)
    throw new Error('not a GGUF file of version 3');
  cursor.u64();
  const entries = cursor.u64();
  const metadata: Record<string, Value> = {};
  for (let i = 0; i < entries; i++) {
    const key = cursor.string();
    metadata[key] = readValue(cursor, cursor.u32());
  }
  return metadata;
}

class Cursor {
  private readonly file: Buffer;
  private at = 0;

  constructor(file: Buffer) {
    this.file = file;
  }

  take(bytes: number): Buffer {
    this.at += bytes;
    return this.file.subarray(this.at - bytes, this.at);
  }

  u32 = (): number => this.take(4).readUInt32LE();
  i32 = (): number => this.take(4).readInt32LE();
  f32 = (): number => this.take(4).readFloatLE();
  u64 = (): number => Number(this.take(8).readBigUInt64LE());
  string = (): string => this.take(this.u64()).toString('utf8');
}

function readValue(cursor: Cursor, type: number): Value {
  switch (type) {
    case 4:
      return { type: 'u32', value: cursor.u32() };
    case 5:
      return { type: 'i32', value: cursor.i32() };
    case 6:
      return { type: 'f32', value: cursor.f32() };
    case 7:
      return { type: 'bool', value: cursor.take(1)[0] === 1 };
    case 8:
      return { type: 'string', value: cursor.string() };
    case 9:
      return readArray(cursor, cursor.u32());
    default:
      throw new Error(`metadata of type ${type} is not read here`);
  }
}

function readArray(cursor: Cursor, type: number): Value {
  const length = cursor.u64();
  const each = <T>(read: () => T) => Array.from({ length }, read);
  // Only skipped over: no tokenizer setting that is copied is a list of these.
  if (type === 7) return { type: 'i32s', value: each(() => cursor.take(1)[0] ?? 0) };
  if (type === 5) return { type: 'i32s', value: each(cursor.i32) };
  if (type === 6) return { type: 'f32s', value: each(cursor.f32) };
  if (type === 8) return { type: 'strings', value: each(cursor.string) };
  throw new Error(`arrays of type ${type} are not read here`);
}
