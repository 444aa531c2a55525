// The last commands of the terminals with what they wrote, where the shell tells the editor about them.

import * as vscode from 'vscode';
import { countOf } from '../../core/count.ts';
import type { ToolResult } from '../../core/dialog/tool.ts';
import { accept, headLine, refuse } from '../../tools/files/result.ts';
import { plainOutput } from './mentionOutput.ts';

interface Ran {
  readonly command: string;
  readonly exit: number | undefined;
  readonly output: string;
}

export interface TerminalLog extends vscode.Disposable {
  text(): ToolResult;
}

const kept = 3;
/** UTF-16 units of one command's output: its end says most. */
const most = 20_000;

export function followTerminals(): TerminalLog {
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
