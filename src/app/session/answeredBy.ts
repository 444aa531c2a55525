// Which model answered: a conversation keeps its model unless the user chooses another one, and then it says so.
import type { Item } from '../../core/dialog/dialog.ts';

/** The fingerprint of the model that wrote an item; null for what no model wrote, and where it is not known. */
export function writerOf(item: Item): string | null {
  return item.origin === 'assistant' || item.origin === 'call' ? (item.generated?.model ?? null) : null;
}

/** Tells the user, with title and text, that another model answers; null for a model that goes on with its own conversation. */
export function otherModel(
  path: readonly Item[],
  { fingerprint, name }: { readonly fingerprint: string; readonly name: string },
): { readonly title: string; readonly text: string } | null {
  const last = path.findLast((item) => writerOf(item) !== null);
  if (last === undefined || writerOf(last) === fingerprint) return null;
  const text =
    'Another model wrote the answers above. The conversation is decoded again, because models cannot share a cache.';
  return { title: `${name} answers from here on`, text };
}
