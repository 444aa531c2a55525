// Lets the user choose a model: one that is known, or any GGUF file. The choice goes into the user's own settings.
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { bytesInWords } from '../core/count.ts';
import { findModels, type ModelFile, readUsed, type UsedModel, withUsed } from './modelFiles.ts';

interface Row extends vscode.QuickPickItem {
  /** Null for any other file, `get` for one that is not here. */
  readonly path: string | null;
}

const key = 'tidemark.usedModels';

/** Remembers a model that is ready. */
export function rememberModel(state: vscode.Memento, model: UsedModel): void {
  const used = readUsed(state.get(key));
  const [latest] = used;
  if (latest?.path !== model.path || latest.memory !== model.memory) void state.update(key, withUsed(used, model));
}

/** `current` is the path that is set, '' for none; `folder` has what was downloaded. */
export async function chooseModel(state: vscode.Memento, current: string, folder: string): Promise<void> {
  const models = await findModels(current, readUsed(state.get(key)), folder);
  if (models.length === 0) return chooseFile();
  const chosen = await vscode.window.showQuickPick(rowsOf(models), {
    title: vscode.l10n.t('Tidemark: Model'),
    placeHolder: vscode.l10n.t('Choose the model that answers'),
    matchOnDescription: true,
  });
  if (chosen === undefined) return;
  if (chosen.path === 'get') await vscode.commands.executeCommand('tidemark.getModel');
  else if (chosen.path === null) await chooseFile();
  else await setModel(chosen.path);
}

function rowsOf(models: readonly ModelFile[]): readonly Row[] {
  const groups = {
    current: vscode.l10n.t('in use'),
    used: vscode.l10n.t('used before'),
    near: vscode.l10n.t('in the same folders'),
  };
  const rows = models.flatMap((model, i): readonly Row[] => {
    const row = rowOf(model);
    return model.group === models[i - 1]?.group ? [row] : [separator(groups[model.group]), row];
  });
  const get = { label: `$(cloud-download) ${vscode.l10n.t('Get a model…')}`, path: 'get', alwaysShow: true };
  const choose = { label: `$(folder-opened) ${vscode.l10n.t('Choose file…')}`, path: null, alwaysShow: true };
  return [...rows, separator(''), get, choose];
}

function rowOf({ path, bytes, group, memory }: ModelFile): Row {
  return {
    path,
    label: `$(${group === 'current' ? 'check' : 'file'}) ${basename(path)}`,
    description: `${bytesInWords(bytes)} · ${dirname(path)}`,
    // What was free then may be taken now.
    ...(memory === ''
      ? {}
      : { detail: group === 'current' ? memory : vscode.l10n.t('When it was loaded: {0}', memory) }),
  };
}

function separator(label: string): Row {
  return { label, path: null, kind: vscode.QuickPickItemKind.Separator };
}

async function chooseFile(): Promise<void> {
  const [file] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Choose a GGUF model file'),
      filters: { [vscode.l10n.t('GGUF models')]: ['gguf'] },
      canSelectMany: false,
    })) ?? [];
  if (file !== undefined) await setModel(file.fsPath);
}

export async function setModel(path: string): Promise<void> {
  await vscode.workspace.getConfiguration('tidemark').update('model.path', path, vscode.ConfigurationTarget.Global);
}
