// The rows of models that are on this machine: the one in use, those used before, their neighbours, other programs' models, and downloads
// that were not finished.

import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { bytesInWords } from '../../core/count.ts';
import type { ModelUse, Purpose } from '../../core/machine/ggufHeader.ts';
import type { DiskModel } from '../../models/disk/find.ts';
import {
  deleteModel,
  deleteUnfinished,
  type KeptModel,
  listModels,
  listUnfinished,
  type UnfinishedDownload,
} from '../../models/folder.ts';
import { useOf } from '../../models/use.ts';
import { localEngine, type Servers } from '../../settings/servers.ts';
import { agrees, showWarning } from '../system/toast.ts';
import type { Downloads } from './downloads.ts';
import type { FetchParts } from './fetchSource.ts';
import { findModels, type ListedModel, type UsedModel } from './modelFiles.ts';
import { type PickRow, type RowButton, separator } from './row.ts';

export interface HereParts {
  /** Models that were ready once, the latest first. */
  readonly used: () => readonly UsedModel[];
  /** The folder of downloads. */
  readonly folder: () => string;
  /** Path of the model that is set for it; '' for none. */
  readonly current: (purpose: Purpose) => string;
  readonly downloads: Downloads;
  readonly servers: () => ServerChoice;
  /** Finds the files that other programs keep on this machine. */
  readonly found: () => Promise<readonly DiskModel[]>;
  readonly use: (path: string, purpose: Purpose) => Promise<void>;
  readonly resume: (name: string, url: string) => Promise<void>;
}

export interface Here {
  readonly chats: readonly ListedModel[];
  readonly kept: ReadonlyMap<string, KeptModel>;
  readonly unfinished: readonly UnfinishedDownload[];
  /** Files of other programs, without those that are among the others. */
  readonly found: readonly DiskModel[];
  /** Names that other programs have for files, by their paths. */
  readonly names: ReadonlyMap<string, string>;
}

/** Nothing, while it was not looked for. */
export const nothingHere: Here = { chats: [], kept: new Map(), unfinished: [], found: [], names: new Map() };

/** Words about the memory that models would take, by their paths. */
export type Looked = ReadonlyMap<string, string>;

export async function findHere(parts: HereParts): Promise<Here> {
  const folder = parts.folder();
  const [chats, kept, unfinished] = await Promise.all([
    findModels(parts.current('chat'), parts.used(), folder, 'chat'),
    listModels(folder),
    listUnfinished(folder),
  ]);
  return { ...nothingHere, chats, kept: new Map(kept.map((one) => [one.path, one])), unfinished };
}

/** Other programs' models take a moment longer. */
export async function withFound(parts: HereParts, here: Here): Promise<Here> {
  const listed = new Set([...here.chats.map(({ path }) => path), ...here.kept.keys()]);
  const all = await parts.found();
  const names = new Map(all.map(({ path, name }) => [path, name]));
  return { ...here, names, found: all.filter(({ path }) => !listed.has(path)) };
}

/** `looked`: none while it is not known. */
export function hereRows(
  parts: HereParts,
  { chats, kept, unfinished, found, names }: Here,
  looked: Looked,
): readonly PickRow[] {
  const onServer = !runsHere(parts.servers());
  const rows = chats.map((one) =>
    chatRow(parts, one, kept.get(one.path), {
      looked: looked.get(one.path) ?? '',
      onServer,
      name: names.get(one.path) ?? basename(one.path),
    }),
  );
  const isUsed = (i: number) => chats[i]?.group === 'current' && !onServer;
  const using = rows.filter((_, i) => isUsed(i));
  const others = [
    ...rows.filter((_, i) => !isUsed(i)),
    ...[...kept.values()].filter(({ path }) => useOf(path) === 'embedding').map((one) => embeddingRow(parts, one)),
    ...foundRows(found, looked, parts.use),
  ];
  return [
    ...(using.length === 0 ? [] : [separator(vscode.l10n.t('in use')), ...using]),
    ...(others.length === 0 ? [] : [separator(vscode.l10n.t('on this computer')), ...others]),
    ...serverRows(parts.servers()),
    ...(unfinished.length === 0
      ? []
      : [separator(vscode.l10n.t('not finished')), ...unfinished.map((one) => partRow(parts, one))]),
  ];
}

function chatRow(
  parts: HereParts,
  { path, bytes, group, memory }: ListedModel,
  kept: KeptModel | undefined,
  { looked, onServer, name }: { readonly looked: string; readonly onServer: boolean; readonly name: string },
): PickRow {
  const used = group === 'current' && !onServer;
  // Memory that was free at the last load may be taken now.
  const before = memory === '' || used ? memory : vscode.l10n.t('When last loaded: {0}', memory);
  return {
    label: `$(${used ? 'check' : 'file'}) ${kept?.name ?? name}`,
    description: `${bytesInWords(kept?.bytes ?? bytes)} · ${dirname(path)}`,
    detail: looked || before,
    buttons: kept === undefined ? [] : buttonsOf(kept, used ? 'chat' : null),
    act: () => parts.use(path, 'chat'),
  };
}

function embeddingRow(parts: HereParts, kept: KeptModel): PickRow {
  const used = kept.path === parts.current('embedding');
  return {
    label: `$(${used ? 'check' : 'search'}) ${kept.name}`,
    description: [bytesInWords(kept.bytes), ...(used ? [vscode.l10n.t('in use')] : [])].join(' · '),
    detail: vscode.l10n.t('Embedding model: finds passages by meaning'),
    buttons: buttonsOf(kept, used ? 'embedding' : null),
    act: () => parts.use(kept.path, 'embedding'),
  };
}

function partRow(parts: HereParts, one: UnfinishedDownload): PickRow {
  const { name, path, bytes, total, running, url } = one;
  const own = parts.downloads.has(path);
  const done =
    total === null ? bytesInWords(bytes) : vscode.l10n.t('{0} of {1}', bytesInWords(bytes), bytesInWords(total));
  const other = running ? vscode.l10n.t('another window downloads it') : vscode.l10n.t('paused');
  const pause: RowButton = {
    iconPath: new vscode.ThemeIcon('debug-pause'),
    tooltip: vscode.l10n.t('Pause'),
    act: async () => parts.downloads.pause(path),
  };
  return {
    label: `$(${own ? 'sync' : 'debug-pause'}) ${name}`,
    description: `${done} · ${own ? vscode.l10n.t('downloading') : other}`,
    detail: own
      ? vscode.l10n.t('Pauses the download. The partial download is kept.')
      : vscode.l10n.t('Continues where it stopped'),
    buttons: [...(own ? [pause] : []), ...(running ? [] : [deleteButton(() => deletePart(one))])],
    act: own ? pause.act : () => parts.resume(name, url),
  };
}

function buttonsOf(kept: KeptModel, inUse: Purpose | null): readonly RowButton[] {
  const show: RowButton = {
    iconPath: new vscode.ThemeIcon('folder-opened'),
    tooltip: vscode.l10n.t('Show the file'),
    act: () => vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(kept.path)),
  };
  return [show, deleteButton(() => deleteKept(kept, inUse))];
}

function deleteButton(act: RowButton['act']): RowButton {
  return { iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Delete'), act };
}

// The rows of the user's servers in the list of models: choosing one makes it the engine for all agents that name none.

interface ServerChoice {
  readonly servers: Servers;
  /** Name of the engine that is set. */
  readonly engine: string;
}

function serverRows({ servers, engine }: ServerChoice): readonly PickRow[] {
  const rows = Object.entries(servers).map(([name, { url, model = '' }]): PickRow => {
    const used = name === engine;
    return {
      label: `$(${used ? 'check' : 'server'}) ${name}`,
      description: [URL.parse(url)?.host ?? url, model, ...(used ? [vscode.l10n.t('in use')] : [])]
        .filter((text) => text !== '')
        .join(' · '),
      act: () => useEngine(name),
    };
  });
  return rows.length === 0 ? [] : [separator(vscode.l10n.t('on a server')), ...rows];
}

/** Whether a model of this machine is the one in use. */
function runsHere({ servers, engine }: ServerChoice): boolean {
  return engine === localEngine || !Object.hasOwn(servers, engine);
}

async function useEngine(name: string): Promise<void> {
  await vscode.workspace.getConfiguration('tidemark').update('engine', name, vscode.ConfigurationTarget.Global);
}

// Deletes models and partial downloads of Tidemark's folder, after asking.

/** `inUse`: what for; null for nothing. */
async function deleteKept(model: KeptModel, inUse: Purpose | null): Promise<void> {
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

async function deletePart(one: UnfinishedDownload): Promise<void> {
  const detail = vscode.l10n.t('{0} downloaded', bytesInWords(one.bytes));
  const question = vscode.l10n.t('Delete the partial download of {0}?', one.name);
  if (!(await agrees(question, detail, vscode.l10n.t('Delete')))) return;
  if (!(await deleteUnfinished(one)))
    void showWarning(vscode.l10n.t('Another window is downloading {0}. Pause it there first.', one.name));
}

// The rows of models that other programs keep on this machine, and of their files that are none.

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
function foundRows(
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
