// Marks outdated text: a prompt keeps a changed file as it was read, so that the prefix stays the same.
import type { Item, ItemId, ResultItem } from '../dialog/dialog.ts';

/** Results and passages on a path that show a file as it no longer is, by what later results tell. What others changed is not known here. */
export function staleItems(path: readonly Item[]): ReadonlySet<ItemId> {
  /** The last hash told of each file; '' when the file was changed since. */
  const latest = new Map<string, string>();
  /** The last index at which each file was changed, by the paths that the user knows. */
  const changedAt = new Map<string, number>();
  for (const [at, item] of path.entries()) {
    if (item.origin !== 'result') continue;
    for (const file of changedBy(item)) latest.set(file, '');
    for (const { file, shown, hash } of item.seen ?? []) {
      latest.set(file, hash);
      if (shown !== undefined) changedAt.set(shown, at);
    }
  }
  const isStale = (item: Item, at: number): boolean => {
    if (item.origin === 'attachment' && item.found !== undefined) return (changedAt.get(item.found.path) ?? -1) > at;
    if (item.origin !== 'result' || item.changed !== undefined) return false;
    return (item.seen ?? []).some(({ file, hash }) => latest.get(file) !== hash);
  };
  return new Set(path.flatMap((item, at) => (isStale(item, at) ? [item.id] : [])));
}

function changedBy({ changed }: ResultItem): readonly string[] {
  return changed === undefined || changed === 'anything' ? [] : changed;
}
