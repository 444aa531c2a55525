// A shell block in a terminal: run, or only typed so that the user can look at it and press Enter. Nobody can read what stands on a terminal's
// line, so a command never goes behind what the user or another block put there: it gets a terminal of its own.
import * as vscode from 'vscode';
import { commandsIn, onOneLine } from './terminalText.ts';

/** Terminals that were opened for blocks. */
const own = new WeakSet<vscode.Terminal>();
/** The latest of them in which the shell said that a command has ended, and nothing began since. */
let rested: vscode.Terminal | null = null;
let isWatched = false;

export function runInTerminal(code: string): void {
  const commands = commandsIn(code);
  const again = rested?.exitStatus === undefined && !commands.includes('\n') ? rested : null;
  const shell = again?.shellIntegration;
  if (again === null || shell === undefined) {
    opened().sendText(commands, true);
    return;
  }
  rested = null;
  again.show();
  // The editor clears the line first, should the user have typed there.
  shell.executeCommand(commands);
}

/** Lines after the first would run as they are typed: they are joined as the shell joins them. */
export function typeInTerminal(code: string): void {
  opened().sendText(onOneLine(commandsIn(code)), false);
}

function opened(): vscode.Terminal {
  watch();
  const terminal = vscode.window.createTerminal();
  own.add(terminal);
  terminal.show();
  return terminal;
}

function watch(): void {
  if (isWatched) return;
  isWatched = true;
  vscode.window.onDidStartTerminalShellExecution(({ terminal }) => {
    if (terminal === rested) rested = null;
  });
  vscode.window.onDidEndTerminalShellExecution(({ terminal }) => {
    if (own.has(terminal)) rested = terminal;
  });
}
