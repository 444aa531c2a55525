// A row of a list that does something when it is chosen.
import * as vscode from 'vscode';

export type RowAct = () => PromiseLike<unknown>;

export interface RowButton extends vscode.QuickInputButton {
  readonly act: RowAct;
}

export interface PickRow extends vscode.QuickPickItem {
  readonly act: RowAct;
  readonly buttons?: readonly RowButton[];
}

/** A line with a title; '' for none. */
export function separator(label: string): PickRow {
  return { label, kind: vscode.QuickPickItemKind.Separator, act: async () => undefined };
}
