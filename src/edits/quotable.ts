// The files that a conversation has read, as they are now: what an edit says it replaces is kept to their lines while it is generated.

import type { Quotable } from '../core/dialog/quotable.ts';
import type { FilesKnown } from '../core/dialog/tool.ts';
import { textWithoutSecrets } from '../secrets/lines.ts';
import { findRoots, showPath } from '../tools/files/paths.ts';
import type { Workspace } from '../tools/files/workspace.ts';
import type { EditableFiles } from './files/editable.ts';

/** The files that were read last count; characters of all together. */
const mostFiles = 12;
const mostCharacters = 400_000;

/** Returns the texts of the files that were read last; null where nothing was read. Never rejects. */
export async function quotableFiles(
  { seen }: FilesKnown,
  { workspace, files }: { readonly workspace: Workspace; readonly files: EditableFiles },
): Promise<Quotable | null> {
  const latest = [...seen.values()].toReversed().slice(0, mostFiles);
  if (latest.length === 0) return null;
  const roots = await findRoots(workspace);
  const texts: Record<string, string> = {};
  let left = mostCharacters;
  for (const { file } of latest) {
    const found = await files.read(file);
    if (found.is !== 'text' || found.text.length > left) continue;
    left -= found.text.length;
    // Secrets are left out, because the model sees the text without them.
    const text = textWithoutSecrets(found.text, file);
    for (const name of [file, showPath(roots, file)]) texts[name] = text;
  }
  return { tool: 'edit_file', argument: 'old', names: 'path', texts };
}
