// The commands of a window: their fence, their permissions, and who watches them.
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Tool } from '../core/dialog/tool.ts';
import type { Reviews } from '../edits/review/reviews.ts';
import type { EditorFinding } from '../host/finding/finding.ts';
import { registerPermissions } from '../host/shell/choosePermissions.ts';
import { CommandTerminal } from '../host/shell/commandTerminal.ts';
import { concealLines } from '../secrets/lines.ts';
import type { Settings } from '../settings/settings.ts';
import { fencesOf } from '../shell/fencesOf.ts';
import { type PermissionStore, Permissions, type StoredPermission } from '../shell/permissions.ts';
import { type ReviewFor, ShellCommands } from '../shell/tool.ts';
import type { Workspace } from '../tools/files/workspace.ts';

interface ShellParts {
  readonly workspace: Workspace;
  readonly finding: EditorFinding;
  readonly settings: () => Settings;
}

export interface WindowShell extends vscode.Disposable {
  /** None without a folder of this machine, and none in Restricted Mode. */
  tools(conversation: string, reviews: Reviews | null): readonly Tool[];
}

const permissionsKey = 'commandPermissions';

export function createShell(
  { globalStorageUri, workspaceState }: vscode.ExtensionContext,
  { workspace, finding, settings }: ShellParts,
): WindowShell {
  const storage = join(globalStorageUri.fsPath, 'commands');
  const terminal = new CommandTerminal();
  const permissions: PermissionStore = {
    get: () => workspaceState.get<readonly StoredPermission[]>(permissionsKey, []),
    set: async (all) => workspaceState.update(permissionsKey, all),
  };
  const commands = new ShellCommands({
    workspace,
    fence: fencesOf(storage),
    parse: async (command) => {
      const read = await finding.readCommand(command);
      const { text } = command;
      return read ?? { text, parts: [], problem: 'nothing here reads commands: the index is off' };
    },
    permissions: new Permissions(permissions),
    storage,
    variables: process.env,
    settings: () => settings().commands,
    watch: (text) => terminal.watch(text),
    conceal: concealLines,
  });
  const isHere = () =>
    vscode.workspace.isTrusted && vscode.workspace.workspaceFolders?.some(({ uri }) => uri.scheme === 'file') === true;
  const tools: WindowShell['tools'] = (conversation, reviews) =>
    isHere() ? commands.tools(conversation, reviews === null ? null : reviewIn(reviews, conversation)) : [];
  const shown = vscode.Disposable.from(terminal, registerPermissions(permissions));
  return { tools, dispose: () => shown.dispose() };
}

/** The review of a conversation for what its commands change. */
function reviewIn(reviews: Reviews, conversation: string): NonNullable<ReviewFor> {
  return (message) => ({
    files: () => reviews.changedBy(conversation),
    note: (changes) => reviews.noteFound(conversation, message, changes),
    setAside: (changes) => reviews.setAside(conversation, message, changes),
  });
}
