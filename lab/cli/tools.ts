// The tools of a conversation on the command line: as in an editor's window, over a plain folder.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Tool } from '../../src/core/dialog/tool.ts';
import { diskFiles } from '../../src/edits/files/diskFiles.ts';
import { createEditTools, type EditPorts } from '../../src/edits/tools.ts';
import type { FindingClient } from '../../src/finding/client.ts';
import { concealLines } from '../../src/secrets/lines.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { fencesOf } from '../../src/shell/fencesOf.ts';
import { Permissions, type StoredPermission } from '../../src/shell/permissions.ts';
import { ShellCommands } from '../../src/shell/tool.ts';
import type { Workspace } from '../../src/tools/files/workspace.ts';
import { createTools } from '../../src/tools/index.ts';
import { cacheFolder } from './finding.ts';
import { sayPiece } from './say.ts';

/** The files of the last change, by their real paths, as they were; null for one that was not there. */
export class LastChange {
  private files = new Map<string, Buffer | null>();

  readonly keep: NonNullable<EditPorts['keep']> = async (files) => {
    for (const { real, before } of files)
      if (!this.files.has(real)) this.files.set(real, before === null ? null : readFileSync(real));
    return async () => undefined;
  };

  /** Keeps what was changed until now. */
  forget(): void {
    this.files.clear();
  }

  takeBack(): void {
    for (const [real, bytes] of this.files)
      if (bytes === null) rmSync(real, { force: true });
      else writeFileSync(real, bytes);
    this.forget();
  }
}

/** The output of a command is printed as it comes; a permission for good lasts as long as the program. */
export function toolsOf(
  workspace: Workspace,
  finding: Pick<FindingClient, 'request'>,
  settings: Pick<Settings, 'commands'>,
  keep?: EditPorts['keep'],
): readonly Tool[] {
  const storage = cacheFolder('commands');
  let permissions: readonly StoredPermission[] = [];
  const commands = new ShellCommands({
    ...{ workspace, storage, variables: process.env },
    fence: fencesOf(storage),
    parse: async (command) => {
      const read = await finding.request('readCommand', command);
      const { text } = command;
      return read ?? { text, parts: [], problem: 'the grammar of commands could not be loaded' };
    },
    permissions: new Permissions({
      get: () => permissions,
      set: async (all) => {
        permissions = all;
      },
    }),
    settings: () => settings.commands,
    conceal: concealLines,
    watch: () => ({ onText: (text) => sayPiece(text, process.stderr), onEnd: () => undefined }),
  });
  return [
    ...createTools(workspace),
    ...createEditTools({ workspace, files: diskFiles, ...(keep !== undefined && { keep }) }),
    ...commands.tools('command line', null),
  ];
}
