// The one list of models: the one in use, those on this machine, downloads that were not finished, and the catalogue ranked for it.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { readCatalogue } from '../../models/catalogue.ts';
import { catalogueRows, type RankingParts } from './catalogueRows.ts';
import { type FetchParts, fetchTyped } from './fetchSource.ts';
import { getEmbedding } from './getModel.ts';
import { findHere, type Here, type HereParts, hereRows, type Looked, withFound } from './hereRows.ts';
import { meaningWords } from './modelWords.ts';
import { moveFolder } from './moveFolder.ts';
import { type Act, type PickRow, type RowButton, separator } from './row.ts';
import { chooseFile } from './useModel.ts';

/** Ends when something was chosen and done, or nothing. What takes a moment comes behind what is known at once. */
export async function pickModel(
  fetching: FetchParts,
  ranking: RankingParts,
  parts: HereParts,
  setFolder: (folder: string) => Promise<void>,
): Promise<void> {
  const pick = vscode.window.createQuickPick<PickRow>();
  pick.title = title();
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

function actOf(pick: vscode.QuickPick<PickRow>): Promise<Act | null> {
  return new Promise((resolve) => {
    pick.onDidAccept(() => resolve(pick.selectedItems[0]?.act ?? null));
    pick.onDidTriggerItemButton(({ button }) => resolve((button as RowButton).act));
    pick.onDidHide(() => resolve(null));
  });
}

/** The machine and the files' headers are looked at in a process of its own, which takes a second. */
async function fill(
  pick: vscode.QuickPick<PickRow>,
  fetching: FetchParts,
  ranking: RankingParts,
  parts: HereParts,
  setFolder: (folder: string) => Promise<void>,
): Promise<void> {
  const known = await findHere(parts);
  const more = [...moreRows(fetching, parts), ...moveRows(parts, known, setFolder)];
  const show = (here: Here, looked: Looked, listed: readonly PickRow[]) => {
    const [first, others] = [listed.slice(0, firstRows), listed.slice(firstRows)];
    pick.items = [...hereRows(parts, here, looked), ...first, ...own(fetching), ...others, ...more];
  };
  show(known, new Map(), []);
  const here = await withFound(parts, known);
  show(here, new Map(), []);
  const [looked, listed] = await Promise.all([lookAt(ranking, here), catalogueRows(fetching, ranking)]);
  const active = here.chats.length + here.found.length === 0 ? undefined : pick.activeItems[0]?.label;
  show(here, looked, listed);
  if (active !== undefined) pick.activeItems = pick.items.filter(({ label }) => label === active).slice(0, 1);
  pick.busy = false;
}

/** Only so many files have their memory estimated: each header takes the library a while. */
const mostLooked = 24;

async function lookAt(ranking: RankingParts, { chats, found }: Here): Promise<Looked> {
  const paths = [...chats, ...found.filter(({ use }) => use === 'chat')].map(({ path }) => path).slice(0, mostLooked);
  const words = await ranking.look(paths);
  return new Map(paths.map((path, i) => [path, words[i] ?? '']));
}

/** The recommended one with the line above it. */
const firstRows = 2;

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
      label: `$(link) ${vscode.l10n.t('Another model: hf:, address or path…')}`,
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
