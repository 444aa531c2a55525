// Tiny models whose memory is not a plain KV cache: a sliding window (gemma3), short convolutions beside attention (lfm2), and keys and
// values as one latent vector (deepseek2).
// Real llama.cpp, random weights, the nano model's vocabulary and chat template.
import { type Tensor, type Value, writeGguf } from './scenes/gguf.ts';
import { nanoTokenizer, writtenOnce } from './scenes/nano.ts';
import { randomWeights } from './scenes/tiny.ts';

const width = 64;
const heads = 4;
const headWidth = width / heads;
const kvWidth = 32;
const feedForward = 128;
/** In tokens: smaller than most prompts of a test. */
export const slidingWindow = 256;

interface Architecture {
  readonly name: 'gemma3' | 'lfm2' | 'deepseek2';
  readonly layers: number;
  /** Behind the architecture's name. */
  readonly metadata: Readonly<Record<string, Value>>;
  readonly outputNorm: string;
  readonly block: (layer: number, of: Parts) => readonly Tensor[];
}

interface Parts {
  matrix(name: string, from: number, to: number, scale?: number, count?: number): Tensor;
  norm(name: string, size?: number): Tensor;
}

const u32 = (value: number): Value => ({ type: 'u32', value });

/** Five layers that see the window, then one that sees all. */
const gemma3: Architecture = {
  name: 'gemma3',
  layers: 6,
  metadata: {
    'attention.head_count_kv': u32(kvWidth / headWidth),
    'attention.sliding_window': u32(slidingWindow),
    'attention.key_length': u32(headWidth),
    'attention.value_length': u32(headWidth),
  },
  outputNorm: 'output_norm',
  block: (i, of) => [
    ...attention(i, of),
    of.norm(`blk.${i}.post_attention_norm`),
    of.norm(`blk.${i}.post_ffw_norm`),
    ...feed(i, of),
  ],
};

const lfm2Layers = 4;
const attends = (layer: number) => layer % 2 === 1;

/** Convolutions and attention in turn. */
const lfm2: Architecture = {
  name: 'lfm2',
  layers: lfm2Layers,
  metadata: {
    // A layer without KV heads is a convolution.
    'attention.head_count_kv': {
      type: 'i32s',
      value: Array.from({ length: lfm2Layers }, (_, i) => (attends(i) ? kvWidth / headWidth : 0)),
    },
    'shortconv.l_cache': u32(3),
  },
  outputNorm: 'token_embd_norm',
  block: (i, of) => [...(attends(i) ? attention(i, of) : convolution(i, of)), ...feed(i, of)],
};

/** Sizes of the latent vector, of the part of a key that knows its position, and of the part that does not. */
const [latent, turned, plain] = [32, 16, 16];

/** A single layer: its keys depend on token and position alone, so what was moved up is as if it had been decoded there. */
const deepseek2: Architecture = {
  name: 'deepseek2',
  layers: 1,
  metadata: {
    'attention.head_count_kv': u32(1),
    'attention.key_length': u32(latent + turned),
    'attention.value_length': u32(latent),
    'attention.key_length_mla': u32(plain + turned),
    'attention.value_length_mla': u32(headWidth),
    'attention.q_lora_rank': u32(latent),
    'attention.kv_lora_rank': u32(latent),
    'rope.dimension_count': u32(turned),
    leading_dense_block_count: u32(1),
    expert_count: u32(0),
    expert_used_count: u32(0),
    expert_shared_count: u32(0),
    expert_feed_forward_length: u32(feedForward),
  },
  outputNorm: 'output_norm',
  block: (i, of) => [
    of.norm(`blk.${i}.attn_norm`),
    of.norm(`blk.${i}.attn_q_a_norm`, latent),
    of.norm(`blk.${i}.attn_kv_a_norm`, latent),
    of.matrix(`blk.${i}.attn_q_a`, width, latent),
    of.matrix(`blk.${i}.attn_q_b`, latent, heads * (plain + turned)),
    of.matrix(`blk.${i}.attn_kv_a_mqa`, width, latent + turned),
    of.matrix(`blk.${i}.attn_k_b`, plain, latent, 1 / Math.sqrt(plain), heads),
    of.matrix(`blk.${i}.attn_v_b`, latent, headWidth, 1 / Math.sqrt(latent), heads),
    of.matrix(`blk.${i}.attn_output`, heads * headWidth, width),
    ...feed(i, of),
  ],
};

/** Can lose tokens anywhere as long as its cache has full size. */
export function slidingModel(contextLength = 8192): string {
  return modelOf(gemma3, contextLength);
}

/** Keeps a running state, so it can only go back to a summary. */
export function hybridModel(contextLength = 8192): string {
  return modelOf(lfm2, contextLength);
}

/** Keeps keys and values as one vector. */
export function latentModel(contextLength = 8192): string {
  return modelOf(deepseek2, contextLength);
}

function modelOf(architecture: Architecture, contextLength: number): string {
  return writtenOnce(`${architecture.name}-1-${contextLength}`, (path) => write(path, architecture, contextLength));
}

function write(path: string, { name, layers, metadata, outputNorm, block }: Architecture, contextLength: number): void {
  const { vocabulary, tokenizer } = nanoTokenizer();
  const tokens = vocabulary.tokens.length;
  const own: Record<string, Value> = {
    block_count: u32(layers),
    context_length: u32(contextLength),
    embedding_length: u32(width),
    feed_forward_length: u32(feedForward),
    vocab_size: u32(tokens),
    'attention.head_count': u32(heads),
    'attention.layer_norm_rms_epsilon': { type: 'f32', value: 1e-6 },
    'rope.freq_base': { type: 'f32', value: 1_000_000 },
    ...metadata,
  };
  const all: Record<string, Value> = {
    'general.architecture': { type: 'string', value: name },
    'general.name': { type: 'string', value: `nano ${name}` },
    ...Object.fromEntries(Object.entries(own).map(([key, value]) => [`${name}.${key}`, value])),
    ...tokenizer,
  };
  const of = partsOf(randomWeights());
  writeGguf(path, all, [
    of.matrix('token_embd', width, tokens, 0.4),
    of.norm(outputNorm),
    of.matrix('output', width, tokens),
    ...Array.from({ length: layers }, (_, i) => block(i, of)).flat(),
  ]);
}

function partsOf(random: ReturnType<typeof randomWeights>): Parts {
  return {
    matrix: (name, from, to, scale = 1 / Math.sqrt(from), count = 1) => ({
      name: `${name}.weight`,
      dimensions: count === 1 ? [from, to] : [from, to, count],
      at: random(scale),
    }),
    norm: (name, size = width) => ({ name: `${name}.weight`, dimensions: [size], at: () => 1 }),
  };
}

function attention(i: number, { matrix, norm }: Parts): readonly Tensor[] {
  return [
    norm(`blk.${i}.attn_norm`),
    matrix(`blk.${i}.attn_q`, width, width),
    matrix(`blk.${i}.attn_k`, width, kvWidth),
    matrix(`blk.${i}.attn_v`, width, kvWidth),
    norm(`blk.${i}.attn_q_norm`, headWidth),
    norm(`blk.${i}.attn_k_norm`, headWidth),
    matrix(`blk.${i}.attn_output`, width, width),
  ];
}

function convolution(i: number, { matrix, norm }: Parts): readonly Tensor[] {
  return [
    norm(`blk.${i}.attn_norm`),
    matrix(`blk.${i}.shortconv.conv`, 3, width, 0.5),
    matrix(`blk.${i}.shortconv.in_proj`, width, 3 * width),
    matrix(`blk.${i}.shortconv.out_proj`, width, width),
  ];
}

function feed(i: number, { matrix, norm }: Parts): readonly Tensor[] {
  return [
    norm(`blk.${i}.ffn_norm`),
    matrix(`blk.${i}.ffn_gate`, width, feedForward),
    matrix(`blk.${i}.ffn_up`, width, feedForward),
    matrix(`blk.${i}.ffn_down`, feedForward, width),
  ];
}
