// A row of a list that does something when it is chosen.
import * as vscode from 'vscode';

export type Act = () => PromiseLike<unknown>;

export interface RowButton extends vscode.QuickInputButton {
  readonly act: Act;
}

export interface PickRow extends vscode.QuickPickItem {
  readonly act: Act;
  readonly buttons?: readonly RowButton[];
}

/** A line with a title; '' for none. */
export function separator(label: string): PickRow {
  return { label, kind: vscode.QuickPickItemKind.Separator, act: async () => undefined };
}
