// The nano model: real llama.cpp, random weights, half a million parameters. Made in a second, loads in milliseconds.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chatTemplate } from './chatTemplate.ts';
import { type Tensor, type Value, writeGguf } from './gguf.ts';
import { type Added, createVocabulary, type Vocabulary } from './vocabulary.ts';

const width = 64;
const layers = 2;
const heads = 4;
const kvWidth = 32;
const feedForward = 128;
const seedLength = 65521;

export interface NanoOptions {
  readonly contextLength?: number;
  /** Fills every weight with this instead of random numbers. */
  readonly weight?: number;
  /** `null` writes a file without a chat template. */
  readonly template?: string | null;
  /** Special tokens besides the five the template and the tool calls need. */
  readonly added?: readonly Added[];
  /** Added to the logits of these tokens at every step. */
  readonly favour?: Readonly<Record<string, number>>;
}

const needed: readonly Added[] = [
  { text: '<|endoftext|>', type: 3 },
  { text: '<|im_start|>', type: 3 },
  { text: '<|im_end|>', type: 3 },
  { text: '<tool_call>', type: 4 },
  { text: '</tool_call>', type: 4 },
];

/** Writes the model once per options and machine, and returns its path. */
export function nanoModel(options: NanoOptions = {}): string {
  const folder = join(tmpdir(), 'tidemark-test-models');
  const kind = JSON.stringify(options, (_, value: unknown) => (typeof value === 'number' ? String(value) : value));
  const key = createHash('sha256').update(kind).digest('hex').slice(0, 12);
  const path = join(folder, `nano-3-${key}.gguf`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  // Several test processes may write it at the same time: the last rename wins, all are the same bytes.
  const temporary = `${path}.${process.pid}`;
  writeNano(temporary, options);
  renameSync(temporary, path);
  return path;
}

function writeNano(path: string, options: NanoOptions): void {
  const { contextLength = 8192, weight, template = chatTemplate, added = [], favour } = options;
  const vocabulary = createVocabulary(4096, [...needed, ...added]);
  const u32 = (value: number): Value => ({ type: 'u32', value });
  const string = (value: string): Value => ({ type: 'string', value });
  const metadata: Record<string, Value> = {
    'general.architecture': string('qwen2'),
    'general.name': string('nano'),
    'qwen2.block_count': u32(layers),
    'qwen2.context_length': u32(contextLength),
    'qwen2.embedding_length': u32(width),
    'qwen2.feed_forward_length': u32(feedForward),
    'qwen2.attention.head_count': u32(heads),
    'qwen2.attention.head_count_kv': u32(kvWidth / (width / heads)),
    'qwen2.rope.freq_base': { type: 'f32', value: 1_000_000 },
    'qwen2.attention.layer_norm_rms_epsilon': { type: 'f32', value: 1e-6 },
    'tokenizer.ggml.model': string('gpt2'),
    'tokenizer.ggml.pre': string('llama-bpe'),
    'tokenizer.ggml.tokens': { type: 'strings', value: vocabulary.tokens },
    'tokenizer.ggml.token_type': { type: 'i32s', value: vocabulary.types },
    'tokenizer.ggml.merges': { type: 'strings', value: vocabulary.merges },
    'tokenizer.ggml.bos_token_id': u32(vocabulary.id('<|endoftext|>')),
    'tokenizer.ggml.eos_token_id': u32(vocabulary.id('<|im_end|>')),
    'tokenizer.ggml.add_bos_token': { type: 'bool', value: false },
    ...(template === null ? {} : { 'tokenizer.chat_template': string(template) }),
  };
  const bias = favour === undefined ? [] : [favourTensor(vocabulary, favour)];
  writeGguf(path, metadata, [...tensors(vocabulary.tokens.length, weight), ...bias]);
}

function favourTensor({ tokens, id }: Vocabulary, favour: Readonly<Record<string, number>>): Tensor {
  const byId = new Map(Object.entries(favour).map(([token, logit]) => [id(token), logit]));
  return { name: 'output.bias', dimensions: [tokens.length], at: (i) => byId.get(i) ?? 0 };
}

function tensors(vocabulary: number, weight: number | undefined): readonly Tensor[] {
  const numbers = normals();
  let salt = 0;
  const random = (scale: number) => {
    salt += 7919;
    const from = salt;
    return (i: number) => weight ?? (numbers[(i * 31 + from) % seedLength] ?? 0) * scale;
  };
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
