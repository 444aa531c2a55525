// Finding by meaning: which embedding model is set, those that are here, getting one, any file, and going back to words alone.
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { bytesInWords } from '../../core/count.ts';
import { readCatalogue } from '../../models/catalogue.ts';
import { openSetting } from '../handlers/receive.ts';
import { type FetchParts, fetchListed, fetchTyped } from './fetchSource.ts';
import { findModels, type ListedModel } from './modelFiles.ts';
import { embeddingWords } from './modelWords.ts';
import { chooseFile, setModel } from './useModel.ts';

export interface MeaningParts {
  /** Paths of the models that are set; '' for none. */
  readonly current: () => { readonly chat: string; readonly embedding: string };
  /** Whether there is an index at all. */
  readonly enabled: () => boolean;
}

interface Row extends vscode.QuickPickItem {
  readonly act: () => PromiseLike<unknown>;
}

export async function findByMeaning(parts: FetchParts, meaning: MeaningParts): Promise<void> {
  const row = await vscode.window.showQuickPick(rowsFor(parts, meaning), {
    title: title(),
    placeHolder: stateWords(meaning),
    matchOnDescription: true,
  });
  await row?.act();
}

const title = () => vscode.l10n.t('Tidemark: Find by Meaning');

function stateWords(parts: MeaningParts): string {
  if (!parts.enabled()) return vscode.l10n.t('tidemark.finding.enabled is off');
  return parts.current().embedding === ''
    ? vscode.l10n.t('Passages are found by words. An embedding model also finds them by meaning.')
    : vscode.l10n.t('Passages are found by words and by meaning');
}

async function rowsFor(parts: FetchParts, meaning: MeaningParts): Promise<readonly Row[]> {
  const { chat, embedding } = meaning.current();
  // Embedding models that lie beside the chat model are offered too.
  const near = [{ path: chat, memory: '' }];
  const files = await findModels(embedding, near, parts.settings().folder, 'embedding');
  const others = files.filter(({ path }) => path !== embedding).map((file) => fileRow(parts, file));
  const set = embedding === '' ? [] : currentRows(embedding, files[0]);
  return [
    ...set,
    ...(others.length === 0 ? [] : [separator(vscode.l10n.t('here')), ...others]),
    separator(set.length + others.length === 0 ? '' : vscode.l10n.t('others')),
    ...readCatalogue().embeddings.flatMap((model) =>
      model.quantisations.map((one): Row => {
        return { ...embeddingWords(model, one), act: () => fetchListed(parts, model, one, 'embedding') };
      }),
    ),
    {
      label: `$(link) ${vscode.l10n.t('Another one: its Hugging Face name, address or path…')}`,
      alwaysShow: true,
      act: () => fetchTyped(parts, title(), 'embedding'),
    },
    {
      label: `$(folder-opened) ${vscode.l10n.t('Choose a GGUF file…')}`,
      alwaysShow: true,
      act: () => chooseFile('embedding'),
    },
  ];
}

/** `file`: null where it is gone. */
function currentRows(path: string, file: ListedModel | undefined): readonly Row[] {
  const size = file?.path === path ? bytesInWords(file.bytes) : vscode.l10n.t('missing');
  return [
    separator(vscode.l10n.t('in use')),
    {
      label: `$(check) ${basename(path)}`,
      description: `${size} · ${dirname(path)}`,
      act: () => openSetting('finding.model'),
    },
    {
      label: `$(circle-slash) ${vscode.l10n.t('Find by words alone')}`,
      description: vscode.l10n.t('the file is kept'),
      alwaysShow: true,
      act: () => setModel('', 'embedding'),
    },
  ];
}

function fileRow({ use }: FetchParts, { path, bytes }: ListedModel): Row {
  return {
    label: `$(file) ${basename(path)}`,
    description: `${bytesInWords(bytes)} · ${dirname(path)}`,
    act: () => use(path, 'embedding'),
  };
}

function separator(label: string): Row {
  return { label, kind: vscode.QuickPickItemKind.Separator, act: async () => undefined };
}
