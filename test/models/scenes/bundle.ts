// Real vocabularies and chat templates: llama.cpp's own test files, read from the git bundle inside node-llama-cpp.
// Nothing of them is committed here.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Value } from './gguf.ts';
import { readMetadata } from './readGguf.ts';
import { writeTiny } from './tiny.ts';

const bundle = fileURLToPath(new URL('../../../node_modules/node-llama-cpp/llama/gitRelease.bundle', import.meta.url));
/** Folder in which models and clones are kept between runs. */
export const folder = join(tmpdir(), 'tidemark-test-models');

/** A file of llama.cpp's repository at the release that node-llama-cpp brings. */
export function bundleFile(path: string): Buffer {
  return git('show', `HEAD:${path}`);
}

/** File names in a folder of that repository. */
export function bundleFiles(path: string): readonly string[] {
  return git('ls-tree', '--name-only', 'HEAD', `${path}/`).toString('utf8').trim().split('\n');
}

function git(...args: readonly string[]): Buffer {
  return execFileSync('git', ['-C', bundleClone(), ...args], { maxBuffer: 64 * 1024 * 1024 });
}

/** The repository, cloned once per machine and release. */
export function bundleClone(): string {
  const target = join(folder, `llama.cpp-${statSync(bundle).size}.git`);
  if (existsSync(target)) return target;
  mkdirSync(folder, { recursive: true });
  const temporary = `${target}.${process.pid}`;
  execFileSync('git', ['clone', '--quiet', '--bare', bundle, temporary], { stdio: 'ignore' });
  try {
    renameSync(temporary, target);
  } catch {
    // Another test process was faster; its clone is the same.
    rmSync(temporary, { recursive: true, force: true });
  }
  return target;
}

/** Token texts and types that a vocabulary file lacks, by id. Types as in GGUF: 3 control, 4 user-defined. */
export type Patch = Readonly<Record<number, readonly [string, 3 | 4]>>;

/** Tokens that Qwen2.5 added to the vocabulary of Qwen2. Source: tokenizer_config.json of Qwen2.5-7B-Instruct. */
export const qwen25: Patch = Object.fromEntries([
  ...'object_ref_start object_ref_end box_start box_end quad_start quad_end vision_start vision_end vision_pad image_pad video_pad'
    .split(' ')
    .map((name, i) => [151646 + i, [`<|${name}|>`, 3]] as const),
  [151657, ['<tool_call>', 4]],
  [151658, ['</tool_call>', 4]],
  ...'fim_prefix fim_middle fim_suffix fim_pad repo_name file_sep'
    .split(' ')
    .map((name, i) => [151659 + i, [`<|${name}|>`, 4]] as const),
]);

export interface RealVocabulary {
  /** The NAME in `ggml-vocab-NAME.gguf`. */
  readonly vocabulary: string;
  /** A file name in `models/templates`. */
  readonly template: string;
  readonly patch?: Patch;
  readonly eos?: number;
  readonly contextLength?: number;
}

/** A tiny model with a real vocabulary and chat template; written once per machine. */
export function bundleModel(options: RealVocabulary): string {
  const { vocabulary, template, contextLength = 8192 } = options;
  return keptModel(`real-1-${vocabulary}-${template}-${contextLength}`, (path) => {
    const { tokenizer, tokens } = realTokenizer(options);
    writeTiny(path, { name: vocabulary, tokenizer, tokens, contextLength });
  });
}

/** A model file that is written once per machine. */
export function keptModel(name: string, write: (path: string) => void): string {
  const path = join(folder, `${name}.gguf`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const temporary = `${path}.${process.pid}`;
  write(temporary);
  renameSync(temporary, path);
  return path;
}

/** The `tokenizer.*` metadata of a vocabulary, and how many tokens it has. */
export function realTokenizer({ vocabulary, template, patch = {}, eos }: RealVocabulary) {
  const metadata = readMetadata(bundleFile(`models/ggml-vocab-${vocabulary}.gguf`));
  const own = Object.entries(metadata).filter(([key]) => key.startsWith('tokenizer.'));
  const tokens = stringsOf(metadata['tokenizer.ggml.tokens']);
  const types = numbersOf(metadata['tokenizer.ggml.token_type']);
  for (const [id, [text, type]] of Object.entries(patch)) {
    tokens[Number(id)] = text;
    types[Number(id)] = type;
  }
  const tokenizer: Record<string, Value> = {
    ...Object.fromEntries(own),
    'tokenizer.ggml.tokens': { type: 'strings', value: tokens },
    'tokenizer.ggml.token_type': { type: 'i32s', value: types },
    'tokenizer.chat_template': { type: 'string', value: bundleFile(`models/templates/${template}`).toString('utf8') },
    ...(eos === undefined ? {} : { 'tokenizer.ggml.eos_token_id': { type: 'u32', value: eos } as const }),
  };
  return { tokenizer, tokens: tokens.length };
}

function stringsOf(value: Value | undefined): string[] {
  if (value?.type !== 'strings') throw new Error('the vocabulary has no tokens');
  return [...value.value];
}

function numbersOf(value: Value | undefined): number[] {
  if (value?.type !== 'i32s') throw new Error('the vocabulary has no token types');
  return [...value.value];
}
