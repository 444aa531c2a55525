// The test files by the step that runs them: all there are by one pattern, each set by a name, and the unit tests are the rest, so
// that no file can be forgotten.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

const fixtures = /^test\/(?:fixtures|harness\/e2e)\//;

export const testFiles: readonly string[] = globSync('{test,lab}/**/*.test.ts', {
  cwd: root,
  exclude: (path) => path.endsWith('node_modules'),
})
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !fixtures.test(path))
  .sort();

/** Each with what its files have in common; the first that fits counts. */
const named = {
  /** Every family of templates, every broken file and stored slot, memories of other kinds: what takes minutes. */
  deep: /^test\/engine\/(?:slot\/snapshotBad|template\/(?:callFamilies|realFamilies|templateTable)|load\/(?:hostileFile|otherMemories|windowedCache|headerFuzz|catalogueMemory))\.test\.ts$/,
  engine: /^test\/(?:engine\/|window\/asChat)/,
  soak: /^lab\/soak\//,
  package: /^test\/package\//,
  /** The chat and the context by mouse and keyboard, what must not run in them, and the whole road with a real model. */
  flows: /^test\/ui\/(?:panel|injection|pocket|finding|tenJobs)\.test\.ts$/,
  ui: /^test\/ui\//,
  /** Rooms that start nothing and share nothing: one process runs them all. */
  pure: /^test\/(?:core|edits|protocol|secrets|tokens|webview)\//,
  /** Rooms that start processes and threads and share nothing: one process runs them, too. */
  shared: /^test\/(?:app|completion|finding|store|tools|workspace)\//,
  unit: /^(?:test|lab)\//,
} as const;

export type TestSet = keyof typeof named;

export function setOf(path: string): TestSet {
  const names = Object.keys(named) as TestSet[];
  return names.find((name) => named[name].test(path)) ?? 'unit';
}

/** The files that try a law with random cases; they stand in their own sets as well. */
export function lawFiles(): readonly string[] {
  return testFiles.filter((path) => /\b(?:cases|manyPlays)\.ts'/.test(readFileSync(join(root, path), 'utf8')));
}

export function filesOf(set: TestSet): readonly string[] {
  return testFiles.filter((path) => setOf(path) === set);
}
