// The grammars of tree-sitter: loaded when the first file of their language comes.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import treeSitter, { type Parser } from '@vscode/tree-sitter-wasm';
import type { Language } from './languages.ts';

/** Gives the parser of a language; null where its grammar cannot be loaded, and its files are cut as plain text. */
export type Grammars = (language: Pick<Language, 'grammar'>) => Promise<Parser | null>;

/** `folder` has the `.wasm` files of `@vscode/tree-sitter-wasm`, as they are or compressed (`.wasm.br`). */
export function createGrammars(folder: string): Grammars {
  const parsers = new Map<string, Promise<Parser | null>>();
  let started: Promise<void> | null = null;
  const load = async (grammar: string): Promise<Parser | null> => {
    try {
      started ??= treeSitter.Parser.init({ wasmBinary: wasmIn(folder, 'tree-sitter') } as unknown as Parameters<
        typeof treeSitter.Parser.init
      >[0]);
      await started;
      const parser = new treeSitter.Parser();
      parser.setLanguage(await treeSitter.Language.load(wasmIn(folder, `tree-sitter-${grammar}`)));
      return parser;
    } catch {
      // A file that does not parse is still text.
      return null;
    }
  };
  return ({ grammar }) => {
    const parser = parsers.get(grammar) ?? load(grammar);
    parsers.set(grammar, parser);
    return parser;
  };
}

function wasmIn(folder: string, name: string): Uint8Array {
  const plain = join(folder, `${name}.wasm`);
  return existsSync(plain) ? readFileSync(plain) : brotliDecompressSync(readFileSync(`${plain}.br`));
}
