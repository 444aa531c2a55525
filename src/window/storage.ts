// The storage of an editor window, and what a user reads where nothing can be written to it.
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { FaultError } from '../core/faults/faults.ts';
import { openIn, type StoreOrWords } from '../store/rescue/openIn.ts';

/** Never rejects. */
export function openStorage({
  extensionPath,
  globalStorageUri,
}: Pick<vscode.ExtensionContext, 'extensionPath' | 'globalStorageUri'>): Promise<StoreOrWords> {
  const thread = (name: string) => join(extensionPath, 'dist', name);
  return openIn(globalStorageUri.fsPath, thread('salvage.cjs'), thread('search.cjs'));
}

export function readOnlyNotice(): string {
  return new FaultError({ kind: 'storeUnavailable', reason: 'the storage is read-only' }).message;
}
