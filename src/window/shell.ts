// The commands of a window: their fence, their permissions, and who watches them.
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Programs } from '../app/ports/project.ts';
import type { Tool } from '../core/dialog/tool.ts';
import type { Reviews } from '../edits/review/reviews.ts';
import type { EditorFinding } from '../host/finding/finding.ts';
import { openPort } from '../host/handlers/openLink.ts';
import { showProblem } from '../host/handlers/receive.ts';
import { registerPermissions } from '../host/shell/choosePermissions.ts';
import { CommandTerminal } from '../host/shell/commandTerminal.ts';
import { confirms } from '../host/system/toast.ts';
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
  readonly programs: Programs;
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
  const shown = vscode.Disposable.from(terminal, registerPermissions(permissions), commands.programs);
  return { tools, programs: programsOf(commands.programs, terminal), dispose: () => shown.dispose() };
}

function programsOf(programs: ShellCommands['programs'], terminal: CommandTerminal): Programs {
  const open = async (run: number, port: number) => {
    const { command = '' } = programs.get(run) ?? {};
    const yes = vscode.l10n.t('Open');
    const isYes = await confirms(
      vscode.l10n.t('Open port {0} of "{1}" in the browser?', port, command),
      vscode.l10n.t(
        'Until it ends, the programs of this computer reach this one port. Commands of the model reach no port of this computer.',
      ),
      yes,
    );
    if (isYes) await openPort(await programs.forward(run, port));
  };
  return {
    of: (session) => programs.of(session).map(({ run, command, ports, began }) => ({ run, command, ports, began })),
    subscribe: (hear) => programs.changed.subscribe(hear),
    letRun: (session) => programs.letRun(session),
    stop: (run) => void programs.stop(run),
    open: (run, port) => void open(run, port).catch(showProblem),
    showOutput: () => terminal.show(),
    end: (session) => void programs.end(session),
  };
}

/** The review of a conversation for what its commands change. */
function reviewIn(reviews: Reviews, conversation: string): NonNullable<ReviewFor> {
  return (message) => ({
    files: () => reviews.changedBy(conversation),
    note: (changes) => reviews.noteFound(conversation, message, changes),
    setAside: (changes) => reviews.setAside(conversation, message, changes),
  });
}
