// The built extension with the scripted engine in the place of the real one. The product has no switch for this.

import { cpSync, globSync, symlinkSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../../harness/program.ts';
import { temporary } from '../../temporary.ts';

/** A folder that VS Code takes for the extension. `engine` replaces dist/engine.mjs, or the real one stays. */
export function prepareExtension(engine: 'scripted' | 'real'): string {
  const folder = temporary('tm-extension-');
  const from = (...path: string[]) => join(projectRoot, ...path);
  for (const name of [...globSync('package{,.nls,.nls.*}.json', { cwd: projectRoot }), 'l10n'])
    cpSync(from(name), join(folder, name), { recursive: true });
  cpSync(from('dist'), join(folder, 'dist'), { recursive: true });
  for (const name of ['media', 'node_modules']) symlinkSync(from(name), join(folder, name), 'dir');
  if (engine === 'scripted') cpSync(from('dist', 'test', 'scriptedEngine.mjs'), join(folder, 'dist', 'engine.mjs'));
  return folder;
}

/** Process ids of the engine that an extension installed below this folder has forked (Linux). */
export async function enginesBelow(folder: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // A process may end while it is looked at.
    const line = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (line.split('\0').some((word) => word.startsWith(folder) && word.endsWith(join('dist', 'engine.mjs')))) {
      found.push(Number(name));
    }
  }
  return found;
}
