// An address that an answer names: shown whole before the browser opens it, since a model wrote it.
import * as vscode from 'vscode';
import { showInformation } from '../system/toast.ts';

/** A port of this machine; from a window of another machine by the editor's own way. */
export async function openPort(port: number): Promise<void> {
  await vscode.env.openExternal(await vscode.env.asExternalUri(vscode.Uri.parse(`http://127.0.0.1:${port}`)));
}

export async function openLink(href: string): Promise<void> {
  const uri = vscode.Uri.parse(href, true);
  if (!/^(https?|mailto)$/.test(uri.scheme)) return;
  const [open, copy] = [vscode.l10n.t('Open'), vscode.l10n.t('Copy')];
  const answer = await showInformation(vscode.l10n.t('Open this address in your browser? {0}', href), open, copy);
  if (answer === open) await vscode.env.openExternal(uri);
  if (answer === copy) await vscode.env.clipboard.writeText(href);
}
