// Asks before something is overwritten that somebody else wrote: a comparison of what is there with what would be, and a yes.
import * as vscode from 'vscode';
import { textOf } from '../../edits/review/look.ts';
import type { Overwriting } from '../../edits/review/review.ts';
import { showWarning } from '../system/toast.ts';
import type { VirtualTexts } from './virtualTexts.ts';

/** The comparison stays open while the question waits. */
export async function mayOverwrite(texts: VirtualTexts, what: Overwriting): Promise<boolean> {
  const { file, shown, current, target } = what;
  await texts.compare(file, current?.text ?? '', target === null ? '' : textOf(target), (name) =>
    vscode.l10n.t('{0}: now and after it is overwritten', name),
  );
  const goes = target === null;
  const words = goes
    ? vscode.l10n.t('{0} was modified after the model changed it. Delete it anyway?', shown)
    : vscode.l10n.t('{0} was modified after the model changed it. Overwrite it anyway?', shown);
  const yes = goes ? vscode.l10n.t('Delete') : vscode.l10n.t('Overwrite');
  return (await showWarning(`Tidemark: ${words}`, yes, vscode.l10n.t('Leave It'))) === yes;
}
