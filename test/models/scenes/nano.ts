// The nano model: real llama.cpp, random weights, a vocabulary of 4,096. Made in a second, loads in milliseconds.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chatTemplate } from './chatTemplate.ts';
import type { Blocks, Tensor, Value } from './gguf.ts';
import { writeTiny } from './tiny.ts';
import { type Added, createVocabulary, type Vocabulary } from './vocabulary.ts';

export interface NanoOptions {
  readonly contextLength?: number;
  readonly layers?: number;
  /** Fills every weight with this instead of random numbers. */
  readonly weight?: number;
  /** `null` writes a file without a chat template. */
  readonly template?: string | null;
  /** Special tokens besides the five the template and the tool calls need. */
  readonly added?: readonly Added[];
  /** Added to the logits of these tokens at every step. */
  readonly favour?: Readonly<Record<string, number>>;
  /** Writes the matrices as blocks of zeros of this kind. */
  readonly zeros?: Blocks['quantisation'];
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
  const kind = JSON.stringify(options, (_, value: unknown) => (typeof value === 'number' ? String(value) : value));
  const key = createHash('sha256').update(kind).digest('hex').slice(0, 12);
  return writtenOnce(`nano-3-${key}`, (path) => writeNano(path, options));
}

/** The path of a model file, which is written where it is not there yet. */
export function writtenOnce(name: string, write: (path: string) => void): string {
  const folder = join(tmpdir(), 'tidemark-test-models');
  const path = join(folder, `${name}.gguf`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  // Several test processes may write it at the same time: the last rename wins, all are the same bytes.
  const temporary = `${path}.${process.pid}`;
  write(temporary);
  renameSync(temporary, path);
  return path;
}

function writeNano(path: string, options: NanoOptions): void {
  const { contextLength = 8192, layers, weight, favour, zeros } = options;
  const { vocabulary, tokenizer } = nanoTokenizer(options);
  const more = favour === undefined ? [] : [favourTensor(vocabulary, favour)];
  const tokens = vocabulary.tokens.length;
  writeTiny(path, { name: 'nano', tokenizer, tokens, contextLength, layers, weight, more, zeros });
}

/** The vocabulary with all `tokenizer.*` metadata. */
export function nanoTokenizer({ template = chatTemplate, added = [] }: Pick<NanoOptions, 'template' | 'added'> = {}) {
  const vocabulary = createVocabulary(4096, [...needed, ...added]);
  const u32 = (value: number): Value => ({ type: 'u32', value });
  const string = (value: string): Value => ({ type: 'string', value });
  const tokenizer: Record<string, Value> = {
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
  return { vocabulary, tokenizer };
}

function favourTensor({ tokens, id }: Vocabulary, favour: Readonly<Record<string, number>>): Tensor {
  const byId = new Map(Object.entries(favour).map(([token, logit]) => [id(token), logit]));
  return { name: 'output.bias', dimensions: [tokens.length], at: (i) => byId.get(i) ?? 0 };
}
