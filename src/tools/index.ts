// The tools over a workspace, all read-only.

import type { LookingTool } from '../core/dialog/tool.ts';
import type { Workspace } from './files/workspace.ts';
import { createFindSymbol } from './findSymbol.ts';
import { createGetDiagnostics } from './getDiagnostics.ts';
import { createListFiles } from './listFiles.ts';
import { createReadFile } from './readFile.ts';
import { createSearchCode } from './searchCode.ts';

export type { Diagnostic, Folder, SymbolHit, Unsaved, Workspace } from './files/workspace.ts';

/** The tools in the order of their names; get_diagnostics is among them only where the workspace has diagnostics. */
export function createTools(workspace: Workspace): LookingTool[] {
  const tools = [
    createFindSymbol(workspace),
    createListFiles(workspace),
    createReadFile(workspace),
    createSearchCode(workspace),
  ];
  if (workspace.diagnostics !== undefined) tools.push(createGetDiagnostics(workspace));
  return tools.sort((a, b) => (a.schema.name < b.schema.name ? -1 : 1));
}
