// Packages with binaries for any machine, exactly as the lock file names them: installed here, or fetched and checked.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot, runProgram } from '../harness/program.ts';

interface Locked {
  readonly version: string;
  readonly integrity: string;
}

const cache = join(projectRoot, 'node_modules', '.cache', 'tidemark-package');

/** Copies a package into a node_modules folder. Throws when it cannot be had, or is not what the lock file names. */
export async function copyPackage(name: string, modules: string, filter: (file: string) => boolean): Promise<void> {
  const to = join(modules, name);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(installed(name) ?? (await fetched(name)), to, { recursive: true, filter });
}

function installed(name: string): string | null {
  const folder = join(projectRoot, 'node_modules', name);
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return null;
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version === locked(name).version ? folder : null;
}

/** The unpacked package in a cache, from the registry that npm is set to. */
async function fetched(name: string): Promise<string> {
  const { version, integrity } = locked(name);
  const folder = join(cache, `${name.replace('/', '+')}-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const temporary = mkdtempSync(join(cache, 'fetch-'));
  try {
    await runProgram('npm', ['pack', `${name}@${version}`, '--pack-destination', temporary]);
    const [file = ''] = readdirSync(temporary);
    check(readFileSync(join(temporary, file)), integrity, `${name}@${version}`);
    await runProgram('tar', ['-xzf', file], { cwd: temporary });
    renameSync(join(temporary, 'package'), folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return folder;
}

function locked(name: string): Locked {
  const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Partial<Locked> | undefined>;
  };
  const { version, integrity } = lock.packages[`node_modules/${name}`] ?? {};
  if (version === undefined || integrity === undefined)
    throw new Error(`package-lock.json does not pin ${name}. Where the registry has it, npm install adds it.`);
  return { version, integrity };
}

function check(bytes: Buffer, integrity: string, name: string): void {
  const [algorithm = '', expected] = integrity.split(/-(.*)/s);
  if (createHash(algorithm).update(bytes).digest('base64') !== expected)
    throw new Error(`${name} is not what package-lock.json names: its ${algorithm} differs.`);
}
