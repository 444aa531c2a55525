// The catalogue's rows in the list of models: the one to begin with, then what fits, is slow, is tight, and is too large here.
import * as vscode from 'vscode';
import { readCatalogue } from '../../models/catalogue.ts';
import type { Machine } from '../../models/estimate.ts';
import { type RankedModel, type RankRequest, rankModels, recommended } from '../../models/rank.ts';
import { type FetchParts, fetchListed, sayOffline } from './fetchSource.ts';
import { groupOf, groupWords, listedWords, recommendedWords, rowWords } from './modelWords.ts';
import { type PickRow, separator } from './row.ts';

/** Tells what this machine has, and what a model would take of it. */
export interface RankingParts {
  readonly rankRequest: () => RankRequest;
  readonly machine: () => Promise<Machine>;
  /** Words about what each would take of the memory; '' where its header cannot be read. */
  readonly look: (paths: readonly string[]) => Promise<readonly string[]>;
}

/** Rows of the catalogue: those to begin with, and the others, which stand behind the user's own. */
export interface CatalogueRows {
  readonly first: readonly PickRow[];
  readonly others: readonly PickRow[];
}

/** All there are, while it is not known which of them suit this machine. */
export function listedRows(parts: FetchParts): CatalogueRows {
  if (parts.settings().offline) return { first: [offlineRow()], others: [] };
  const { models, date } = readCatalogue();
  const rows = models.flatMap((model) =>
    model.quantisations.map((quantisation) => ({
      ...listedWords(model, quantisation),
      act: fetching(parts, { model, quantisation }),
    })),
  );
  return { first: [separator(catalogueWords(date)), ...rows], others: [] };
}

export async function catalogueRows(parts: FetchParts, ranking: RankingParts): Promise<CatalogueRows> {
  if (parts.settings().offline) return listedRows(parts);
  const { models, date } = readCatalogue();
  const ranked = rankModels(models, await ranking.machine(), ranking.rankRequest());
  const first = recommended(ranked);
  const others = ranked.filter((one) => one !== first);
  return {
    first: first === null ? [] : [separator(vscode.l10n.t('recommended')), firstRow(parts, first)],
    others: others.flatMap((one, i): readonly PickRow[] => {
      const before = others[i - 1];
      const row = { ...rowWords(one), act: fetching(parts, one) };
      if (before !== undefined && groupOf(before) === groupOf(one)) return [row];
      return [
        separator(i === 0 ? `${groupWords[groupOf(one)]} · ${catalogueWords(date)}` : groupWords[groupOf(one)]),
        row,
      ];
    }),
  };
}

const catalogueWords = (date: string) => vscode.l10n.t('catalog of {0}', date);

function firstRow(parts: FetchParts, one: RankedModel): PickRow {
  return { ...recommendedWords(one), act: fetching(parts, one) };
}

const fetching =
  (parts: FetchParts, { model, quantisation }: Pick<RankedModel, 'model' | 'quantisation'>) =>
  () =>
    fetchListed(parts, model, quantisation, 'chat');

function offlineRow(): PickRow {
  return {
    label: `$(circle-slash) ${vscode.l10n.t('Downloads are off')}`,
    description: 'tidemark.network.offline',
    alwaysShow: true,
    act: () => sayOffline('chat'),
  };
}
