// Writes a tiny transformer with random weights around any tokenizer: two layers of width 64.
import { type Blocks, type Tensor, type Value, writeGguf } from './gguf.ts';

const width = 64;
const usualLayers = 2;
const heads = 4;
const kvWidth = 32;
const feedForward = 128;
const seedLength = 65521;

export interface Tiny {
  readonly name: string;
  /** All `tokenizer.*` metadata. */
  readonly tokenizer: Readonly<Record<string, Value>>;
  /** Size of the vocabulary. */
  readonly tokens: number;
  readonly contextLength: number;
  /** Transformer layers, 2 where nothing is said. */
  readonly layers?: number | undefined;
  /** Fills every weight with this instead of random numbers. */
  readonly weight?: number | undefined;
  readonly more?: readonly Tensor[];
  /** Writes the matrices as blocks of zeros of this kind: for what only looks at sizes. */
  readonly zeros?: Blocks['quantisation'] | undefined;
}

export function writeTiny(path: string, tiny: Tiny): void {
  const { name, tokenizer, tokens, contextLength, layers = usualLayers, weight, more = [], zeros } = tiny;
  const metadata: Record<string, Value> = {
    ...qwen2Metadata(name, { layers, contextLength, width, feedForward, heads, kvWidth }),
    ...tokenizer,
  };
  const weights = tensors(tokens, layers, weight);
  const written = zeros === undefined ? weights : weights.map((tensor) => withZeros(tensor, zeros));
  writeGguf(path, metadata, [...written, ...more]);
}

function withZeros(tensor: Tensor, quantisation: NonNullable<Blocks['quantisation']>): Tensor | Blocks {
  const { name, dimensions } = tensor;
  return dimensions.length < 2 ? tensor : { name, dimensions, quantisation, blocks: Buffer.alloc(18 * 34) };
}

interface Shape {
  readonly layers: number;
  readonly contextLength: number;
  readonly width: number;
  readonly feedForward: number;
  readonly heads: number;
  readonly kvWidth: number;
}

export function qwen2Metadata(name: string, shape: Shape): Record<string, Value> {
  const u32 = (value: number): Value => ({ type: 'u32', value });
  const { layers, contextLength, width, feedForward, heads, kvWidth } = shape;
  return {
    'general.architecture': { type: 'string', value: 'qwen2' },
    'general.name': { type: 'string', value: name },
    'qwen2.block_count': u32(layers),
    'qwen2.context_length': u32(contextLength),
    'qwen2.embedding_length': u32(width),
    'qwen2.feed_forward_length': u32(feedForward),
    'qwen2.attention.head_count': u32(heads),
    'qwen2.attention.head_count_kv': u32(kvWidth / (width / heads)),
    'qwen2.rope.freq_base': { type: 'f32', value: 1_000_000 },
    'qwen2.attention.layer_norm_rms_epsilon': { type: 'f32', value: 1e-6 },
  };
}

/** Gives each tensor its own numbers, the same in every file. */
export function randomWeights(weight?: number): (scale: number) => (index: number) => number {
  const numbers = normals();
  let salt = 0;
  return (scale) => {
    salt += 7919;
    const from = salt;
    return (i) => weight ?? (numbers[(i * 31 + from) % seedLength] ?? 0) * scale;
  };
}

function tensors(vocabulary: number, layers: number, weight: number | undefined): readonly Tensor[] {
  const random = randomWeights(weight);
  const matrix = (name: string, from: number, to: number, scale = 1 / Math.sqrt(from)): Tensor => ({
    name: `${name}.weight`,
    dimensions: [from, to],
    at: random(scale),
  });
  const norm = (name: string): Tensor => ({ name: `${name}.weight`, dimensions: [width], at: () => 1 });
  const bias = (name: string, size: number): Tensor => ({ name: `${name}.bias`, dimensions: [size], at: random(0.01) });
  const block = (i: number): readonly Tensor[] => [
    norm(`blk.${i}.attn_norm`),
    matrix(`blk.${i}.attn_q`, width, width),
    bias(`blk.${i}.attn_q`, width),
    matrix(`blk.${i}.attn_k`, width, kvWidth),
    bias(`blk.${i}.attn_k`, kvWidth),
    matrix(`blk.${i}.attn_v`, width, kvWidth),
    bias(`blk.${i}.attn_v`, kvWidth),
    matrix(`blk.${i}.attn_output`, width, width),
    norm(`blk.${i}.ffn_norm`),
    matrix(`blk.${i}.ffn_gate`, width, feedForward),
    matrix(`blk.${i}.ffn_up`, width, feedForward),
    matrix(`blk.${i}.ffn_down`, feedForward, width),
  ];
  const blocks = Array.from({ length: layers }, (_, i) => block(i)).flat();
  return [
    matrix('token_embd', width, vocabulary, 0.4),
    norm('output_norm'),
    matrix('output', width, vocabulary),
    ...blocks,
  ];
}

/** Normally distributed numbers from a fixed seed (xorshift, Box-Muller). */
function normals(): Float32Array {
  let state = 0x9e3779b9;
  const uniform = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 1) / 4294967297;
  };
  return Float32Array.from(
    { length: seedLength },
    () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
  );
}
