// Sets a model file for what it is used for, in the user's own settings.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { Purpose } from '../../core/machine/ggufHeader.ts';
import { placesIn, theseSurroundings } from '../../models/disk/places.ts';
import { checkUse } from '../../models/use.ts';
import { localEngine } from '../../settings/servers.ts';

const keys: Readonly<Record<Purpose, string>> = { chat: 'model.path', embedding: 'finding.model' };

/** Rejects with a fault for a file that its header says is for something else. */
export async function useModel(path: string, purpose: Purpose): Promise<void> {
  checkUse(path, purpose);
  await setModel(path, purpose);
}

/** `path`: '' for none. */
export async function setModel(path: string, purpose: Purpose): Promise<void> {
  const settings = vscode.workspace.getConfiguration('tidemark');
  await settings.update(keys[purpose], path, vscode.ConfigurationTarget.Global);
  // A user who chooses a file for the chat wants it to run here.
  if (purpose === 'chat' && path !== '' && settings.get('engine') !== localEngine)
    await settings.update('engine', localEngine, vscode.ConfigurationTarget.Global);
}

/** Lets the user choose any GGUF file for it. */
export async function chooseFile(purpose: Purpose): Promise<void> {
  const title =
    purpose === 'chat' ? vscode.l10n.t('Choose a GGUF model file') : vscode.l10n.t('Choose a GGUF embedding model');
  const filters = { [vscode.l10n.t('GGUF models')]: ['gguf'] };
  const now = vscode.workspace.getConfiguration('tidemark').get(keys[purpose], '');
  const defaultUri = vscode.Uri.file(modelFolder(now));
  const [file] = (await vscode.window.showOpenDialog({ title, filters, canSelectMany: false, defaultUri })) ?? [];
  if (file !== undefined) await useModel(file.fsPath, purpose);
}

/** The folder of the model in use, else the first one where another program keeps models, else the home: models lie outside of a workspace. */
function modelFolder(path: string): string {
  const around = theseSurroundings();
  const folders = placesIn(around).flatMap(({ folders: all }) => all);
  return (path === '' ? folders : [dirname(path), ...folders]).find((one) => existsSync(one)) ?? around.home;
}
