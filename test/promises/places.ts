// Folders of files for the tests of promises, and what stands in them afterwards.
import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Workspace } from '../../src/tools/files/workspace.ts';
import { temporary } from '../temporary.ts';

type Files = Readonly<Record<string, string>>;

/** A text that begins with `-> ` is a link to what follows. */
export function put(root: string, files: Files): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (text.startsWith('-> ')) symlinkSync(text.slice(3), join(root, path));
    else writeFileSync(join(root, path), text);
  }
  return root;
}

export const folderOf = (files: Files = {}) => put(realpathSync(temporary('tm-promise-')), files);

export const workspaceOf = (path: string): Workspace => ({ folders: [{ name: 'app', path }], unsaved: () => [] });

/** All that stands in a folder, with the texts of its files. */
export function treeOf(root: string): Files {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted();
  const textOf = (path: string) => (statSync(path).isFile() ? readFileSync(path, 'utf8') : '/');
  return Object.fromEntries(paths.map((path) => [path, textOf(join(root, path))]));
}
