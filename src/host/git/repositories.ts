// Asks the editor's own Git extension about the open folders. Its API is typed here as far as it is used.
import * as vscode from 'vscode';

interface GitChange {
  readonly uri: vscode.Uri;
  readonly status: number;
}

export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: {
    readonly workingTreeChanges: readonly GitChange[];
    readonly untrackedChanges: readonly GitChange[];
  };
  /** Returns the output of `git diff`; with `cached`, of what is staged. */
  diff(cached?: boolean): Promise<string>;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): { readonly repositories: readonly GitRepository[] };
}

/** The API's status of a file that Git does not know. */
const untracked = 7;

/** Returns the repositories that lie around an open folder or in it; null where there is no Git. */
export async function repositories(): Promise<readonly GitRepository[] | null> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  const git = await extension?.activate();
  if (git?.enabled !== true) return null;
  const folders = vscode.workspace.workspaceFolders ?? [];
  const isIn = (outer: vscode.Uri, inner: vscode.Uri) => `${inner.path}/`.startsWith(`${outer.path}/`);
  return git
    .getAPI(1)
    .repositories.filter(({ rootUri }) => folders.some(({ uri }) => isIn(rootUri, uri) || isIn(uri, rootUri)));
}

/** Paths of files that Git does not know yet, relative to the workspace. */
export function newFiles({ state: { workingTreeChanges, untrackedChanges } }: GitRepository): readonly string[] {
  const all = [...workingTreeChanges.filter(({ status }) => status === untracked), ...untrackedChanges];
  return [...new Set(all.map(({ uri }) => vscode.workspace.asRelativePath(uri)))].toSorted();
}
