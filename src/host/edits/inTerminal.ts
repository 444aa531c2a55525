// Puts a shell block into a terminal, so that the user can look at it and press Enter. Nobody can read what stands on a terminal's line, so it
// never goes behind what the user or another block put there: it gets a terminal of its own.
import * as vscode from 'vscode';
import { commandsIn, onOneLine } from './terminalText.ts';

/** Lines after the first would run as they are typed: they are joined as the shell joins them. */
export function typeInTerminal(code: string): void {
  const terminal = vscode.window.createTerminal();
  terminal.show();
  terminal.sendText(onOneLine(commandsIn(code)), false);
}
