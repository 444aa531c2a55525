// Saves a report to a file of the user's choice, and opens one again.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ReportFiles } from '../../app/viewApi/viewQuestions.ts';
import { readReport } from './reportSchema.ts';

const filters = () => ({ [vscode.l10n.t('Tidemark report')]: ['json'] });
const largest = 50_000_000;

export const reportFiles: ReportFiles = {
  save: async (json) => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const place = folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, 'tidemark-report.json') };
    const file = await vscode.window.showSaveDialog({
      title: vscode.l10n.t('Save the context report'),
      filters: filters(),
      ...place,
    });
    if (file === undefined) return '';
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(json));
    const name = basename(file.path);
    return vscode.l10n.t('Saved to {0}. It contains your conversation, so share it with care.', name);
  },
  open: async () => {
    const [file] =
      (await vscode.window.showOpenDialog({ title: vscode.l10n.t('Open a context report'), filters: filters() })) ?? [];
    if (file === undefined) return null;
    const { size } = await vscode.workspace.fs.stat(file);
    if (size > largest) throw new Error(vscode.l10n.t('The file is too large for a Tidemark report.'));
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    return readReport(text, basename(file.path));
  },
};
