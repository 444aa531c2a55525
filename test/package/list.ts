// Pins the files of a package by their names, and those that others built by their sizes as well. TIDEMARK_ACCEPT=1 writes the list.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { projectRoot } from '../harness/program.ts';

/** Compares a laid-out package with its list. Gives words; throws an Error with what differs. */
export async function checkList(folder: string, name: string): Promise<string> {
  const files = await listFiles({ cwd: folder, packageManager: PackageManager.None });
  const now = files
    .map((file) => (file.startsWith('dist/node_modules/') ? `${statSync(join(folder, file)).size} ${file}` : file))
    .sort();
  const pinned = join(projectRoot, 'test', 'package', 'lists', `${name}.txt`);
  if (process.env.TIDEMARK_ACCEPT === '1') {
    mkdirSync(dirname(pinned), { recursive: true });
    writeFileSync(pinned, `${now.join('\n')}\n`);
  }
  const expected = existsSync(pinned) ? readFileSync(pinned, 'utf8').trimEnd().split('\n') : [];
  const more = now.filter((line) => !expected.includes(line));
  const less = expected.filter((line) => !now.includes(line));
  if (more.length + less.length > 0)
    throw new Error(
      [`The package differs from ${pinned}:`, ...more.map((line) => `+ ${line}`), ...less.map((line) => `- ${line}`)]
        .slice(0, 40)
        .join('\n'),
    );
  return `${now.length} files, as pinned.`;
}
