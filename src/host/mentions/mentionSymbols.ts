// A symbol as a text beside a message: the code that declares it, as far as the editor or the look of the code says.
import * as vscode from 'vscode';
import type { MentionText } from '../../app/ports/mention.ts';
import type { Signal } from '../../core/dialog/tool.ts';
import { findRoots, ownerOf, resolvePath, showPath } from '../../tools/files/paths.ts';
import { accept, refuse } from '../../tools/files/result.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import { createFindSymbol } from '../../tools/findSymbol.ts';
import { fileText } from '../../workspace/mentionFiles.ts';
import { blockAt } from './mentionBlock.ts';

const mostNames = 200;

export async function symbolText(workspace: Workspace, name: string, signal: Signal): Promise<MentionText> {
  const found = await createFindSymbol(workspace).run({ name }, signal);
  const places = [...found.body.matchAll(/^\d+\. (.+?):(\d+): /gm)].map(([, path = '', line]) => ({
    path,
    line: Number(line),
  }));
  const [first, ...others] = places;
  if (first === undefined) return refuse(found.head);
  const file = await fileText(workspace, { name: first.path, lines: null }, signal);
  if (!file.ok) return file;
  const lines = file.body.split('\n');
  const { from, to } = (await rangeOf(workspace, first)) ?? blockAt(lines, first.line);
  const also =
    others.length === 0 ? [] : [`Also declared: ${others.map(({ path, line }) => `${path}:${line}`).join(', ')}`];
  const text = accept(`${name} in ${first.path} (lines ${from}-${to})`, [...lines.slice(from - 1, to), ...also]);
  return { ...text, of: { path: first.path, before: lines.slice(0, from - 1) } };
}

/** The lines of the innermost symbol that begins there, where the editor knows. */
async function rangeOf(
  workspace: Workspace,
  { path, line }: { readonly path: string; readonly line: number },
): Promise<{ readonly from: number; readonly to: number } | null> {
  const found = await resolvePath(workspace, path);
  if (!found.ok) return null;
  const known = await vscode.commands
    .executeCommand<vscode.DocumentSymbol[] | undefined>(
      'vscode.executeDocumentSymbolProvider',
      vscode.Uri.file(found.place.path),
    )
    .then(
      (symbols) => symbols ?? [],
      () => [],
    );
  const all = known.flatMap(function deep(one): readonly vscode.DocumentSymbol[] {
    return [one, ...(one.children ?? []).flatMap(deep)];
  });
  const at = all.findLast(
    ({ range, selectionRange }) => selectionRange?.start.line === line - 1 && range.end.line >= line - 1,
  );
  return at === undefined ? null : { from: at.range.start.line + 1, to: at.range.end.line + 1 };
}

export type DeclaredNames = (typed: string) => Promise<readonly { readonly name: string; readonly path: string }[]>;

/** Symbols that the editor knows, then those of the index, by what was typed of them. Many languages have no service until a file is open. */
export async function symbolNames(
  workspace: Workspace,
  typed: string,
  declared: DeclaredNames,
): Promise<readonly { name: string; detail: string }[]> {
  const found = await vscode.commands
    .executeCommand<vscode.SymbolInformation[] | undefined>('vscode.executeWorkspaceSymbolProvider', typed)
    .then(
      (symbols) => symbols ?? [],
      () => [],
    );
  const roots = await findRoots(workspace);
  const inside = found.filter(
    ({ location: { uri } }) => uri.scheme === 'file' && ownerOf(roots, uri.fsPath) !== undefined,
  );
  const named = inside.map(({ name, location }) => ({
    name: name.replace(/\(.*$/s, ''),
    detail: showPath(roots, location.uri.fsPath),
  }));
  const indexed = (await declared(typed)).map(({ name, path }) => ({ name, detail: path }));
  const all = [...named, ...indexed];
  return [...new Map(all.toReversed().map((one) => [one.name, one])).values()].toReversed().slice(0, mostNames);
}
