// The tools as an editor window has them: none without a folder, and in one that is not trusted each says why it reads nothing.
import * as vscode from 'vscode';
import type { Tool } from '../../core/dialog/tool.ts';
import { refuse } from '../../tools/files/result.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import { createTools } from '../../tools/index.ts';

/** Their schemas stay, so that a folder that is trusted later does not make the prompt be read again. */
export function editorTools(workspace: Workspace): readonly Tool[] {
  if (workspace.folders.length === 0) return [];
  return createTools(workspace).map((tool) => ({
    ...tool,
    run: async (args, signal) =>
      vscode.workspace.isTrusted
        ? tool.run(args, signal)
        : refuse('Restricted Mode: files cannot be read until the folder is trusted.'),
  }));
}
