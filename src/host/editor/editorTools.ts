// The tools as an editor window has them: none without a folder, and in one that is not trusted each says why it reads nothing.
import * as vscode from 'vscode';
import type { LookingTool, Tool } from '../../core/dialog/tool.ts';
import { createEditTools, type EditPorts } from '../../edits/tools.ts';
import { refuse } from '../../tools/files/result.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import { createTools } from '../../tools/index.ts';
import { editorFiles } from '../edits/editorFiles.ts';
import { watchProblems } from '../edits/newProblems.ts';
import { renameSymbol } from '../edits/renameSymbol.ts';

/** Their schemas stay, so that a folder that is trusted later does not make the prompt be read again. */
export function editorTools(workspace: Workspace, keep: EditPorts['keep'] | null): readonly Tool[] {
  if (workspace.folders.length === 0) return [];
  // In a folder that is not trusted, or where nothing can be kept, nothing that writes is in the prompt at all.
  const mayWrite = vscode.workspace.isTrusted && keep !== null && keep !== undefined;
  const edits = mayWrite
    ? createEditTools({ workspace, files: editorFiles, watchProblems, keep, rename: renameSymbol })
    : [];
  const reads = createTools(workspace).map(
    (tool): LookingTool => ({
      ...tool,
      run: async (args, signal, mayShow) =>
        vscode.workspace.isTrusted
          ? tool.run(args, signal, mayShow)
          : refuse('Restricted Mode: files cannot be read until the folder is trusted.'),
    }),
  );
  return [...reads, ...edits];
}
