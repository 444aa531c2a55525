// Makes a new file of a code block, inside the workspace.
import { dirname, posix, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { filePlace } from '../../edits/files/filePlace.ts';
import { type BlockOfAnswer, blockKey } from '../../protocol/reviewView.ts';
import { findRoots, isInside, type Root } from '../../tools/files/paths.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import type { Changes } from './changes.ts';

/** Gives the path where a file is there already; then nothing was made. */
export async function createFile(workspace: Workspace, changes: Changes, act: BlockOfAnswer): Promise<string | null> {
  const path = act.path ?? (await ask(act.language));
  if (path === undefined) return null;
  const given = await filePlace(workspace, path);
  // A slash in front often means the workspace.
  const found = given.ok ? given : await filePlace(workspace, path.trim().replace(/^[\\/]+/, ''));
  if (!found.ok) throw new Error(given.ok ? '' : given.why);
  const { real, is } = found.place;
  if (isOfGit(await findRoots(workspace), real)) throw new Error(gitWords(path));
  if (is === 'file') return path;
  await changes.apply([{ file: vscode.Uri.file(real), text: act.code, block: blockKey(act.path, act.code) }]);
  return null;
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

export function gitWords(path: string): string {
  return vscode.l10n.t('"{0}" belongs to Git itself.', path);
}

/** Whether a real path lies in Git's own folder, whose files become code. Some file systems take other spellings for the same folder. */
export function isOfGit(roots: readonly Root[], real: string): boolean {
  const owner = roots.find((one) => isInside(one.real, real));
  const parts = owner === undefined ? [] : relative(owner.real, real).split(sep);
  return parts.some((part) => /^\.git[. ]*$/i.test(part));
}
