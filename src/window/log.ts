// The log that a report of a bug needs: what runs on which machine, what happened to the model, and what each call cost, in numbers. It has no words of a message or of an answer.
import { cpus, release, totalmem } from 'node:os';
import * as vscode from 'vscode';
import { count } from '../core/count.ts';
import type { CallReport } from '../core/report/report.ts';
import type { ViewSource } from '../host/views/views.ts';

/** Opens the channel, whose file the editor keeps with its own logs, and writes its first lines. */
export function openLog({ extension }: vscode.ExtensionContext): vscode.OutputChannel {
  const log = vscode.window.createOutputChannel('Tidemark', { log: true });
  const { version } = extension.packageJSON as { readonly version: string };
  const where = vscode.env.remoteName === undefined ? '' : `, remote: ${vscode.env.remoteName}`;
  log.appendLine(`Tidemark ${version}, ${vscode.env.appName} ${vscode.version}${where}, Node ${process.versions.node}`);
  const processors = cpus();
  const memory = `${(totalmem() / 2 ** 30).toFixed(1)} GiB of memory`;
  log.appendLine(
    `${process.platform} ${release()} ${process.arch}, ${processors.length} processors (${processors[0]?.model ?? 'unknown'}), ${memory}`,
  );
  return log;
}

/** Writes a line for each call of a turn that has ended. */
export function logTurns(view: ViewSource, log: Pick<vscode.OutputChannel, 'appendLine'>): { dispose(): void } {
  let ran = view.snapshot.running;
  return view.subscribe(() => {
    const { running, calls } = view.snapshot;
    if (ran && !running) for (const call of calls) log.appendLine(callLine(call));
    ran = running;
  });
}

function callLine({ node, promptTokens, prefill, generatedTokens, ...times }: CallReport): string {
  const { reused, shifted, decoded } = prefill;
  const prompt = `${count(promptTokens)} prompt tokens (${count(reused)} reused, ${count(shifted)} shifted, ${count(decoded)} decoded)`;
  const broke =
    times.breakAt === null ? '' : `; prefix broke at token ${count(times.breakAt.token)} (${times.breakAt.cause})`;
  return `call (${node}): ${prompt}, first token after ${seconds(times.firstTokenMilliseconds)}, ${count(generatedTokens)} generated in ${seconds(times.generateMilliseconds)}${broke}`;
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
