// Shortens a tool result or attachment that alone is too large: its head and tail stay, the middle is named as cut.
import { type PruneState, shownItems } from './pruneState.ts';
import type { PruneContext } from './strategy.ts';

/** Caps every uncapped result in the prompt whose body is over `cap` tokens. Estimates by characters; call again until nothing more goes. */
export function capResults(context: PruneContext, pruned: PruneState, cap: number): PruneState {
  let capped = pruned.capped;
  for (const [, item] of shownItems(context.path, pruned)) {
    if ((item.origin !== 'result' && item.origin !== 'attachment') || pruned.cleared.has(item.id)) continue;
    if (context.marks.pinned.has(item.id)) continue;
    const tokens = context.size(item.id, 'body');
    if (tokens <= cap) continue;
    const former = pruned.capped.get(item.id);
    const text = shorten(item.body, former?.text.length ?? item.body.length, cap / tokens);
    if (text === former?.text) continue;
    capped = new Map(capped).set(item.id, { text, before: former?.before ?? tokens });
  }
  return capped === pruned.capped ? pruned : { ...pruned, capped };
}

/** Keeps about `share` of the `length` characters that stood before, two thirds of them at the head. */
function shorten(body: string, length: number, share: number): string {
  const keep = Math.max(0, Math.floor(length * share * 0.9) - 40);
  const head = safeEnd(body, Math.floor((keep * 2) / 3));
  const tail = body.length - safeEnd(body, body.length - Math.floor(keep / 3));
  const cut = body.length - head - tail;
  return `${body.slice(0, head)}\n[${cut} characters cut here]\n${tail === 0 ? '' : body.slice(-tail)}`;
}

/** An index at or before `at` that does not split a surrogate pair. */
function safeEnd(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at;
}
