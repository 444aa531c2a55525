// Installs code-server (VS Code's server and web workbench) beside the harness the first time a run needs it.

import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runNpm } from './program.ts';

const here = import.meta.dirname;
const e2e = join(here, 'e2e');
const shrinkwrap = join(e2e, 'vscode', 'npm-shrinkwrap.json');
const stampFile = join(e2e, 'node_modules', '.tidemark-stamp');
const lockFile = join(here, '.cache', 'installing.pid');

/** The folder of the installed code-server package. Does nothing when the stamp says that it is complete. */
export async function ensureCodeServer(): Promise<string> {
  if (process.platform === 'win32') {
    throw new Error(
      'code-server does not run on Windows: use desktop VS Code (set VSCODE_EXECUTABLE, or let it be downloaded).',
    );
  }
  const packageFolder = join(e2e, 'node_modules', 'code-server');
  const stamp = await stampOf([join(e2e, 'package-lock.json'), shrinkwrap]);
  if ((await readIfThere(stampFile)) === stamp) return packageFolder;
  const unlock = await lock();
  try {
    if ((await readIfThere(stampFile)) !== stamp) await install(packageFolder, stamp);
  } finally {
    await unlock();
  }
  return packageFolder;
}

/** Without install scripts: what would be compiled (native logging, Kerberos, the agent host's database) is not needed here. */
async function install(packageFolder: string, stamp: string): Promise<void> {
  const started = Date.now();
  console.log(
    'tidemark: installing code-server, a VS Code that runs without a display (about 600 MB on disk, once) ...',
  );
  await runNpm(['ci', '--ignore-scripts'], e2e);
  const server = join(packageFolder, 'lib', 'vscode');
  // The list that comes with the package is out of step with its own package.json, and `npm ci` refuses it.
  await copyFile(shrinkwrap, join(server, 'npm-shrinkwrap.json'));
  await runNpm(['ci', '--omit=dev', '--ignore-scripts'], server);
  await runNpm(['ci', '--omit=dev', '--ignore-scripts'], join(server, 'extensions'));
  await writeFile(stampFile, stamp);
  console.log(`tidemark: code-server is installed (${Math.round((Date.now() - started) / 1000)} s).`);
}

async function stampOf(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(file));
  return hash.digest('hex');
}

/** Lets one install run at a time, because two runs of one checkout may start together. The lock of a process that is gone does not count. */
async function lock(): Promise<() => Promise<void>> {
  await mkdir(join(here, '.cache'), { recursive: true });
  for (;;) {
    try {
      await writeFile(lockFile, String(process.pid), { flag: 'wx' });
      return () => rm(lockFile, { force: true });
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    const owner = Number(await readIfThere(lockFile));
    if (owner > 0 && !isAlive(owner)) await rm(lockFile, { force: true });
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
