// Moves Tidemark's folder of models to another place, after asking; what is in use is used from there.
import { join, sep } from 'node:path';
import * as vscode from 'vscode';
import { bytesInWords } from '../../core/count.ts';
import { listModels, listUnfinished, moveModels } from '../../models/folder.ts';
import { agrees, showWarning } from '../system/toast.ts';
import type { HereParts } from './hereRows.ts';

export async function moveFolder(
  parts: Pick<HereParts, 'folder' | 'current' | 'use'>,
  setFolder: (folder: string) => Promise<void>,
): Promise<void> {
  const from = parts.folder();
  const unfinished = await listUnfinished(from);
  if (unfinished.some(({ running }) => running)) {
    void showWarning(vscode.l10n.t('A model is being downloaded. Pause it first, then move the folder.'));
    return;
  }
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Move the models to this folder'),
    openLabel: vscode.l10n.t('Move here'),
    canSelectFiles: false,
    canSelectFolders: true,
  });
  const to = chosen?.[0]?.fsPath;
  if (to === undefined || to === from) return;
  const bytes = (await listModels(from)).reduce((sum, model) => sum + model.bytes, 0);
  const question = vscode.l10n.t('Move {0} of models?', bytesInWords(bytes));
  if (!(await agrees(question, vscode.l10n.t('From {0}\nto {1}', from, to), vscode.l10n.t('Move')))) return;
  const options = { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Moving the models') };
  await vscode.window.withProgress(options, (progress) =>
    moveModels(from, to, (name) => progress.report({ message: name })),
  );
  const purposes = ['chat', 'embedding'] as const;
  const before = purposes.map((purpose) => [purpose, parts.current(purpose)] as const);
  await setFolder(to);
  for (const [purpose, current] of before)
    if (current.startsWith(from + sep)) await parts.use(join(to, current.slice(from.length + 1)), purpose);
}
