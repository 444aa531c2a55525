// Resolves what a message can mention, in the editor: files, folders, symbols, the selection, problems and terminals.
import * as vscode from 'vscode';
import type { Mention, MentionText } from '../../app/ports/mention.ts';
import type { Mentions, Project } from '../../app/ports/project.ts';
import type { Signal } from '../../core/dialog/tool.ts';
import { refuse, systemReason } from '../../tools/files/result.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import { createGetDiagnostics } from '../../tools/getDiagnostics.ts';
import { attachedFile, FileNames, filesIn, folderText, mentionAt } from '../../workspace/mentionFiles.ts';
import { changesText } from './mentionChanges.ts';
import { followEditor, type LastEditor } from './mentionSelection.ts';
import { type DeclaredNames, symbolNames, symbolText } from './mentionSymbols.ts';
import { followTerminals } from './mentionTerminal.ts';

export interface EditorMentions extends Mentions, vscode.Disposable {
  readonly promptFiles: Project['promptFiles'];
  /** The editor that was used last. */
  readonly editor: LastEditor;
}

const never = () => new AbortController().signal;

/** `declared`: names that the index has, by a part of them; left out where there is no index. */
export function createMentions(workspace: Workspace, declared: DeclaredNames = async () => []): EditorMentions {
  const editor = followEditor();
  const terminals = followTerminals();
  const names = new FileNames(workspace, openFiles);
  const trusted = () => vscode.workspace.isTrusted;
  const textOf = (mention: Mention, signal: Signal): Promise<MentionText> | MentionText => {
    const { kind, name } = mention;
    switch (kind) {
      case 'file':
        return attachedFile(workspace, mention, signal);
      case 'folder':
        return folderText(workspace, name, signal);
      case 'symbol':
        return symbolText(workspace, name, signal);
      case 'selection':
        return editor.text(workspace);
      case 'changes':
        return changesText();
      case 'problems':
        return createGetDiagnostics(workspace).run({}, signal);
      case 'terminal':
        return terminals.text();
      default:
        return kind satisfies never;
    }
  };
  return {
    editor,
    resolve: async (mention, signal) => {
      if (!trusted()) return refuse("Files can't be attached in Restricted Mode.");
      try {
        return await textOf(mention, signal);
      } catch (error) {
        return refuse(`It could not be read: ${systemReason(error)}`);
      }
    },
    names: async (kind, typed) => {
      if (!trusted()) return [];
      if (kind === 'symbol') return symbolNames(workspace, typed, declared);
      const found = await (kind === 'file' ? names.files() : names.folders()).catch(() => []);
      return found.map((name) => ({ name, detail: '' }));
    },
    placed: async (place) => (trusted() ? mentionAt(workspace, place).catch(() => null) : null),
    promptFiles: async () => (trusted() ? filesIn(workspace, '.tidemark/prompts', '.md', never()).catch(() => []) : []),
    dispose: () => vscode.Disposable.from(editor, terminals).dispose(),
  };
}

/** The one in front first. */
function openFiles(): readonly string[] {
  const active = vscode.window.activeTextEditor?.document.uri;
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all.map(({ input }) => input));
  const uris = tabs.flatMap((input) => (input instanceof vscode.TabInputText ? [input.uri] : []));
  return [...(active === undefined ? [] : [active]), ...uris]
    .filter(({ scheme }) => scheme === 'file')
    .map(({ fsPath }) => fsPath);
}
