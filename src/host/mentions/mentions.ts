// Resolves what a message can mention, in the editor: files, folders, symbols, the selection, problems and terminals.

import * as vscode from 'vscode';
import type { Mention, MentionText } from '../../app/ports/mention.ts';
import type { Mentions, Project } from '../../app/ports/project.ts';
import { countOf } from '../../core/count.ts';
import type { Signal, ToolResult } from '../../core/dialog/tool.ts';
import { findRoots, ownerOf, resolvePath, showPath } from '../../tools/files/paths.ts';
import { accept, headLine, refuse, systemReason } from '../../tools/files/result.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import { createFindSymbol } from '../../tools/findSymbol.ts';
import { createGetDiagnostics } from '../../tools/getDiagnostics.ts';
import { attachedFile, FileNames, filesIn, fileText, folderText, mentionAt } from '../../workspace/mentionFiles.ts';
import { blockAt } from './mentionBlock.ts';
import { changesText } from './mentionChanges.ts';
import { plainOutput } from './mentionOutput.ts';
import { followEditor, type LastEditor } from './mentionSelection.ts';

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

// The last commands of the terminals with what they wrote, where the shell tells the editor about them.

interface Ran {
  readonly command: string;
  readonly exit: number | undefined;
  readonly output: string;
}

interface TerminalLog extends vscode.Disposable {
  text(): ToolResult;
}

const kept = 3;
/** UTF-16 units of one command's output: its end says most. */
const most = 20_000;

function followTerminals(): TerminalLog {
  let last: readonly Ran[] = [];
  const running = new Map<vscode.TerminalShellExecution, Promise<string>>();
  const started = vscode.window.onDidStartTerminalShellExecution(({ execution }) => {
    // A command counts though what it wrote cannot be read.
    running.set(
      execution,
      read(execution).catch(() => ''),
    );
  });
  const ended = vscode.window.onDidEndTerminalShellExecution(async ({ execution, exitCode }) => {
    const output = (await running.get(execution)) ?? '';
    running.delete(execution);
    last = [...last, { command: execution.commandLine.value, exit: exitCode, output }].slice(-kept);
  });
  return {
    dispose: () => vscode.Disposable.from(started, ended).dispose(),
    text: () => {
      if (last.length === 0) return refuse('No terminal output yet (needs shell integration).');
      const body = last.map(({ command, exit, output }) => {
        const code = exit === undefined ? '' : `\n(exit code ${exit})`;
        return `$ ${headLine(command)}\n${output}${code}`;
      });
      return accept(`Terminal (the last ${countOf(last.length, 'command', 'commands')})`, [body.join('\n\n')]);
    },
  };
}

async function read(execution: vscode.TerminalShellExecution): Promise<string> {
  let text = '';
  for await (const piece of execution.read()) text = (text + piece).slice(-2 * most);
  return plainOutput(text, most);
}

// A symbol as a text beside a message: the code that declares it, as far as the editor or the look of the code says.
const mostNames = 200;

async function symbolText(workspace: Workspace, name: string, signal: Signal): Promise<MentionText> {
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

type DeclaredNames = (typed: string) => Promise<readonly { readonly name: string; readonly path: string }[]>;

/** Symbols that the editor knows, then those of the index, by what was typed of them. Many languages have no service until a file is open. */
async function symbolNames(
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
