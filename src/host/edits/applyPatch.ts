// A code block that is a unified diff, put into the files that it names: all of them or none.
import { parsePatch, applyPatch as patched } from 'diff';
import * as vscode from 'vscode';
import { blockKey } from '../../protocol/reviewView.ts';
import type { CodeAct } from '../../protocol/view.ts';
import { findRoots, resolvePath } from '../../tools/files/paths.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import type { Changes, FileEdit } from './changes.ts';
import { gitWords, isOfGit } from './createFile.ts';
import { withTrueCounts } from './patchCounts.ts';

/** Throws an Error with words where a file is missing or the patch does not fit; then nothing was changed. */
export async function applyPatch(workspace: Workspace, changes: Changes, act: CodeAct): Promise<void> {
  const block = blockKey(act.path, act.code);
  const all: FileEdit[] = [];
  for (const patch of parsePatch(withTrueCounts(act.code))) {
    if (patch.hunks.length === 0) continue;
    const name = nameIn(patch.newFileName) ?? nameIn(patch.oldFileName) ?? act.path;
    const document = await documentOf(workspace, name);
    const text = patched(document.getText(), patch, { autoConvertLineEndings: true });
    if (text === false) throw new Error(vscode.l10n.t("The patch doesn't fit {0}. Nothing was changed.", name ?? ''));
    all.push({ file: document.uri, text, block });
  }
  if (all.length === 0) throw new Error(vscode.l10n.t('This is not a patch that can be applied.'));
  await changes.apply(all);
}

/** As patches name files: with `a/` or `b/` in front, and a time behind a tab. */
function nameIn(name: string | undefined): string | null {
  const plain = (name ?? '').split('\t')[0]?.replace(/^[ab]\//, '') ?? '';
  return plain === '' || plain === '/dev/null' ? null : plain;
}

async function documentOf(workspace: Workspace, name: string | null): Promise<vscode.TextDocument> {
  if (name === null) throw new Error(vscode.l10n.t("The patch doesn't name a file."));
  const found = await resolvePath(workspace, name);
  if (!found.ok) throw new Error(found.head);
  if (found.place.kind !== 'file') throw new Error(vscode.l10n.t('"{0}" is not a file.', name));
  if (isOfGit(await findRoots(workspace), found.place.real)) throw new Error(gitWords(name));
  return vscode.workspace.openTextDocument(vscode.Uri.file(found.place.path));
}
