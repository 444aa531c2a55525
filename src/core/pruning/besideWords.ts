// The segments of a user's message: texts beside the words, and what was retrieved for them.
import type { AttachmentItem, KnowledgeItem } from '../dialog/dialog.ts';
import { attachedTexts } from '../prompt/found.ts';
import type { Layer, Message, Segment } from '../prompt/prompt.ts';
import { type PruneState, unusedFound } from './pruneState.ts';

export type MakeSegment = (layer: Layer, part: Segment['part'], text: string) => Segment;

export function attachedSegments(
  item: AttachmentItem,
  { cleared, capped }: PruneState,
  segment: MakeSegment,
): readonly Segment[] {
  if (cleared.get(item.id)?.by === unusedFound) return [];
  const [stub, ...rest] = attachedTexts({ ...item, body: capped.get(item.id)?.text ?? item.body });
  const whole = cleared.has(item.id) ? [] : rest.map((text) => segment('turn', 'body', text));
  return [segment('turn', 'stub', stub), ...whole];
}

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
