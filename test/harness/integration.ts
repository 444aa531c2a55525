// Runs dist/test/integration.cjs inside a real extension host and judges the run by the results file that it writes.

import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { desktopIsPossible, findDesktop, writeProfile } from './desktop.ts';
import { Interrupted, interruption, unlessInterrupted } from './interruption.ts';
import { makeRunDirectory, ownNode, projectRoot } from './program.ts';
import { workbenchSettings } from './settings.ts';

type Result = { readonly title: string; readonly ok: boolean; readonly error?: string };
type Results = {
  readonly done: boolean;
  readonly passes: number;
  readonly failures: number;
  readonly results: readonly Result[];
};

const bundle = join(projectRoot, 'dist', 'test', 'integration.cjs');
const logFile = join(projectRoot, 'out', 'integration.log');
const shim = join(import.meta.dirname, 'vscodeShim.ts');

async function findExecutable(): Promise<string> {
  const desktop = desktopIsPossible() ? await findDesktop() : undefined;
  if (desktop !== undefined) return desktop;
  if (process.platform === 'win32')
    throw new Error('Desktop VS Code is needed on Windows: set VSCODE_EXECUTABLE to it.');
  console.log('tidemark: running the integration tests in code-server.');
  return shim;
}

/** A copy of the sample project to work in, and a profile of its own. */
async function prepare(directory: string): Promise<{ folder: string; profile: string }> {
  const folder = join(directory, 'sample');
  const profile = join(directory, 'profile');
  await cp(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });
  await writeProfile(profile, workbenchSettings());
  return { folder, profile };
}

/** Undefined when all went well, else what the run itself had to say. */
async function runIn(
  directory: string,
  resultsFile: string,
  signals: Promise<NodeJS.Signals>,
): Promise<string | undefined> {
  const { folder, profile } = await prepare(directory);
  const executable = await unlessInterrupted(findExecutable(), signals);
  // runTests stops its child in order, but listens to SIGINT only: every other end takes the same way.
  void signals.then((signal) => signal !== 'SIGINT' && process.emit('SIGINT'));
  // The stand-in finds its Node through the PATH.
  process.env.PATH = `${dirname(ownNode())}${delimiter}${process.env.PATH ?? ''}`;
  try {
    await runTests({
      vscodeExecutablePath: executable,
      extensionDevelopmentPath: projectRoot,
      extensionTestsPath: bundle,
      launchArgs: [folder, `--user-data-dir=${profile}`, `--extensions-dir=${join(directory, 'extensions')}`],
      extensionTestsEnv: { TIDEMARK_TEST_RESULTS: resultsFile, TIDEMARK_TEST_LOG: logFile },
    });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function readResults(file: string): Promise<Results | undefined> {
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Results) : undefined;
}

/** An extension host that crashes ends with code 0, so only complete results count as a success. */
function judge(results: Results | undefined, complaint: string | undefined): Result[] {
  const lines = [...(results?.results ?? [])];
  const failed = lines.some((line) => !line.ok);
  const whole = (error: string): number => lines.push({ title: 'the run as a whole', ok: false, error });
  if (results === undefined) whole(`no results were written: the extension host ended early. ${complaint ?? ''}`);
  else if (!results.done)
    whole(`the tests did not run to their end: the extension host ended early. ${complaint ?? ''}`);
  else if (lines.length === 0) whole('no test was found');
  else if (!failed && results.failures > 0)
    whole(`${results.failures} failures were counted that have no line of their own`);
  else if (!failed && complaint !== undefined) whole(complaint);
  return lines;
}

async function main(signals: Promise<NodeJS.Signals>): Promise<number> {
  if (!existsSync(bundle)) throw new Error(`${bundle} is missing: build first (node esbuild.mjs).`);
  const directory = await makeRunDirectory('ti-');
  const resultsFile = process.env.TIDEMARK_TEST_RESULTS ?? join(directory, 'results.json');
  await rm(resultsFile, { force: true });
  await mkdir(dirname(logFile), { recursive: true });
  await writeFile(logFile, '');
  try {
    const complaint = await runIn(directory, resultsFile, signals);
    const lines = judge(await readResults(resultsFile), complaint);
    for (const { title, ok, error } of lines)
      console.log(`${ok ? 'ok    ' : 'FAILED'} ${title}${ok ? '' : `\n       ${error ?? ''}`}`);
    const failures = lines.filter((line) => !line.ok).length;
    console.log(`${lines.length - failures} passed, ${failures} failed`);
    if (failures > 0) console.error(`Consoles of VS Code and the extension host: ${logFile}`);
    return failures === 0 ? 0 : 1;
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

try {
  process.exitCode = await main(interruption());
} catch (error) {
  console.error(`tidemark: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = error instanceof Interrupted ? error.exitCode : 1;
}
