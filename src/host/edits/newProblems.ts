// The problems that a change brought into files: those that the editor reports afterwards and did not before.
import * as vscode from 'vscode';
import { textWithoutSecrets } from '../../secrets/lines.ts';

/** Milliseconds that a language server gets, and without another word from it. */
const longest = 2500;
const quiet = 400;
/** Problems that are told of each file at most. */
const most = 5;

/** Called before the change; what comes back, after it. Never rejects. */
export function watchProblems(files: readonly string[]): () => Promise<ReadonlyMap<string, readonly string[]>> {
  const uris = files.map((path) => vscode.Uri.file(path));
  const before = new Map(uris.map((uri) => [uri.fsPath, counted(uri)]));
  return async () => {
    await settled(uris);
    return new Map(uris.map((uri) => [uri.fsPath, newIn(uri, before.get(uri.fsPath) ?? new Map())]));
  };
}

const errors = (uri: vscode.Uri) => vscode.languages.getDiagnostics(uri).filter(({ severity }) => severity === 0);

/** Counts errors by their words, because lines move with an edit. */
function counted(uri: vscode.Uri): Map<string, number> {
  const all = new Map<string, number>();
  for (const { message } of errors(uri)) all.set(message, (all.get(message) ?? 0) + 1);
  return all;
}

function newIn(uri: vscode.Uri, before: Map<string, number>): readonly string[] {
  const left = new Map(before);
  const fresh = errors(uri).filter(({ message }) => {
    const known = left.get(message) ?? 0;
    left.set(message, known - 1);
    return known <= 0;
  });
  const name = vscode.workspace.asRelativePath(uri);
  const lines = fresh
    .slice(0, most)
    .map(
      ({ range, message }) =>
        `New problem: ${name}:${range.start.line + 1}: ${textWithoutSecrets(message.replace(/\s+/g, ' '), '').slice(0, 200)}`,
    );
  return fresh.length > most ? [...lines, `and ${fresh.length - most} more new problems in ${name}`] : lines;
}

/** Waits until the language servers have been quiet for a while. None may be looking at these files, so the wait for a first word is short. */
function settled(uris: readonly vscode.Uri[]): Promise<void> {
  return new Promise((resolve) => {
    let timer = setTimeout(done, longest / 2);
    const end = setTimeout(done, longest);
    const hearing = vscode.languages.onDidChangeDiagnostics(({ uris: changed }) => {
      if (!changed.some((one) => uris.some((uri) => uri.fsPath === one.fsPath))) return;
      clearTimeout(timer);
      timer = setTimeout(done, quiet);
    });
    function done() {
      clearTimeout(timer);
      clearTimeout(end);
      hearing.dispose();
      resolve();
    }
  });
}
