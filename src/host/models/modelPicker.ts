// The one list of models: the one in use, those on this machine, downloads that were not finished, and the catalogue ranked for it.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { readCatalogue } from '../../models/catalogue.ts';
import { type CatalogueRows, catalogueRows, listedRows, type RankingParts } from './catalogueRows.ts';
import { type FetchParts, fetchTyped } from './fetchSource.ts';
import { getEmbedding } from './getModel.ts';
import { findHere, type Here, type HereParts, hereRows, type Looked, nothingHere, withFound } from './hereRows.ts';
import { meaningWords } from './modelWords.ts';
import { moveFolder } from './moveFolder.ts';
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
  try {
    const chosen = actOf(pick);
    const filled = fill(pick, fetching, ranking, parts, setFolder);
    const act = await Promise.race([chosen, filled.then(() => chosen)]);
    pick.hide();
    await act?.();
  } finally {
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
async function fill(
  pick: vscode.QuickPick<PickRow>,
  fetching: FetchParts,
  ranking: RankingParts,
  parts: HereParts,
  setFolder: (folder: string) => Promise<void>,
): Promise<void> {
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
  const found = async () => {
    here = await findHere(parts);
    show();
    here = await withFound(parts, here);
    show();
    looked = await lookAt(ranking, here);
    show();
  };
  await Promise.all([ranked, found()]);
  pick.title = title();
  pick.busy = false;
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
