// The rows of models that other programs keep on this machine, and of their files that are none.
import * as vscode from 'vscode';
import { bytesInWords } from '../../core/count.ts';
import type { ModelUse } from '../../core/machine/ggufHeader.ts';
import type { DiskModel } from '../../models/disk/find.ts';
import type { FetchParts } from './fetchSource.ts';
import type { PickRow } from './row.ts';

/** Words for each use; a model to chat with needs none. */
const kinds: Readonly<Record<Exclude<ModelUse, 'chat'>, string>> = {
  embedding: vscode.l10n.t('Embedding model: finds passages by meaning'),
  ranking: vscode.l10n.t('Reranking model: neither answers nor finds passages'),
  projector: vscode.l10n.t('Projector: turns pictures into tokens of the chat model next to it'),
  adapter: vscode.l10n.t('Adapter (LoRA): changes a model, is none'),
  imatrix: vscode.l10n.t('Importance matrix: helps to quantize a model, is none'),
  image: vscode.l10n.t("Image model: draws, can't answer"),
  draft: vscode.l10n.t("Draft model: guesses for a larger one, can't answer by itself"),
  part: vscode.l10n.t('Later part of a model in several files: the first one loads them all'),
};

/** Models to chat with, and those that find by meaning. `looked`: words about the memory of each; none while they are not known. */
export function foundRows(
  found: readonly DiskModel[],
  looked: ReadonlyMap<string, string>,
  use: FetchParts['use'],
): readonly PickRow[] {
  const models = found.flatMap((one) =>
    one.use === 'chat' || one.use === 'embedding' ? [{ ...one, use: one.use }] : [],
  );
  const rows = models.map(({ path, name, place, bytes, use: purpose }): PickRow => {
    return {
      label: `$(${purpose === 'chat' ? 'file' : 'search'}) ${name}`,
      description: `${bytesInWords(bytes)} · ${place}`,
      detail: purpose === 'chat' ? (looked.get(path) ?? '') : kinds.embedding,
      act: () => use(path, purpose),
    };
  });
  const others = found.filter((one) => one.use !== 'chat' && one.use !== 'embedding');
  return others.length === 0 ? rows : [...rows, othersRow(others)];
}

function othersRow(others: readonly DiskModel[]): PickRow {
  return {
    label: `$(info) ${
      others.length === 1
        ? vscode.l10n.t('1 other GGUF file, which is no such model…')
        : vscode.l10n.t('{0} other GGUF files, which are no such models…', others.length)
    }`,
    act: () => showOthers(others),
  };
}

async function showOthers(others: readonly DiskModel[]): Promise<void> {
  const rows = others.map(({ path, name, place, bytes, use }) => ({
    label: name,
    description: `${bytesInWords(bytes)} · ${place}`,
    detail: use === null || use === 'chat' ? vscode.l10n.t('Damaged, or not whole') : kinds[use],
    path,
  }));
  const placeHolder = vscode.l10n.t('These are not loaded. Choose one to show the file.');
  const chosen = await vscode.window.showQuickPick(rows, {
    placeHolder,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen !== undefined) await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(chosen.path));
}
