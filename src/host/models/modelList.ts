// The models that lie in Tidemark's folder, and downloads that were not finished: use, go on, pause, delete, show, move.
import { dirname, join, sep } from 'node:path';
import * as vscode from 'vscode';
import { bytesInWords } from '../../core/count.ts';
import type { Purpose } from '../../core/machine/ggufHeader.ts';
import {
  deleteModel,
  deleteUnfinished,
  type KeptModel,
  listModels,
  listUnfinished,
  moveModels,
  type UnfinishedDownload,
} from '../../models/folder.ts';
import { useOf } from '../../models/use.ts';
import { agrees, showWarning } from '../system/toast.ts';
import type { Downloads } from './downloads.ts';

export interface ModelListParts {
  readonly folder: () => string;
  /** Path of the model that is set for it; '' for none. */
  readonly current: (purpose: Purpose) => string;
  readonly downloads: Downloads;
  /** Words about what each would take of the memory; '' where its header cannot be read. */
  readonly look: (paths: readonly string[]) => Promise<readonly string[]>;
  readonly use: (path: string, purpose: Purpose) => Promise<void>;
  readonly resume: (name: string, url: string) => Promise<void>;
  readonly get: () => Promise<void>;
  readonly setFolder: (folder: string) => Promise<void>;
}

type Act = () => Promise<void>;

interface Button extends vscode.QuickInputButton {
  readonly act: Act;
}

interface Row extends vscode.QuickPickItem {
  readonly act: Act;
  readonly buttons?: readonly Button[];
}

/** Ends when something was chosen and done, or nothing. */
export async function showModels(parts: ModelListParts): Promise<void> {
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = vscode.l10n.t('Tidemark: Models');
  pick.placeholder = vscode.l10n.t('Looking at the models…');
  pick.busy = true;
  pick.show();
  try {
    pick.items = await rowsFor(parts);
    pick.busy = false;
    pick.placeholder = vscode.l10n.t('Choose a model to use it. The buttons on the right show or delete its file.');
    await chosenIn(pick);
  } finally {
    pick.dispose();
  }
}

async function chosenIn(pick: vscode.QuickPick<Row>): Promise<void> {
  const act = await new Promise<Act | null>((resolve) => {
    pick.onDidAccept(() => resolve(pick.selectedItems[0]?.act ?? null));
    pick.onDidTriggerItemButton(({ button }) => resolve('act' in button ? (button as Button).act : null));
    pick.onDidHide(() => resolve(null));
  });
  pick.hide();
  await act?.();
}

async function rowsFor(parts: ModelListParts): Promise<readonly Row[]> {
  const folder = parts.folder();
  const models = await listModels(folder);
  const rows = await modelRows(parts, models);
  const unfinished = (await listUnfinished(folder)).map((one) => unfinishedRow(parts, one));
  const none = async () => undefined;
  const line = (label: string): Row => ({ label, kind: vscode.QuickPickItemKind.Separator, act: none });
  const move = {
    label: `$(folder) ${vscode.l10n.t('Move the folder…')}`,
    description: folder,
    alwaysShow: true,
    act: () => moveFolder(parts),
  };
  const get = { label: `$(cloud-download) ${vscode.l10n.t('Download a model…')}`, alwaysShow: true, act: parts.get };
  return [
    ...(rows.length === 0 ? [] : [line(vscode.l10n.t('here')), ...rows]),
    ...(unfinished.length === 0 ? [] : [line(vscode.l10n.t('not finished')), ...unfinished]),
    line(''),
    get,
    ...(rows.length + unfinished.length === 0 ? [] : [move]),
  ];
}

async function modelRows(parts: ModelListParts, models: readonly KeptModel[]): Promise<readonly Row[]> {
  const finds = new Set(models.filter(({ path }) => useOf(path) === 'embedding'));
  const chats = models.filter((model) => !finds.has(model));
  const looked = await parts.look(chats.map(({ path }) => path));
  const meaning = vscode.l10n.t('Embedding model: finds passages by meaning');
  return models.map((model) =>
    finds.has(model)
      ? modelRow(parts, model, 'embedding', meaning)
      : modelRow(parts, model, 'chat', looked[chats.indexOf(model)] ?? ''),
  );
}

function modelRow(parts: ModelListParts, model: KeptModel, purpose: Purpose, words: string): Row {
  const current = model.path === parts.current(purpose);
  const show: Button = {
    iconPath: new vscode.ThemeIcon('folder-opened'),
    tooltip: vscode.l10n.t('Show the file'),
    act: async () => void (await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(model.path))),
  };
  return {
    label: `$(${current ? 'check' : 'file'}) ${model.name}`,
    description: [bytesInWords(model.bytes), ...(current ? [vscode.l10n.t('in use')] : [])].join(' · '),
    detail: words,
    buttons: [show, deleteButton(() => remove(model, current ? purpose : null))],
    act: () => parts.use(model.path, purpose),
  };
}

function unfinishedRow(parts: ModelListParts, one: UnfinishedDownload): Row {
  const { name, path, bytes, total, running, url } = one;
  const own = parts.downloads.has(path);
  const done =
    total === null ? bytesInWords(bytes) : vscode.l10n.t('{0} of {1}', bytesInWords(bytes), bytesInWords(total));
  const other = running ? vscode.l10n.t('another window downloads it') : vscode.l10n.t('paused');
  const state = own ? vscode.l10n.t('downloading') : other;
  const pause: Button = {
    iconPath: new vscode.ThemeIcon('debug-pause'),
    tooltip: vscode.l10n.t('Pause'),
    act: async () => parts.downloads.pause(path),
  };
  return {
    label: `$(${own ? 'sync' : 'debug-pause'}) ${name}`,
    description: `${done} · ${state}`,
    detail: own
      ? vscode.l10n.t('Pauses the download. The partial download is kept.')
      : vscode.l10n.t('Continues where it stopped'),
    buttons: [...(own ? [pause] : []), ...(running ? [] : [deleteButton(() => removeUnfinished(one))])],
    act: own ? pause.act : () => parts.resume(name, url),
  };
}

function deleteButton(act: Act): Button {
  return { iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Delete'), act };
}

/** `inUse`: what for; null for nothing. */
async function remove(model: KeptModel, inUse: Purpose | null): Promise<void> {
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

async function removeUnfinished(one: UnfinishedDownload): Promise<void> {
  const detail = vscode.l10n.t('{0} downloaded', bytesInWords(one.bytes));
  const question = vscode.l10n.t('Delete the partial download of {0}?', one.name);
  if (!(await agrees(question, detail, vscode.l10n.t('Delete')))) return;
  if (!(await deleteUnfinished(one)))
    void showWarning(vscode.l10n.t('Another window is downloading {0}. Pause it there first.', one.name));
}

async function moveFolder(parts: ModelListParts): Promise<void> {
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
  await parts.setFolder(to);
  for (const [purpose, current] of before)
    if (current.startsWith(from + sep)) await parts.use(join(to, current.slice(from.length + 1)), purpose);
}
