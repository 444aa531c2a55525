// The catalogue's rows in the list of models: the one to begin with, then what fits, is slow, is tight, and is too large here.
import * as vscode from 'vscode';
import { readCatalogue } from '../../models/catalogue.ts';
import type { Machine } from '../../models/estimate.ts';
import { type RankedModel, type RankRequest, rankModels, recommended } from '../../models/rank.ts';
import { type FetchParts, fetchListed, sayOffline } from './fetchSource.ts';
import { groupOf, groupWords, recommendedWords, rowWords } from './modelWords.ts';
import { type PickRow, separator } from './row.ts';

/** Tells what this machine has, and what a model would take of it. */
export interface RankingParts {
  readonly rankRequest: () => RankRequest;
  readonly machine: () => Promise<Machine>;
  /** Words about what each would take of the memory; '' where its header cannot be read. */
  readonly look: (paths: readonly string[]) => Promise<readonly string[]>;
}

export async function catalogueRows(parts: FetchParts, ranking: RankingParts): Promise<readonly PickRow[]> {
  if (parts.settings().offline) return [offlineRow()];
  const { models, date } = readCatalogue();
  const ranked = rankModels(models, await ranking.machine(), ranking.rankRequest());
  const first = recommended(ranked);
  const others = ranked.filter((one) => one !== first);
  return [
    ...(first === null ? [] : [separator(vscode.l10n.t('recommended')), firstRow(parts, first)]),
    ...others.flatMap((one, i): readonly PickRow[] => {
      const before = others[i - 1];
      const row = { ...rowWords(one), act: fetching(parts, one) };
      if (before !== undefined && groupOf(before) === groupOf(one)) return [row];
      return [
        separator(i === 0 ? `${groupWords[groupOf(one)]} · ${catalogueWords(date)}` : groupWords[groupOf(one)]),
        row,
      ];
    }),
  ];
}

const catalogueWords = (date: string) => vscode.l10n.t('catalog of {0}', date);

function firstRow(parts: FetchParts, one: RankedModel): PickRow {
  return { ...recommendedWords(one), act: fetching(parts, one) };
}

const fetching =
  (parts: FetchParts, { model, quantisation }: RankedModel) =>
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
