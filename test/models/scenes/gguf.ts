// Writes GGUF version 3 files, enough for small synthetic models. Format: ggml's docs/gguf.md.
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';

export type Value =
  | { readonly type: 'u16' | 'u32' | 'i32' | 'f32'; readonly value: number }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'bools'; readonly value: readonly boolean[] }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'strings'; readonly value: readonly string[] }
  | { readonly type: 'i32s' | 'f32s'; readonly value: readonly number[] };

/** A float32 tensor: dimensions innermost first, and a function that gives the number at a flat index. */
export interface Tensor {
  readonly name: string;
  readonly dimensions: readonly number[];
  readonly at: (index: number) => number;
}

/** Quantised weights: whole blocks for 32 numbers each, written again and again until the tensor is full. */
export interface Blocks {
  readonly name: string;
  readonly dimensions: readonly number[];
  readonly blocks: Buffer;
  /** Q8_0 where it is not said. */
  readonly quantisation?: keyof typeof quantisations;
}

/** Weights that nobody wrote: the file has a hole there, which takes no space on the disk. Q8_0 where it has rows of whole blocks, else float32. */
export interface Hole {
  readonly name: string;
  readonly dimensions: readonly number[];
  readonly hole: true;
}

const quantisations = { q4_0: { code: 2, bytes: 18 }, q8_0: { code: 8, bytes: 34 } } as const;

function quantisationOf({
  quantisation = 'q8_0',
}: Partial<Blocks>): (typeof quantisations)[keyof typeof quantisations] {
  return quantisations[quantisation];
}

const codes = { u16: 2, u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9 } as const;
const alignment = 32;

export function writeGguf(
  path: string,
  metadata: Readonly<Record<string, Value>>,
  tensors: readonly (Tensor | Blocks | Hole)[],
): void {
  const head: Buffer[] = [Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(Object.keys(metadata).length)];
  for (const [key, value] of Object.entries(metadata)) head.push(string(key), encode(value));
  let offset = 0;
  for (const tensor of tensors) {
    const { name, dimensions } = tensor;
    const type = isFloat(tensor) ? 0 : quantisationOf(tensor).code;
    head.push(string(name), u32(dimensions.length), ...dimensions.map(u64), u32(type), u64(offset));
    offset = aligned(offset + bytesOf(tensor));
  }
  const file = openSync(path, 'w');
  const start = Buffer.concat(head);
  writeSync(file, Buffer.concat([start, Buffer.alloc(aligned(start.length) - start.length)]));
  for (const tensor of tensors) {
    if ('hole' in tensor) continue;
    if ('at' in tensor) writeNumbers(file, tensor);
    else writeBlocks(file, tensor);
    writeSync(file, Buffer.alloc(aligned(bytesOf(tensor)) - bytesOf(tensor)));
  }
  ftruncateSync(file, aligned(start.length) + offset);
  closeSync(file);
}

function isFloat(tensor: Tensor | Blocks | Hole): boolean {
  return (
    'at' in tensor || ('hole' in tensor && (tensor.dimensions.length === 1 || (tensor.dimensions[0] ?? 0) % 32 !== 0))
  );
}

function bytesOf(tensor: Tensor | Blocks | Hole): number {
  return isFloat(tensor)
    ? count(tensor.dimensions) * 4
    : (count(tensor.dimensions) / 32) * quantisationOf(tensor).bytes;
}

function writeNumbers(file: number, { dimensions, at }: Tensor): void {
  const numbers = Float32Array.from({ length: count(dimensions) }, (_, i) => at(i));
  writeSync(file, Buffer.from(numbers.buffer));
}

function writeBlocks(file: number, tensor: Blocks): void {
  for (let left = bytesOf(tensor); left > 0; left -= tensor.blocks.length) {
    writeSync(file, tensor.blocks.subarray(0, Math.min(left, tensor.blocks.length)));
  }
}

function encode({ type, value }: Value): Buffer {
  switch (type) {
    case 'u16':
      return Buffer.concat([u32(codes.u16), u32(value).subarray(0, 2)]);
    case 'u32':
      return Buffer.concat([u32(codes.u32), u32(value)]);
    case 'i32':
      return Buffer.concat([u32(codes.i32), i32(value)]);
    case 'f32':
      return Buffer.concat([u32(codes.f32), f32(value)]);
    case 'bool':
      return Buffer.concat([u32(codes.bool), Buffer.from([value ? 1 : 0])]);
    case 'string':
      return Buffer.concat([u32(codes.string), string(value)]);
    case 'strings':
      return Buffer.concat([u32(codes.array), u32(codes.string), u64(value.length), ...value.map(string)]);
    case 'bools':
      return Buffer.concat([u32(codes.array), u32(codes.bool), u64(value.length), Buffer.from(value.map(Number))]);
    case 'i32s':
      return Buffer.concat([u32(codes.array), u32(codes.i32), u64(value.length), ...value.map(i32)]);
    case 'f32s':
      return Buffer.concat([u32(codes.array), u32(codes.f32), u64(value.length), ...value.map(f32)]);
    default:
      return type satisfies never;
  }
}

function count(dimensions: readonly number[]): number {
  return dimensions.reduce((a, b) => a * b, 1);
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function i32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function string(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  return Buffer.concat([u64(bytes.length), bytes]);
}
