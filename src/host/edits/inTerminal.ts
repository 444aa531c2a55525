// A shell block in a terminal: run, or only typed so that the user can look at it and press Enter.
import * as vscode from 'vscode';
import { commandsIn, onOneLine } from './terminalText.ts';

export function runInTerminal(code: string): void {
  terminal().sendText(commandsIn(code), true);
}

/** Lines after the first would run as they are typed: they are joined as the shell joins them. */
export function typeInTerminal(code: string): void {
  terminal().sendText(onOneLine(commandsIn(code)), false);
}

function terminal(): vscode.Terminal {
  const found = vscode.window.activeTerminal ?? vscode.window.createTerminal();
  found.show();
  return found;
}
