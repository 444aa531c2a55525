// A plain folder as the tools' workspace: no editor, so no unsaved buffers, diagnostics or language server.
import { basename, resolve } from 'node:path';
import type { Workspace } from '../../src/tools/files/workspace.ts';

export function folderWorkspace(folder: string): Workspace {
  const path = resolve(folder);
  return { folders: [{ name: basename(path), path }], unsaved: () => [] };
}
