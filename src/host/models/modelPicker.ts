// Lets the user choose a model: one that is known, or any GGUF file. The choice goes into the user's own settings.
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { bytesInWords } from '../../core/count.ts';
import { findModels, type ListedModel, readUsed, type UsedModel, withUsed } from './modelFiles.ts';
import { chooseFile, useModel } from './useModel.ts';

interface Row extends vscode.QuickPickItem {
  readonly act: () => PromiseLike<unknown>;
}

const key = 'tidemark.usedModels';

/** Remembers a model that is ready. */
export function rememberModel(state: vscode.Memento, model: UsedModel): void {
  const used = readUsed(state.get(key));
  const [latest] = used;
  if (latest?.path !== model.path || latest.memory !== model.memory) void state.update(key, withUsed(used, model));
}

/** Paths of the models that are set, '' for none; `folder` has what was downloaded. */
export interface Chosen {
  readonly chat: string;
  readonly embedding: string;
  readonly folder: string;
}

export async function chooseModel(state: vscode.Memento, { chat, embedding, folder }: Chosen): Promise<void> {
  const models = await findModels(chat, readUsed(state.get(key)), folder, 'chat');
  if (models.length === 0) return chooseFile('chat');
  const row = await vscode.window.showQuickPick(rowsOf(models, embedding), {
    title: vscode.l10n.t('Tidemark: Model'),
    placeHolder: vscode.l10n.t('Choose the model that answers'),
    matchOnDescription: true,
  });
  await row?.act();
}

function rowsOf(models: readonly ListedModel[], embedding: string): readonly Row[] {
  const groups = {
    current: vscode.l10n.t('in use'),
    used: vscode.l10n.t('used before'),
    near: vscode.l10n.t('in the same folders'),
  };
  const rows = models.flatMap((model, i): readonly Row[] => {
    const row = rowOf(model);
    return model.group === models[i - 1]?.group ? [row] : [separator(groups[model.group]), row];
  });
  const run = (command: string) => () => vscode.commands.executeCommand(`tidemark.${command}`);
  const get = {
    label: `$(cloud-download) ${vscode.l10n.t('Download a model…')}`,
    alwaysShow: true,
    act: run('getModel'),
  };
  const choose = {
    label: `$(folder-opened) ${vscode.l10n.t('Choose a GGUF file…')}`,
    alwaysShow: true,
    act: () => chooseFile('chat'),
  };
  const meaning = {
    label: `$(search) ${vscode.l10n.t('Find by meaning…')}`,
    description: embedding === '' ? vscode.l10n.t('off') : basename(embedding),
    alwaysShow: true,
    act: run('findByMeaning'),
  };
  return [...rows, separator(''), get, choose, separator(vscode.l10n.t('beside the chat model')), meaning];
}

function rowOf({ path, bytes, group, memory }: ListedModel): Row {
  return {
    act: () => useModel(path, 'chat'),
    label: `$(${group === 'current' ? 'check' : 'file'}) ${basename(path)}`,
    description: `${bytesInWords(bytes)} · ${dirname(path)}`,
    // What was free then may be taken now.
    ...(memory === '' ? {} : { detail: group === 'current' ? memory : vscode.l10n.t('When last loaded: {0}', memory) }),
  };
}

function separator(label: string): Row {
  return { label, kind: vscode.QuickPickItemKind.Separator, act: async () => undefined };
}
