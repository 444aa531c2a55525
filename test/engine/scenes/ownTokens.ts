// The tokens of contents beside those of the model's own tokenizer: llama.cpp's pairs of text and ids, and files of this repository.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LlamaModel } from 'node-llama-cpp';
import type { SafeTokens } from '../../../src/templates/safeTokens.ts';
import { bundleFile, bundleFiles, keptModel } from '../../models/scenes/bundle.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const files = bundleFiles('models');

export const vocabularies = files.flatMap((file) => /ggml-vocab-([\w.-]+)\.gguf$/.exec(file)?.[1] ?? []);

/** The vocabulary as a file, written once per machine. */
export function vocabularyFile(name: string): string {
  return keptModel(`vocabulary-${name}`, (path) => writeFileSync(path, bundleFile(`models/ggml-vocab-${name}.gguf`)));
}

export interface Pair {
  readonly text: string;
  readonly ids: readonly number[];
}

/** Returns llama.cpp's texts with the ids from the tokenizer that the model was trained with; empty for some vocabularies. */
export function pairsOf(name: string): readonly Pair[] {
  const file = `models/ggml-vocab-${name}.gguf`;
  if (!files.includes(`${file}.inp`)) return [];
  const ids = bundleFile(`${file}.out`).toString('utf8').split('\n');
  const texts = bundleFile(`${file}.inp`).toString('utf8').split('\n__ggml_vocab_test__\n');
  return texts.map((text, i) => ({ text, ids: (ids[i] ?? '').split(' ').filter(Boolean).map(Number) }));
}

/** Files from all over the repository. */
export function sourceFiles(count = 50): readonly { readonly file: string; readonly text: string }[] {
  const all = globSync('{src,webview,test}/**/*.{ts,tsx,css}', { cwd: root }).sort();
  const some = all.filter(
    (_, i) => Math.floor((i * count) / all.length) !== Math.floor(((i - 1) * count) / all.length),
  );
  return some.map((file) => ({ file: file.replaceAll('\\', '/'), text: readFileSync(join(root, file), 'utf8') }));
}

export interface Comparison {
  readonly own: number;
  readonly ours: number;
  readonly same: boolean;
  /** The strings that could act and that the model's own tokenizer finds in the text; white space cannot. */
  readonly acting: readonly string[];
}

export function compare(model: LlamaModel, safe: SafeTokens, text: string): Comparison {
  const own = model.tokenize(text, false);
  const ours = safe.content(text);
  const pieces = [...new Set(own)].map((id) => model.detokenize([id], true));
  return {
    own: own.length,
    ours: ours.length,
    same: own.length === ours.length && own.every((id, i) => id === ours[i]),
    acting: pieces.filter((piece) => piece.trim() !== '' && safe.special(piece) !== undefined),
  };
}
