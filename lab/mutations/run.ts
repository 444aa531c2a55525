// `npm run mutations`: makes each mistake of the list in a copy of the sources and runs the tests there that guard it. Exits 1 when one survives.
// `npm run mutations -- compaction` makes only those in whose file or name the word stands.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mutations } from './list.ts';
import type { Mutation } from './mutation.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [word = ''] = process.argv.slice(2);
const chosen = mutations.filter(({ name, file }) => name.includes(word) || file.includes(word));
const copy = mkdtempSync(join(tmpdir(), 'tidemark-mutations-'));

function prepare(): void {
  for (const name of [
    'src',
    'test',
    'webview',
    'lab',
    'README.md',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ]) {
    const skipped = /(^|\/)(node_modules|out)(\/|$)/;
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      filter: (path) => !skipped.test(path.slice(root.length)),
    });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

const core = 'test/core/**/*.test.ts';

/** The names of the tests that fail in the copy. */
function failures(tests: string): readonly string[] {
  const args = ['--test', '--test-reporter=tap', tests];
  const env = { ...process.env, TIDEMARK_LAWS: 'all' };
  const { stdout } = spawnSync(process.execPath, args, { cwd: copy, env, encoding: 'utf8', maxBuffer: 1 << 28 });
  return [...stdout.matchAll(/^not ok \d+ - (.*)$/gm)].map(([, name = '']) => name);
}

function mutated({ file, find, replace }: Mutation, work: () => readonly string[]): readonly string[] {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(find).length !== 2) throw new Error(`${file} does not have "${find}" exactly once`);
  writeFileSync(
    path,
    source.replace(find, () => replace),
  );
  try {
    return work();
  } finally {
    writeFileSync(path, source);
  }
}

try {
  prepare();
  const before = [...new Set(chosen.map(({ tests = core }) => tests))].flatMap(failures);
  if (before.length > 0) throw new Error(`the tests fail without any mutation: ${before.join('; ')}`);
  let survived = 0;
  for (const mutation of chosen) {
    const red = mutated(mutation, () => failures(mutation.tests ?? core));
    if (red.length === 0) survived += 1;
    const words = red.length === 0 ? 'SURVIVED' : `${red.length} red, such as "${red[0]}"`;
    process.stdout.write(`${mutation.name}: ${words}\n`);
  }
  process.stdout.write(`${chosen.length - survived} of ${chosen.length} mutations turned a test red\n`);
  process.exitCode = survived === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
