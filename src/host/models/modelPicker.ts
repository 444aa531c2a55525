// The one list of models: the one in use, those on this machine, downloads that were not finished, and the catalogue ranked for it.

import { basename, join, sep } from 'node:path';
import * as vscode from 'vscode';
import { bytesInWords } from '../../core/count.ts';
import { readCatalogue } from '../../models/catalogue.ts';
import type { Machine } from '../../models/estimate.ts';
import { listModels, listUnfinished, moveModels } from '../../models/folder.ts';
import { type RankedModel, type RankRequest, rankModels, recommended } from '../../models/rank.ts';
import { agrees, showWarning } from '../system/toast.ts';
import { type FetchParts, fetchListed, fetchTyped, sayOffline } from './fetchSource.ts';
import { getEmbedding } from './getModel.ts';
import { findHere, type Here, type HereParts, hereRows, type Looked, nothingHere, withFound } from './hereRows.ts';
import { groupOf, groupWords, listedWords, meaningWords, recommendedWords, rowWords } from './modelWords.ts';
import { type PickRow, type RowAct, type RowButton, separator } from './row.ts';
import { chooseFile } from './useModel.ts';

/** Ends when something was chosen and done, or nothing. */
export async function pickModel(
  fetching: FetchParts,
  ranking: RankingParts,
  parts: HereParts,
  setFolder: (folder: string) => Promise<void>,
): Promise<void> {
  const pick = vscode.window.createQuickPick<PickRow>();
  pick.title = vscode.l10n.t('{0} (finding what is on this computer, and what fits it…)', title());
  pick.placeholder = vscode.l10n.t('Choose a model. Nothing is downloaded until you confirm.');
  pick.matchOnDescription = true;
  pick.busy = true;
  pick.show();
  const chosen = actOf(pick);
  const list = fill(pick, fetching, ranking, parts, setFolder);
  // A choice that was made just before is still being written.
  const changes = vscode.workspace.onDidChangeConfiguration(() => void list.findAgain());
  try {
    const act = await Promise.race([chosen, list.filled.then(() => chosen)]);
    pick.hide();
    await act?.();
  } finally {
    changes.dispose();
    pick.dispose();
  }
}

const title = () => vscode.l10n.t('Tidemark: Models');

function actOf(pick: vscode.QuickPick<PickRow>): Promise<RowAct | null> {
  return new Promise((resolve) => {
    pick.onDidAccept(() => resolve(pick.selectedItems[0]?.act ?? null));
    pick.onDidTriggerItemButton(({ button }) => resolve((button as RowButton).act));
    pick.onDidHide(() => resolve(null));
  });
}

/** The catalogue is there at once. The machine and the files' headers are looked at meanwhile, in a process of its own, which takes some seconds. */
function fill(
  pick: vscode.QuickPick<PickRow>,
  fetching: FetchParts,
  ranking: RankingParts,
  parts: HereParts,
  setFolder: (folder: string) => Promise<void>,
): { readonly filled: Promise<void>; readonly findAgain: () => Promise<void> } {
  let [here, looked, listed]: [Here, Looked, CatalogueRows] = [nothingHere, new Map(), listedRows(fetching)];
  const show = () => {
    const active = movedTo(pick);
    const more = [...moreRows(fetching, parts), ...moveRows(parts, here, setFolder)];
    pick.items = [...hereRows(parts, here, looked), ...listed.first, ...own(fetching), ...listed.others, ...more];
    const again = active === null ? undefined : pick.items.find(({ label }) => plain(label) === active);
    if (again !== undefined) pick.activeItems = [again];
  };
  show();
  const ranked = catalogueRows(fetching, ranking).then((rows) => {
    listed = rows;
    show();
  });
  const findAgain = async () => {
    here = await findHere(parts);
    show();
    here = await withFound(parts, here);
    show();
  };
  const found = async () => {
    await findAgain();
    looked = await lookAt(ranking, here);
    show();
  };
  const filled = Promise.all([ranked, found()]).then(() => {
    pick.title = title();
    pick.busy = false;
  });
  return { filled, findAgain };
}

const plain = (label: string) => label.replace(/^\$\([\w-]+\) /, '');

/** The row that the user went to; null where it is the first one, in whose place a better one may come. */
function movedTo({ items, activeItems: [active] }: vscode.QuickPick<PickRow>): string | null {
  const first = items.find(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
  return active === undefined || active === first ? null : plain(active.label);
}

/** Only so many files have their memory estimated: each header takes the library a while. */
const mostLooked = 24;

async function lookAt(ranking: RankingParts, { chats, found }: Here): Promise<Looked> {
  const paths = [...chats, ...found.filter(({ use }) => use === 'chat')].map(({ path }) => path).slice(0, mostLooked);
  const words = await ranking.look(paths);
  return new Map(paths.map((path, i) => [path, words[i] ?? '']));
}

/** Rows for a model that the user has, or knows the address of. */
function own(fetching: FetchParts): readonly PickRow[] {
  return [
    separator(vscode.l10n.t('your own')),
    {
      label: `$(folder-opened) ${vscode.l10n.t('Choose a GGUF file…')}`,
      alwaysShow: true,
      act: () => chooseFile('chat'),
    },
    {
      label: `$(link) ${vscode.l10n.t('Another model: its Hugging Face name, address or path…')}`,
      alwaysShow: true,
      act: () => fetchTyped(fetching, title(), 'chat'),
    },
  ];
}

function moreRows(fetching: FetchParts, parts: HereParts): readonly PickRow[] {
  return [separator(vscode.l10n.t('more')), meaningRow(fetching, parts)];
}

function moveRows(
  parts: HereParts,
  { kept, unfinished }: Here,
  setFolder: (folder: string) => Promise<void>,
): readonly PickRow[] {
  if (kept.size + unfinished.length === 0) return [];
  const move = {
    label: `$(folder) ${vscode.l10n.t('Move the folder of models…')}`,
    description: parts.folder(),
    alwaysShow: true,
    act: () => moveFolder(parts, setFolder),
  };
  return [move];
}

function meaningRow(fetching: FetchParts, parts: HereParts): PickRow {
  const current = parts.current('embedding');
  if (current === '') {
    const [model] = readCatalogue().embeddings;
    return { ...meaningWords(model), alwaysShow: true, act: () => getEmbedding(fetching) };
  }
  return {
    label: `$(search) ${vscode.l10n.t('Find by meaning…')}`,
    description: basename(current),
    alwaysShow: true,
    act: () => vscode.commands.executeCommand('tidemark.findByMeaning'),
  };
}

// Moves Tidemark's folder of models to another place, after asking; what is in use is used from there.
async function moveFolder(
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

// The catalogue's rows in the list of models: the one to begin with, then what fits, is slow, is tight, and is too large here.

/** Tells what this machine has, and what a model would take of it. */
interface RankingParts {
  readonly rankRequest: () => RankRequest;
  readonly machine: () => Promise<Machine>;
  /** Words about what each would take of the memory; '' where its header cannot be read. */
  readonly look: (paths: readonly string[]) => Promise<readonly string[]>;
}

/** Rows of the catalogue: those to begin with, and the others, which stand behind the user's own. */
interface CatalogueRows {
  readonly first: readonly PickRow[];
  readonly others: readonly PickRow[];
}

/** All there are, while it is not known which of them suit this machine. */
function listedRows(parts: FetchParts): CatalogueRows {
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

async function catalogueRows(parts: FetchParts, ranking: RankingParts): Promise<CatalogueRows> {
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
