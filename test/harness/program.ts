// Runs another program to its end and shows its output only when it fails.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../../', import.meta.url)).replace(/[\\/]$/, '');

/** A whole run of `npm test` notes here how long it took. */
export const minutesFile = join(projectRoot, 'out', 'tests.json');

export type ProgramPlace = { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv };

/** The Node 24 that the project brings, wherever this process was started from. */
export function ownNode(): string {
  if (process.versions.node.startsWith('24.')) return process.execPath;
  const binary = join(projectRoot, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(binary)) throw new Error(`${binary} is missing: run "npm ci" first.`);
  return binary;
}

/** A fresh folder with a short path: sockets are made in it, and a socket's path may have about 100 characters (macOS's own is long). */
export function makeRunDirectory(prefix: string): Promise<string> {
  return mkdtemp(join(tmpdir().length < 30 || process.platform === 'win32' ? tmpdir() : '/tmp', prefix));
}

/** Standard output; an Error with the last lines of the output when the program ends with anything but 0. It never outlives this process. */
export async function runProgram(command: string, args: readonly string[], place: ProgramPlace = {}): Promise<string> {
  const child = spawn(command, args, {
    cwd: place.cwd ?? projectRoot,
    env: place.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const endWithUs = (): boolean => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  let output = '';
  let both = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    both += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    both += text;
  });
  try {
    const ended = await new Promise<string>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(String(code ?? signal)));
    });
    if (ended === '0') return output;
    const tail = both.trim().split('\n').slice(-20).join('\n');
    throw new Error(`"${basename(command)} ${args.join(' ')}" ended with ${ended}${tail === '' ? '' : `:\n${tail}`}`);
  } finally {
    process.off('exit', endWithUs);
  }
}

/** npm through its own script where npm started us, else by name. Its log level is set here: `npm run -s` would hand on "silent". */
export async function runNpm(args: readonly string[], cwd: string): Promise<void> {
  const quiet = ['--loglevel=error', '--no-audit', '--no-fund', '--no-update-notifier', '--no-progress'];
  const script = process.env.npm_execpath;
  const env = { ...process.env, PATH: `${dirname(ownNode())}${delimiter}${process.env.PATH ?? ''}` };
  if (script !== undefined && basename(script) === 'npm-cli.js') {
    await runProgram(ownNode(), [script, ...args, ...quiet], { cwd, env });
  } else {
    await runProgram('npm', [...args, ...quiet], { cwd, env });
  }
}
