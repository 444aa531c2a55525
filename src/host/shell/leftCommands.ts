// Tells the user of commands that an earlier window left running, and ends them.
import * as vscode from 'vscode';
import type { Survivors } from '../../shell/survivors.ts';
import { showWarning } from '../system/toast.ts';

/** Never rejects. */
export async function tellLeftCommands(survivors: Survivors, log: (words: string) => void): Promise<void> {
  const left = await survivors.left();
  if (left.length === 0) return;
  for (const { pid, text } of left) log(`still runs: ${text} (process ${pid})`);
  const named = left.map(({ pid, text }) => `${text.replace(/\s+/g, ' ').slice(0, 60)} (${pid})`).join(', ');
  const end = vscode.l10n.t('End Them');
  const words = vscode.l10n.t('Commands started by a closed editor window are still running: {0}.', named);
  if ((await showWarning(words, end, vscode.l10n.t('Leave Them'))) !== end) return;
  for (const run of left) await survivors.end(run).catch((error: unknown) => log(String(error)));
}
