// `npm test`: every check, one after the other, with its time; all run even when one fails, and the last line counts them.
// Four steps run only when they are named: `laws`, the laws with ten times as many random cases, `deep`, the engine with every family
// and broken file, `ui`, the rest of what is tried in the workbench (`npm run test:ui`), and `offline`.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureChromium } from './harness/chromium.ts';
import { ensureCodeServer } from './harness/codeServer.ts';
import { minutesFile, projectRoot } from './harness/program.ts';
import { filesOf, lawFiles } from './sets.ts';

const node = process.execPath;
/** Folder for all that tests and what they start put aside. The folder goes with the run, however that ends. */
const aside = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
// Some tests have another user look into it.
chmodSync(aside, 0o755);
for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = aside;
process.on('exit', () => rmSync(aside, { recursive: true, force: true, maxRetries: 3 }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
const bin = (name: string) => `node_modules/.bin/${name}${process.platform === 'win32' ? '.cmd' : ''}`;
const nodeTest = (paths: readonly string[], concurrency: number) =>
  [node, ['--test', `--test-concurrency=${concurrency}`, '--test-timeout=240000', ...paths]] as const;

/**
 * The tests of a workbench, file by file. One that fails is tried again to learn whether it has a race, which is red as well: who
 * tries twice hides it.
 */
function runInWorkbench(paths: readonly string[]): boolean {
  const failed = paths.filter((path) => !run(nodeTest([path], 1)));
  const flaky = failed.filter((path) => run(nodeTest([path], 1)));
  if (flaky.length > 0) console.log(`\nFLAKY, passed at the second try: ${flaky.join(', ')}`);
  return failed.length === 0;
}

/** Milliseconds. A test whose process does not end is no test of the limit above: it has ended, and what it left runs on. */
const stuckAfter = 40 * 60_000;

type Command = readonly [string, readonly string[]];

function run([command, args]: Command): boolean {
  const shell = command.endsWith('.cmd');
  return spawnSync(command, args, { cwd: projectRoot, stdio: 'inherit', shell, timeout: stuckAfter }).status === 0;
}

/** All at the same time. Without a process for each file what they import is read once. */
async function runTogether(...commands: readonly Command[]): Promise<boolean> {
  const codes = commands.map(([command, args]) => {
    const { promise, resolve } = Promise.withResolvers<number>();
    spawn(command, args, { cwd: projectRoot, stdio: 'inherit' })
      .once('error', () => resolve(1))
      .once('exit', (code) => resolve(code ?? 1));
    return promise;
  });
  return (await Promise.all(codes)).every((code) => code === 0);
}

function withAllCases(work: () => boolean): boolean {
  process.env.TIDEMARK_LAWS = 'all';
  try {
    return work();
  } finally {
    delete process.env.TIDEMARK_LAWS;
  }
}

const inOneProcess = (paths: readonly string[]) =>
  [node, ['--test', '--test-isolation=none', '--test-timeout=240000', ...paths]] as const;

const projects = ['.', 'src/core', 'src/protocol', 'webview', 'lab'];

const steps: readonly (readonly [string, () => boolean | Promise<boolean>])[] = [
  ['types', () => projects.every((project) => run([bin('tsc'), ['-p', project]]))],
  ['lint', () => run([bin('biome'), ['check', '--error-on-warnings', '.']])],
  ['audit', () => run([node, ['test/package/audit.ts']])],
  [
    'unit',
    () => runTogether(inOneProcess(filesOf('pure')), inOneProcess(filesOf('shared')), nodeTest(filesOf('unit'), 1)),
  ],
  ['engine', () => run(nodeTest(filesOf('engine'), 2))],
  ['soak', () => run(nodeTest(filesOf('soak'), 1))],
  ['build', () => run([node, ['esbuild.mjs']])],
  // Installed before the clocks of the tests run.
  ['workbench', async () => Boolean((await ensureChromium()) && (await ensureCodeServer()))],
  ['integration', () => run([node, ['test/harness/integration.ts']])],
  ['flows', () => runInWorkbench(filesOf('flows'))],
  ['package', () => runInWorkbench(filesOf('package'))],
  ['laws', () => withAllCases(() => run(nodeTest(lawFiles(), 2)))],
  ['deep', () => run(nodeTest(filesOf('deep'), 2))],
  ['ui', () => runInWorkbench(filesOf('ui'))],
  ['offline', () => run([node, ['esbuild.mjs']]) && run([node, ['test/harness/offline.ts']])],
];

const onlyNamed: ReadonlySet<string> = new Set(['laws', 'deep', 'ui', 'offline']);
const wanted = process.argv.slice(2);
// `npm run check -- remote URL` is about a server, not about the project.
if (wanted[0] === 'remote') {
  const ok = run([node, ['lab/servers/conformance.ts', ...wanted.slice(1)]]);
  process.exit(ok ? 0 : 1);
}
// So is `npm run check -- templates FOLDER` about the templates there.
if (wanted[0] === 'templates') {
  const ok = run([node, ['test/templates/check.ts', ...wanted.slice(1)]]);
  process.exit(ok ? 0 : 1);
}
// And `npm run check -- fence` about this machine.
if (wanted[0] === 'fence') {
  const ok = run([node, ['test/fence/check.ts']]);
  process.exit(ok ? 0 : 1);
}
if (wanted[0] === 'seeds') {
  const ok = run([node, ['test/seeds/check.ts', ...wanted.slice(1)]]);
  process.exit(ok ? 0 : 1);
}
if (wanted[0] === 'size') {
  const ok = run([node, ['test/size/check.ts', ...wanted.slice(1)]]);
  process.exit(ok ? 0 : 1);
}
const failed: string[] = [];
let passed = 0;
const begun = performance.now();
for (const [name, step] of steps) {
  if (wanted.length > 0 ? !wanted.includes(name) : onlyNamed.has(name)) continue;
  console.log(`\n== ${name}`);
  const started = performance.now();
  const ok = await Promise.resolve(step()).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return false;
  });
  console.log(`== ${name}: ${ok ? 'passed' : 'FAILED'} in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  if (ok) passed += 1;
  else failed.push(name);
}
if (wanted.length === 0) noteMinutes(failed.length);
if (failed.length > 0) console.error(`\nFailed: ${failed.join(', ')}`);
console.log(`\nsteps: ${passed} passed, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);

/** For `npm run bench -- all`. */
function noteMinutes(failed: number): void {
  const minutes = Math.round((performance.now() - begun) / 6000) / 10;
  mkdirSync(dirname(minutesFile), { recursive: true });
  writeFileSync(minutesFile, JSON.stringify({ at: new Date().toISOString().slice(0, 10), minutes, failed }));
}
