// A large folder to index: published packages, pinned by hash, and what stands in it by a walk of our own.
import { closeSync, globSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../test/harness/program.ts';
import { folderOf, type Package } from '../find/packages.ts';

const packages: readonly Package[] = JSON.parse(
  readFileSync(join(projectRoot, 'lab/bench/index/packages.json'), 'utf8'),
) as readonly Package[];

/** The folder that holds them all. */
export function largeFolder(): string {
  const home = join(projectRoot, 'out', 'bench', 'large');
  for (const one of packages) folderOf(one, home);
  return home;
}

/** A file that is read again by name. */
export interface TextFile {
  readonly path: string;
  readonly bytes: number;
}

const lookedAt = 8000;
const largest = 1024 * 1024;

/** Files without a zero byte at their start, of a megabyte at most; counted without the code that is measured. */
export function textFiles(folder: string): readonly TextFile[] {
  return globSync('**/*', { cwd: folder }).flatMap((path) => {
    const { size, isFile } = factsOf(join(folder, path));
    return isFile && size > 0 && size <= largest && isText(join(folder, path)) ? [{ path, bytes: size }] : [];
  });
}

function factsOf(place: string): { readonly size: number; readonly isFile: boolean } {
  const facts = statSync(place);
  return { size: facts.size, isFile: facts.isFile() };
}

function isText(place: string): boolean {
  const start = Buffer.alloc(lookedAt);
  const file = openSync(place, 'r');
  try {
    return !start.subarray(0, readSync(file, start, 0, lookedAt, 0)).includes(0);
  } finally {
    closeSync(file);
  }
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
