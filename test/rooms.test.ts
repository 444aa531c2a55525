// The rooms: imports go one way, between files and between folders.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const foreign = /(^|\/)(node_modules|fixtures|goldens|contextGoldens|e2e)(\/|$)/;
/** Folders that are one room: what stands in a prompt as a summary, and what leaves it for one. */
const together: Readonly<Record<string, string>> = { 'src/core/compaction': 'src/core/pruning' };

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function sourcesOf(...tops: readonly string[]): readonly string[] {
  return globSync(
    tops.map((top) => `${top}/**/*.{ts,tsx,css}`),
    { cwd: root },
  )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !foreign.test(path));
}

/** Maps each file to those of ours that it imports, types included. */
function importsOf(paths: readonly string[], read: (path: string) => string): Graph {
  const known = new Set(paths);
  const targets = (path: string) =>
    [...read(path).matchAll(/(?:\bfrom|^import|\bimport\()\s*['"](\.[^'"]+)['"]/gm)]
      .map(([, to = '']) => posix.join(posix.dirname(path), to))
      .filter((to) => known.has(to));
  return new Map(paths.map((path) => [path, new Set(targets(path))]));
}

function folders(files: Graph): Graph {
  const room = (path: string) => together[posix.dirname(path)] ?? posix.dirname(path);
  const result = new Map<string, Set<string>>();
  for (const [path, targets] of files) {
    const own = result.get(room(path)) ?? new Set();
    for (const to of targets) if (room(to) !== room(path)) own.add(room(to));
    result.set(room(path), own);
  }
  return result;
}

/** Removes all that imports nothing of the rest, again and again, and returns what is left: the cycles, and what leads to them. */
function tangled(graph: Graph): readonly string[] {
  const left = new Set(graph.keys());
  const free = () => [...left].filter((node) => [...(graph.get(node) ?? [])].every((to) => !left.has(to)));
  for (let gone = free(); gone.length > 0; gone = free()) for (const node of gone) left.delete(node);
  return [...left];
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('imports form no cycle, types included: between files and, in the product, between folders', () => {
  const files = importsOf(sourcesOf('src', 'webview', 'test', 'lab'), read);
  assert.ok([...files.values()].reduce((sum, { size }) => sum + size, 0) > 2000);
  assert.deepEqual(tangled(files), []);
  assert.deepEqual(tangled(folders(importsOf(sourcesOf('src', 'webview'), read))), []);
});

test('a cycle of files and one of folders are seen', () => {
  const sources: Readonly<Record<string, string>> = {
    'src/a/x.ts': "import type { Y } from '../b/y.ts';\n",
    'src/b/y.ts': "import { z } from './z.ts';\n",
    'src/b/z.ts': '',
    'src/b/w.ts': "export { type V } from '../a/v.ts';\n",
    'src/a/v.ts': '',
  };
  const graph = importsOf(Object.keys(sources), (path) => sources[path] ?? '');
  assert.deepEqual(tangled(graph), []);
  assert.deepEqual(tangled(folders(graph)), ['src/a', 'src/b']);
  const circle = importsOf(['a.ts', 'b.ts'], (path) => `import './${path === 'a.ts' ? 'b' : 'a'}.ts';\n`);
  assert.deepEqual(tangled(circle), ['a.ts', 'b.ts']);
});
