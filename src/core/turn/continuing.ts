// Goes on with an answer that was cut off: from its last token, as the same message.
import { type AssistantItem, type Dialog, type Item, type ItemId, moveHead } from '../dialog/dialog.ts';
import type { Marks } from '../dialog/marks.ts';
import { withChannels, withMarks } from '../model/thoughts.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { noAnswer } from './closeTurn.ts';
import type { ModelSetup } from './turnPorts.ts';

/** An answer to go on with, and the dialog that ends in front of it. */
export interface BegunAnswer {
  readonly item: AssistantItem;
  /** The answer so far, as the model wrote it. */
  readonly raw: string;
  readonly former: Dialog;
  readonly before: Dialog;
}

const cutOff: ReadonlySet<AssistantItem['end']> = new Set(['length', 'cancelled', 'interrupted']);

/** The last answer, where it was cut off behind its first word; null elsewhere. */
export function cutAnswer(path: readonly Item[]): AssistantItem | null {
  const last = path.at(-1);
  if (last?.origin !== 'assistant' || !cutOff.has(last.end)) return null;
  return last.text === noAnswer && last.thoughts === undefined ? null : last;
}

/** Returns null when no answer was cut off. */
export function begunAnswer(former: Dialog, setup: Pick<ModelSetup, 'syntax' | 'thoughts'>): BegunAnswer | null {
  const item = cutAnswer(former.path);
  if (item === null) return null;
  return { item, raw: rawOf(item, setup), former, before: moveHead(former, item.parent) };
}

/** The prompt that was answered, up to where the answer was cut off. */
export function continued(prompt: Prompt, { item, raw: text }: BegunAnswer): Prompt {
  const { id, generated } = item;
  const ids = generated === undefined ? {} : { generated };
  const begun = { role: 'assistant', segments: [{ layer: 'turn', item: id, part: 'text', text, ...ids }] } as const;
  const messages = [...prompt.messages, begun];
  // The switch may have been moved since.
  const switched =
    prompt.thinking === undefined || generated?.thinking === undefined ? {} : { thinking: generated.thinking };
  return { ...prompt, ...switched, messages, continues: true };
}

/** The continued answer is another item: where the former one was pinned, it is. */
export function pinnedAgain(
  { marks, dialog }: { readonly marks: Marks; readonly dialog: Dialog },
  begun: BegunAnswer | null,
): readonly ItemId[] {
  return begun !== null && dialog.head !== null && marks.pinned.has(begun.item.id) ? [dialog.head] : [];
}

function rawOf(
  { text, thoughts = '' }: AssistantItem,
  { syntax, thoughts: marks = [] }: Pick<ModelSetup, 'syntax' | 'thoughts'>,
): string {
  // A character of which only some bytes were drawn.
  const said = text === noAnswer ? '' : text.replace(/\uFFFD+$/, '');
  return syntax?.channels === true ? withChannels(said, thoughts) : withMarks(said, thoughts, marks[0]);
}
