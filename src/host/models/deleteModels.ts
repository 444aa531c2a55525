// Deletes models and partial downloads of Tidemark's folder, after asking.
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { bytesInWords } from '../../core/count.ts';
import type { Purpose } from '../../core/machine/ggufHeader.ts';
import { deleteModel, deleteUnfinished, type KeptModel, type UnfinishedDownload } from '../../models/folder.ts';
import { agrees, showWarning } from '../system/toast.ts';

/** `inUse`: what for; null for nothing. */
export async function deleteKept(model: KeptModel, inUse: Purpose | null): Promise<void> {
  if (inUse !== null) {
    void showWarning(
      inUse === 'chat'
        ? vscode.l10n.t('{0} is in use. Choose another model first.', model.name)
        : vscode.l10n.t(
            '{0} is the embedding model in use. Turn it off first with "Tidemark: Find by Meaning".',
            model.name,
          ),
    );
    return;
  }
  const detail = vscode.l10n.t(
    '{0} in {1}. To get it back you must download it again.',
    bytesInWords(model.bytes),
    dirname(model.path),
  );
  if (await agrees(vscode.l10n.t('Delete {0}?', model.name), detail, vscode.l10n.t('Delete'))) await deleteModel(model);
}

export async function deletePart(one: UnfinishedDownload): Promise<void> {
  const detail = vscode.l10n.t('{0} downloaded', bytesInWords(one.bytes));
  const question = vscode.l10n.t('Delete the partial download of {0}?', one.name);
  if (!(await agrees(question, detail, vscode.l10n.t('Delete')))) return;
  if (!(await deleteUnfinished(one)))
    void showWarning(vscode.l10n.t('Another window is downloading {0}. Pause it there first.', one.name));
}
