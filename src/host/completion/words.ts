// Inline suggestions in words: why there is none, and how they stand.
import * as vscode from 'vscode';
import type { SilenceReason } from '../../completion/show.ts';

const silences: Readonly<Record<SilenceReason, () => string>> = {
  'inside a word': () => vscode.l10n.t('inside a word'),
  'too much behind the caret': () => vscode.l10n.t('too much behind the caret'),
  'a secret stands in this line': () => vscode.l10n.t('a secret stands in this line'),
  'the model has nothing to add': () => vscode.l10n.t('the model has nothing to add'),
  'it stands there already': () => vscode.l10n.t('it stands there already'),
  'it repeats what stands above': () => vscode.l10n.t('it repeats what stands above'),
  'the model is not sure': () => vscode.l10n.t('the model is not sure'),
  'the file would no longer parse': () => vscode.l10n.t('the file would no longer parse'),
  'the text does not fit into the window': () => vscode.l10n.t('the text does not fit into the window'),
  'what was typed differs': () => vscode.l10n.t('you typed something else'),
  'the caret left': () => vscode.l10n.t('the caret or the focus left the place'),
};

export function silenceWords(why: SilenceReason | ''): string {
  return why === '' ? '' : silences[why]();
}
