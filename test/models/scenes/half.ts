// The models of the benchmark: Qwen2.5's vocabulary and template around two tiny layers, or around random weights with the
// dimensions of Qwen2.5-0.5B in Q8_0. Dimensions: its config.json.
import { bundleModel, keptModel, qwen25, type RealVocabulary, realTokenizer } from './bundle.ts';
import { type Blocks, type Tensor, type Value, writeGguf } from './gguf.ts';
import { qwen2Metadata } from './tiny.ts';

export type Size = 'small' | 'half';

const vocabulary: RealVocabulary = {
  vocabulary: 'qwen2',
  template: 'Qwen-Qwen2.5-7B-Instruct.jinja',
  patch: qwen25,
  eos: 151645,
};

export function benchModel(size: Size): string {
  return size === 'small' ? bundleModel(vocabulary) : keptModel('half-1', writeHalf);
}

const width = 896;
const layers = 24;
const heads = 14;
const kvWidth = 128;
const feedForward = 4864;

function writeHalf(path: string): void {
  const { tokenizer, tokens } = realTokenizer(vocabulary);
  const metadata: Record<string, Value> = {
    ...qwen2Metadata('half', { layers, contextLength: 32768, width, feedForward, heads, kvWidth }),
    'general.file_type': { type: 'u32', value: 7 },
    ...tokenizer,
  };
  writeGguf(path, metadata, tensors(tokens));
}

/** Makes the model's tensors. The embedding is the output matrix too, as in the real file. */
function tensors(vocabulary: number): readonly (Tensor | Blocks)[] {
  const random = randomBlocks();
  const matrix = (name: string, from: number, to: number, scale = 1): Blocks => {
    return { name: `${name}.weight`, dimensions: [from, to], blocks: scaled(random, scale / Math.sqrt(from)) };
  };
  const vector = (name: string, size: number, value: number): Tensor => ({ name, dimensions: [size], at: () => value });
  const block = (i: number): readonly (Tensor | Blocks)[] => [
    vector(`blk.${i}.attn_norm.weight`, width, 1),
    matrix(`blk.${i}.attn_q`, width, width),
    vector(`blk.${i}.attn_q.bias`, width, 0.01),
    matrix(`blk.${i}.attn_k`, width, kvWidth),
    vector(`blk.${i}.attn_k.bias`, kvWidth, 0.01),
    matrix(`blk.${i}.attn_v`, width, kvWidth),
    vector(`blk.${i}.attn_v.bias`, kvWidth, 0.01),
    matrix(`blk.${i}.attn_output`, width, width),
    vector(`blk.${i}.ffn_norm.weight`, width, 1),
    matrix(`blk.${i}.ffn_gate`, width, feedForward),
    matrix(`blk.${i}.ffn_up`, width, feedForward),
    matrix(`blk.${i}.ffn_down`, feedForward, width),
  ];
  return [
    matrix('token_embd', width, vocabulary, 3),
    vector('output_norm.weight', width, 1),
    ...Array.from({ length: layers }, (_, i) => block(i)).flat(),
  ];
}

/** A prime, so that no two rows of a matrix are the same numbers. */
const blockCount = 262147;
const blockBytes = 34;
/** Standard deviation of the integers in a block. */
const spread = 42;

/** About normally distributed integers: the sum of four even ones, from a fixed seed (xorshift). */
function randomBlocks(): Buffer {
  const bytes = Buffer.alloc(blockCount * blockBytes);
  let state = 0x9e3779b9;
  for (let i = 0; i < bytes.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const four = (state & 255) + ((state >>> 8) & 255) + ((state >>> 16) & 255) + (state >>> 24) - 510;
    bytes[i] = Math.max(-127, Math.min(127, Math.round((four * spread) / 148)));
  }
  return bytes;
}

/** The blocks with their scale, a half-precision float in front of each. */
function scaled(random: Buffer, deviation: number): Buffer {
  const bytes = Buffer.from(random);
  const half = new Uint16Array(new Float16Array([deviation / spread]).buffer)[0] ?? 0;
  for (let i = 0; i < bytes.length; i += blockBytes) bytes.writeUInt16LE(half, i);
  return bytes;
}
