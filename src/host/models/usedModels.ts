// The models that were ready once, kept for the list of models.
import type * as vscode from 'vscode';
import { readUsed, type UsedModel, withUsed } from './modelFiles.ts';

const key = 'tidemark.usedModels';

export function usedModels(state: vscode.Memento): readonly UsedModel[] {
  return readUsed(state.get(key));
}

/** Remembers a model that is ready. */
export function rememberModel(state: vscode.Memento, model: UsedModel): void {
  const used = usedModels(state);
  const [latest] = used;
  if (latest?.path !== model.path || latest.memory !== model.memory) void state.update(key, withUsed(used, model));
}
