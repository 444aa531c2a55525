// Further packs of llama.cpp, such as CUDA, from a folder that the user names, beside those that came with the extension.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getModuleVersion } from 'node-llama-cpp';
import { FaultError, reasonOf } from '../../../core/faults/faults.ts';

const scope = '@node-llama-cpp/';
let folder = '';
let hooked = false;

/** The library finds packs there that it finds nowhere else. Throws a FaultError when the folder holds none that fits. */
export async function usePacks(from: string): Promise<void> {
  folder = from;
  if (from === '') return;
  checkPacks(from, await getModuleVersion());
  if (!hooked) registerHooks({ resolve });
  hooked = true;
}

type Hooks = Parameters<typeof registerHooks>[0];

const resolve: NonNullable<Hooks['resolve']> = (specifier, context, next) => {
  if (folder === '' || !specifier.startsWith(scope)) return next(specifier, context);
  try {
    return next(specifier, context);
  } catch {
    // The extension does not bring this pack.
    return next(specifier, { ...context, parentURL: pathToFileURL(join(folder, 'packs.mjs')).href });
  }
};

/** The library takes a pack of its own version only, and says nothing about another one. */
function checkPacks(from: string, wanted: string): void {
  const packs = join(from, 'node_modules', scope);
  if (!existsSync(packs)) throw unusable(from, 'it has no node_modules/@node-llama-cpp', wanted);
  const found = readdirSync(packs).map((name) => ({ name, version: versionOf(join(packs, name)) }));
  if (found.some(({ version }) => version === wanted)) return;
  const others = found.map(({ name, version }) => `${name} ${version}`).join(', ');
  throw unusable(from, others === '' ? 'there is no pack in it' : `it holds ${others}`, wanted);
}

function versionOf(pack: string): string {
  try {
    return String(JSON.parse(readFileSync(join(pack, 'package.json'), 'utf8')).version);
  } catch (error) {
    return `that cannot be read (${reasonOf(error)})`;
  }
}

function unusable(from: string, reason: string, version: string): FaultError {
  return new FaultError({ kind: 'packsUnusable', folder: from, reason, version });
}
