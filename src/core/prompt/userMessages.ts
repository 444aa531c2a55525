// A user's message as messages of the prompt, with what was retrieved for it.
import type { Item, ItemId, KnowledgeItem } from '../dialog/dialog.ts';
import type { Message, Segment } from './prompt.ts';

/** The user's message with what was retrieved before it, after it or in its place, in the message itself or as system messages. */
export function userMessages(text: Segment, knowledge: KnowledgeItem | null): readonly Message[] {
  if (knowledge === null) return [{ role: 'user', segments: [text] }];
  const { before, after, role, replaces } = knowledge;
  const told = (words: string): readonly Segment[] =>
    words === '' ? [] : [{ ...text, item: knowledge.id, text: words }];
  const own = replaces ? [] : [text];
  if (role === 'user') return [{ role, segments: [...told(before), ...own, ...told(after)] }];
  const system = (words: string): readonly Message[] => (words === '' ? [] : [{ role, segments: told(words) }]);
  const user: readonly Message[] = own.length === 0 ? [] : [{ role: 'user', segments: own }];
  return [...system(before.trim()), ...user, ...system(after.trim())];
}

/** The knowledge retrieved for a user's message, which is stored right behind it, in the words for a node; null where it was cleared. */
export function knowledgeOf(
  message: Item,
  next: Item | undefined,
  cleared: ReadonlyMap<ItemId, unknown>,
  node = 'answer',
): KnowledgeItem | null {
  if (message.origin !== 'user' || next?.origin !== 'knowledge' || cleared.has(next.id)) return null;
  return { ...next, ...next.nodes?.[node] };
}
