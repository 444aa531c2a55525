// `npm run mutations`: makes each mistake of the list in a copy of the sources and runs the tests there that guard it. Exits 1 when one survives, or
// cannot be made any more.
// `npm run mutations -- compaction` makes only those in whose file or name the word stands.
// `npm run mutations -- seeds` makes those of the rows of test/seeds/rows.txt, `-- seeds A4` that of one row.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Holding, holdingsIn } from '../../test/promises/holdings.ts';
import { runRows } from '../../test/seeds/runRows.ts';
import { mutations } from './list.ts';
import type { Mutation } from './mutation.ts';
import { seedMutations } from './seeds.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [word = '', row = ''] = process.argv.slice(2);
const chosen =
  word === 'seeds'
    ? seedMutations.filter((one) => row === '' || one.row === row)
    : mutations.filter(({ name, file }) => name.includes(word) || file.includes(word));
const copy = mkdtempSync(join(tmpdir(), 'tidemark-mutations-'));
const env = { ...process.env, TIDEMARK_LAWS: 'all' };

function prepare(): void {
  for (const name of [
    'src',
    'test',
    'webview',
    'lab',
    'docs',
    'l10n',
    'media',
    'README.md',
    'ARCHITECTURE.md',
    'package.json',
    'package.nls.json',
    'package.nls.de.json',
    'package-lock.json',
    'tsconfig.json',
    'esbuild.mjs',
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
const holdings = holdingsIn('test/seeds/rows.txt');

/** The tests that a row names. */
function named({ row }: Mutation): readonly Holding[] {
  return holdings.filter(({ sentence }) => sentence.split(' ', 1)[0] === row);
}

/** The names of the tests that fail in the copy. */
function failures(tests: string): readonly string[] {
  const args = ['--test', '--test-reporter=tap', tests];
  const { stdout } = spawnSync(process.execPath, args, { cwd: copy, env, encoding: 'utf8', maxBuffer: 1 << 28 });
  return [...stdout.matchAll(/^not ok \d+ - (.*)$/gm)].map(([, name = '']) => name);
}

/** The names of the tests that fail before anything was changed. */
function failuresBefore(): readonly string[] {
  const rows = chosen.filter((one) => one.row !== undefined).flatMap(named);
  const bad = runRows(rows, copy).filter(({ outcome }) => outcome !== 'passed');
  const sets = new Set(chosen.flatMap((one) => (one.row === undefined ? [one.tests ?? core] : [])));
  return [...bad.map(({ path, title }) => `${path}: ${title}`), ...[...sets].flatMap(failures)];
}

/** The tests that a mutation turns red. For a row a test counts whose assertion fails, and not a file that does not load. */
function redBy(mutation: Mutation): readonly string[] {
  if (mutation.row === undefined) return failures(mutation.tests ?? core);
  const ended = runRows(named(mutation), copy);
  return ended.flatMap(({ outcome, title }) => (outcome === 'refuted' ? [title] : []));
}

const anyProblem = /\berror TS\d+: /;
/** Mistakes that the list makes need not fit the types, which are gone when they run. A name that is nowhere throws, whatever a test looks at. */
const missingName = /\berror TS(?:2304|2552|18004): /;

/** The first such problem of the sources in the copy; '' where there is none. */
function problemOf(kind: RegExp): string {
  const args = [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '--incremental', '-p', '.'];
  const unused = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false', '--tsBuildInfoFile', 'types.json'];
  const { stdout } = spawnSync(process.execPath, [...args, ...unused], { cwd: copy, encoding: 'utf8' });
  return stdout.split('\n').find((line) => kind.test(line)) ?? '';
}

/** Makes a mutation, and says in words what came of it. */
function tried(mutation: Mutation): { readonly isRed: boolean; readonly words: string } {
  const path = join(copy, mutation.file);
  const source = readFileSync(path, 'utf8');
  if (source.split(mutation.find).length !== 2) return { isRed: false, words: 'DOES NOT APPLY: its place is gone' };
  writeFileSync(
    path,
    source.replace(mutation.find, () => mutation.replace),
  );
  try {
    const problem = problemOf(mutation.row === undefined ? missingName : anyProblem);
    if (problem !== '') return { isRed: false, words: `DOES NOT APPLY: ${problem}` };
    const red = redBy(mutation);
    return red.length === 0
      ? { isRed: false, words: 'SURVIVED' }
      : { isRed: true, words: `${red.length} red, such as "${red[0]}"` };
  } finally {
    writeFileSync(path, source);
  }
}

try {
  prepare();
  const problem = problemOf(anyProblem);
  if (problem !== '') throw new Error(`the sources do not fit together without any mutation: ${problem}`);
  const before = failuresBefore();
  if (before.length > 0) throw new Error(`the tests fail without any mutation: ${before.join('; ')}`);
  let red = 0;
  for (const mutation of chosen) {
    const { isRed, words } = tried(mutation);
    red += Number(isRed);
    process.stdout.write(`${mutation.name}: ${words}\n`);
  }
  process.stdout.write(`${red} of ${chosen.length} mutations turned a test red\n`);
  process.exitCode = chosen.length > 0 && red === chosen.length ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
