// Gets a model: the catalogue ranked for this machine, or any address, and behind them the one that finds by meaning.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { readCatalogue } from '../../models/catalogue.ts';
import { type Machine, type RankedModel, rankModels, type Wish } from '../../models/rank.ts';
import { readSource } from '../../models/source.ts';
import { type FetchParts, fetchListed, fetchTyped, sayOffline } from './fetchSource.ts';
import { groupWords, meaningWords, rowWords } from './modelWords.ts';

export interface GetModelParts extends FetchParts {
  readonly wish: () => Wish;
  readonly machine: () => Promise<Machine>;
  /** Path of the embedding model that is set; '' for none. */
  readonly embedding: () => string;
}

interface Row extends vscode.QuickPickItem {
  readonly act: () => PromiseLike<unknown>;
}

export async function getModel(parts: GetModelParts): Promise<void> {
  if (parts.settings().offline) return sayOffline('chat');
  const row = await vscode.window.showQuickPick(rowsFor(parts), {
    title: title(),
    placeHolder: vscode.l10n.t('Nothing is downloaded until you confirm'),
    matchOnDescription: true,
  });
  await row?.act();
}

/** The one embedding model that is offered beside the chat model, without a list. */
export async function getEmbedding(parts: FetchParts): Promise<void> {
  const [model] = readCatalogue().embeddings;
  const [quantisation] = model.quantisations;
  if (quantisation !== undefined) await fetchListed(parts, model, quantisation, 'embedding');
}

/** Goes on with a download that was not finished, without asking what was agreed to before. */
export async function resumeModel(parts: FetchParts, name: string, url: string): Promise<void> {
  const { offline, huggingFace, folder } = parts.settings();
  const listed = readCatalogue().embeddings.some(({ repository }) => url.includes(`/${repository}/`));
  const purpose = listed ? 'embedding' : 'chat';
  if (offline) return sayOffline(purpose);
  const source = readSource(url, huggingFace);
  if (source.kind === 'remote') await parts.downloads.start({ name, files: source.files, folder, purpose });
}

const title = () => vscode.l10n.t('Tidemark: Get a Model');

async function rowsFor(parts: GetModelParts): Promise<readonly Row[]> {
  const { models } = readCatalogue();
  const ranked = rankModels(models, await parts.machine(), parts.wish());
  const rows = ranked.flatMap((one, i): readonly Row[] => {
    const row = chatRow(parts, one);
    return one.verdict === ranked[i - 1]?.verdict ? [row] : [separator(groupWords[one.verdict]), row];
  });
  const other = {
    label: `$(link) ${vscode.l10n.t('Another one: hf:, address or path…')}`,
    alwaysShow: true,
    act: () => fetchTyped(parts, title(), 'chat'),
  };
  return [...rows, separator(''), other, separator(vscode.l10n.t('beside the chat model')), meaningRow(parts)];
}

function chatRow(parts: FetchParts, one: RankedModel): Row {
  return { ...rowWords(one), act: () => fetchListed(parts, one.model, one.quantisation, 'chat') };
}

function meaningRow(parts: GetModelParts): Row {
  const current = parts.embedding();
  if (current === '') {
    const [model] = readCatalogue().embeddings;
    return { ...meaningWords(model), alwaysShow: true, act: () => getEmbedding(parts) };
  }
  return {
    label: `$(search) ${vscode.l10n.t('Find by meaning…')}`,
    description: basename(current),
    alwaysShow: true,
    act: () => vscode.commands.executeCommand('tidemark.findByMeaning'),
  };
}

function separator(label: string): Row {
  return { label, kind: vscode.QuickPickItemKind.Separator, act: async () => undefined };
}
