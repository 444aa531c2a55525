// The folder that is open in the extension host, and its files.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';

export const root = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
export const disk = (name: string) => readFileSync(join(root(), name), 'utf8');

/** A file of the folder with this text. */
export function place(name: string, text: string): string {
  const path = join(root(), name);
  writeFileSync(path, text);
  return path;
}
