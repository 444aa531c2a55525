// The question whether to load a model in this window as well, where it stands last in the conversation.
import type { Entry } from './view.ts';

export function loadQuestion(entries: readonly Entry[]): Entry | null {
  const last = entries.at(-1);
  return last !== undefined && asksToLoad(last) ? last : null;
}

export function asksToLoad(entry: Entry): boolean {
  return entry.kind === 'fault' && entry.actions.some(({ do: { type } }) => type === 'loadHere');
}
