// Entries that are over once a model is there: the question whether to load one in this window as well, and that there is none.
import type { Entry } from './view.ts';

export function loadQuestion(entries: readonly Entry[]): Entry | null {
  const last = entries.at(-1);
  return last !== undefined && asksToLoad(last) ? last : null;
}

/** Whether the entry says that no model is there that could answer. */
export function lacksModel(entry: Entry): boolean {
  return entry.kind === 'fault' && entry.actions.some(({ do: { type } }) => type === 'chooseFile');
}

export function asksToLoad(entry: Entry): boolean {
  return entry.kind === 'fault' && entry.actions.some(({ do: { type } }) => type === 'loadHere');
}
