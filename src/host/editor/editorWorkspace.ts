// The editor as the tools' workspace: folders, unsaved buffers, the Problems panel and the language servers' symbols.
import * as vscode from 'vscode';
import type { Diagnostic, SymbolHit, Workspace } from '../../tools/files/workspace.ts';

export function editorWorkspace(): Workspace {
  return {
    get folders() {
      const folders = vscode.workspace.workspaceFolders ?? [];
      return folders.filter(({ uri }) => uri.scheme === 'file').map(({ name, uri }) => ({ name, path: uri.fsPath }));
    },
    unsaved: () =>
      vscode.workspace.textDocuments
        .filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file')
        .map((document) => ({ path: document.uri.fsPath, text: document.getText() })),
    diagnostics: async (path) => readDiagnostics(path),
    symbols: findSymbols,
  };
}

const severities = ['error', 'warning', 'info', 'hint'] as const;

function readDiagnostics(path: string | undefined): readonly Diagnostic[] {
  const all = vscode.languages.getDiagnostics().filter(([uri]) => uri.scheme === 'file');
  const wanted = path === undefined ? all : all.filter(([uri]) => uri.fsPath === path);
  return wanted.flatMap(([uri, diagnostics]) =>
    diagnostics.map((diagnostic) => ({
      path: uri.fsPath,
      line: diagnostic.range.start.line + 1,
      column: diagnostic.range.start.character + 1,
      severity: severities[diagnostic.severity] ?? 'info',
      message: diagnostic.message,
      source: sourceOf(diagnostic),
    })),
  );
}

/** `ts` and code 2304 read as TS2304; other sources keep their name and code. */
function sourceOf({ source, code }: vscode.Diagnostic): string {
  const number = typeof code === 'object' ? String(code.value) : String(code ?? '');
  if (source === 'ts' || source === 'js') return `TS${number}`;
  return [source ?? '', number].filter(Boolean).join(' ');
}

async function findSymbols(query: string): Promise<readonly SymbolHit[]> {
  const found = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    query,
  );
  return (found ?? [])
    .filter(({ name, location }) => name.replace(/\(.*$/, '') === query && location.uri.scheme === 'file')
    .map(({ name, kind, location, containerName }) => ({
      name,
      kind: vscode.SymbolKind[kind].toLowerCase(),
      path: location.uri.fsPath,
      line: location.range.start.line + 1,
      container: containerName,
    }));
}
