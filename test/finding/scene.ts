// A folder of a few files with its index, which goes with the test.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Found } from '../../src/core/prompt/found.ts';
import { defaultLimits, type Limits } from '../../src/finding/build.ts';
import { createGrammars } from '../../src/finding/cut/grammars.ts';
import { Finder, type Query } from '../../src/finding/finder.ts';
import { temporary } from '../temporary.ts';

export const grammarsFolder = fileURLToPath(
  new URL('../../node_modules/@vscode/tree-sitter-wasm/wasm', import.meta.url),
);
export const grammars = createGrammars(grammarsFolder);
export const never = new AbortController().signal;

export interface Scene {
  readonly folder: string;
  readonly database: string;
  readonly finder: Finder;
  write(path: string, text: string): string;
  find(text: string, more?: Partial<Query>): Promise<Found>;
  /** The same folder and database, opened again. */
  reopen(): Finder;
}

export async function scene(
  context: TestContext,
  files: Readonly<Record<string, string | Buffer>>,
  {
    exclude = [],
    limits = defaultLimits,
    others = [],
  }: { readonly exclude?: readonly string[]; readonly limits?: Limits; readonly others?: readonly string[] } = {},
): Promise<Scene> {
  const home = realpathSync(temporary('tidemark-finding-'));
  const folder = join(home, 'folder');
  const database = join(home, 'index.db');
  const write = (path: string, text: string | Buffer): string => {
    const place = join(folder, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
    return place;
  };
  mkdirSync(folder);
  for (const [path, text] of Object.entries(files)) write(path, text);
  const open = (): Finder => {
    const roots = ['.', ...others].map((name) => {
      const path = join(folder, name);
      return { name: name === '.' ? 'folder' : name.replace('../', ''), path, real: path };
    });
    const ports = { grammars, now: () => performance.now(), gate: async () => undefined, progress: () => undefined };
    const finder = new Finder(database, { roots, exclude }, limits, ports);
    context.after(() => finder.close());
    return finder;
  };
  const finder = open();
  await finder.refresh(never);
  const find = (text: string, more: Partial<Query> = {}) => finder.find({ text, ...more }, never);
  return { folder, database, finder, write, find, reopen: open };
}

/** The places of what was found, as `path:from-to`. */
export function placesOf({ passages }: Found): readonly string[] {
  return passages.map(({ path, kind, stretches: [{ from, lines }] }) =>
    kind === 'folder' ? `${path}/` : `${path}:${from}-${from + lines.length - 1}`,
  );
}

export const pathsOf = ({ passages }: Found) => [...new Set(passages.map(({ path }) => path))];
