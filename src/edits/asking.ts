// Which changes ask the user whatever else is allowed, and why: what is made unasked is only what is known to be harmless.
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { FilesKnown } from '../core/dialog/tool.ts';
import { obeyed } from '../core/obeyed.ts';
import { findRoots, isInside, type Root, resolvePath } from '../tools/files/paths.ts';
import type { Workspace } from '../tools/files/workspace.ts';
import type { StagedFile } from './calls/stage.ts';
import { isIgnored } from './files/ignored.ts';

/**
 * In words, a line for each file with its reason; '' where none asks. `known`: what the conversation knows of files; null where there is no
 * conversation, so that no folder is expected to have been read.
 */
export async function asksBecause(
  workspace: Workspace,
  { files }: { readonly files: readonly StagedFile[] },
  known: Pick<FilesKnown, 'seen' | 'beside'> | null,
): Promise<string> {
  const roots = await findRoots(workspace);
  const read = known === null ? null : await foldersRead(workspace, known);
  const lines: string[] = [];
  for (const { real, shown } of files) {
    const folder = dirname(real);
    const because =
      namedBecause(roots, real) ??
      ((await isIgnored(real)) ? "Git's ignore files name it" : null) ??
      (existsSync(folder) ? null : 'its folder is new') ??
      (read?.has(folder) === false ? 'nothing in its folder was read in this conversation' : null);
    if (because !== null) lines.push(`${shown}: ${because}`);
  }
  return lines.join('\n');
}

/** Real paths of the folders that hold a file which was read, attached or found, and of those that were attached. */
async function foldersRead(
  workspace: Workspace,
  { seen, beside }: Pick<FilesKnown, 'seen' | 'beside'>,
): Promise<ReadonlySet<string>> {
  const found = await Promise.all(beside.map((path) => resolvePath(workspace, path)));
  const attached = found.flatMap((one, i): readonly string[] => {
    if (!one.ok) return [];
    const { kind, real } = one.place;
    // A folder that was found is a list of names.
    if (kind === 'folder') return beside[i]?.endsWith('/') === true ? [real] : [];
    return [dirname(real)];
  });
  return new Set([...[...seen.keys()].map((file) => dirname(file)), ...attached]);
}

/** Why changing a file asks by its name alone, in words; null where it need not. */
export function namedBecause(roots: readonly Root[], real: string): string | null {
  const owner = roots.find((one) => isInside(one.real, real));
  const parts = (owner === undefined ? real : relative(owner.real, real)).split(sep);
  const because = obeyed(parts)?.because ?? null;
  if (because !== null) return because;
  const hidden = parts.find((part) => part.normalize('NFKC').startsWith('.'));
  if (hidden !== undefined) return `${hidden} begins with a dot, as the files that tools obey do`;
  return isOfRepository(real) ? 'it makes its folder a repository of Git, or is a part of one' : null;
}

/** A folder with HEAD, objects and refs is a repository to Git, whatever its name is: gitrepository-layout(5). */
function isOfRepository(real: string): boolean {
  const parts = ['HEAD', 'objects', 'refs', 'commondir', 'config'];
  const beside = parts.filter((name) => existsSync(join(dirname(real), name)));
  return parts.includes(basename(real)) && (basename(real) === 'HEAD' || beside.some((name) => name !== 'config'));
}
