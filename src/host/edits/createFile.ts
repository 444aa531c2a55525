// Makes a new file of a code block, inside the workspace. Where the file exists, the code is applied to it.
import { dirname, posix, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { placeIn } from '../../edits/files/filePlace.ts';
import { blockKey } from '../../protocol/reviewView.ts';
import type { CodeAct } from '../../protocol/view.ts';
import { findRoots, isInside, type Root, realOf, resolvePath } from '../../tools/files/paths.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import { showWarning } from '../system/toast.ts';
import { applyToFile, unopened } from './applyToFile.ts';
import type { Changes } from './changes.ts';

export async function createFile(workspace: Workspace, changes: Changes, act: CodeAct): Promise<void> {
  const path = act.path ?? (await ask(act.language));
  if (path === undefined) return;
  const found = await resolvePath(workspace, path);
  if (found.ok && isOfGit(await findRoots(workspace), found.place.real)) return void showWarning(gitWords(path));
  if (found.ok && found.place.kind === 'file') {
    return applyToFile(changes, vscode.Uri.file(found.place.path), unopened(act.code, blockKey(act.path, act.code)));
  }
  const place = found.ok ? vscode.l10n.t('"{0}" is a folder.', path) : await newPlace(workspace, path, found.head);
  if (typeof place === 'string') {
    void showWarning(`Tidemark: ${place}`);
    return;
  }
  await changes.apply([{ file: place, text: act.code, block: blockKey(act.path, act.code) }]);
}

/** Beside the file that is open, with the ending of the block's language. */
function suggested(language: string): string {
  const open = vscode.window.visibleTextEditors.find(({ document }) => document.uri.scheme === 'file');
  const folder = open === undefined ? '' : dirname(vscode.workspace.asRelativePath(open.document.uri));
  return posix.join(folder, `untitled${endings[language.toLowerCase()] ?? (language === '' ? '' : `.${language}`)}`);
}

const endings: Readonly<Record<string, string>> = {
  python: '.py',
  javascript: '.js',
  typescript: '.ts',
  rust: '.rs',
  ruby: '.rb',
  bash: '.sh',
  shell: '.sh',
  csharp: '.cs',
  'c++': '.cpp',
  markdown: '.md',
  kotlin: '.kt',
  yaml: '.yaml',
};

async function ask(language: string): Promise<string | undefined> {
  return vscode.window.showInputBox({
    prompt: vscode.l10n.t('New file path, relative to the workspace'),
    value: suggested(language),
    validateInput: (value) => (/[^/\\]$/.test(value.trim()) ? null : vscode.l10n.t('Enter the path of a file.')),
  });
}

/** Where a file that does not exist is to be; words where it may not be. Symbolic links on the way count as what they are. */
async function newPlace(workspace: Workspace, path: string, head: string): Promise<vscode.Uri | string> {
  const roots = await findRoots(workspace);
  const full = placeIn(roots, path.trim());
  if (full === null || path.includes('\0')) return head;
  const real = await realOf(full);
  const owner = roots.find((one) => one.real !== real && isInside(one.real, real));
  if (owner === undefined) return vscode.l10n.t('"{0}" is outside the workspace.', path);
  return isOfGit(roots, real) ? vscode.l10n.t('"{0}" belongs to Git itself.', path) : vscode.Uri.file(full);
}

export function gitWords(path: string): string {
  return `Tidemark: ${vscode.l10n.t('"{0}" belongs to Git itself.', path)}`;
}

/** Whether a real path lies in Git's own folder, whose files become code. Some file systems take other spellings for the same folder. */
export function isOfGit(roots: readonly Root[], real: string): boolean {
  const owner = roots.find((one) => isInside(one.real, real));
  const parts = owner === undefined ? [] : relative(owner.real, real).split(sep);
  return parts.some((part) => /^\.git[. ]*$/i.test(part));
}
