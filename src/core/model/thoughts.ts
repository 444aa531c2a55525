// The marks that models write around thoughts, which stand in front of what they say.
import { thoughtMarks } from '../thoughtMarks.ts';

/** Of gpt-oss, which thinks in a channel of its own. */
const channel = ['<|channel|>analysis<|message|>', '<|end|><|start|>assistant<|channel|>final<|message|>'] as const;

export interface Thinking {
  readonly open: string;
  /** What ends the thoughts and has the model speak. */
  readonly close: string;
  /** Where the thoughts begin. */
  readonly from: number;
}

/** By the beginning of a message; undefined while that may still become an opening mark, null where it does not think. */
export function thinkingIn(raw: string, channels = false): Thinking | null | undefined {
  const pairs = channels ? [channel] : thoughtMarks;
  const start = raw.trimStart();
  const found = pairs.find(([open]) => start.startsWith(open));
  if (found === undefined) return pairs.some(([open]) => open.startsWith(start)) ? undefined : null;
  const [open, close] = found;
  return { open, close, from: raw.length - start.length + open.length };
}

/** What a chat template opened itself at the end of a prompt, for the model to go on with. */
export function openedBy(promptEnd: string): Thinking | null {
  const end = promptEnd.trimEnd();
  const found = thoughtMarks.find(([open]) => end.endsWith(open));
  return found === undefined ? null : { open: found[0], close: found[1], from: 0 };
}

/**
 * Told of each piece of a message. Once the thoughts have taken `budget` tokens it gives the text that ends them, once.
 * An answer that begins in time is nothing to it.
 */
export function watchThoughts(budget: number, promptEnd: string, channels: boolean): (piece: string) => string | null {
  let thinking: Thinking | null | undefined = openedBy(promptEnd) ?? undefined;
  let raw = '';
  let tokens = 0;
  return (piece) => {
    if (thinking === null) return null;
    raw += piece;
    tokens += 1;
    thinking ??= thinkingIn(raw, channels);
    if (!thinking) return null;
    const isOver = channels ? raw.includes('<|end|>') : raw.includes(thinking.close);
    // Behind a whole character only.
    if (!isOver && (tokens < budget || piece === '')) return null;
    const close = isOver ? null : channels ? thinking.close : `\n${thinking.close}\n\n`;
    thinking = null;
    return close;
  };
}
