// The text of a message that the model is to go on with, in pieces: the marks of its thoughts act as they did when it drew them.
import type { ThoughtMarks } from '../core/answer/thoughts.ts';
import type { Piece } from '../core/calls/render.ts';
import { finalChannel, openedBy, thinkingIn } from '../core/model/thoughts.ts';

/** `promptEnd`: what the template writes in front of it. */
export function begunPieces(
  text: string,
  promptEnd: string,
  channels: boolean,
  marks: readonly ThoughtMarks[] = [],
): readonly Piece[] {
  const opened = openedBy(promptEnd, marks);
  // The text begins with the mark that the prompt ends with; it is there already.
  const raw = opened !== null && text.startsWith(opened.open) ? text.slice(opened.open.length) : text;
  const thinking = opened ?? thinkingIn(raw, channels, marks) ?? null;
  const from = thinking?.from ?? (channels && raw.startsWith(finalChannel) ? finalChannel.length : 0);
  const at = thinking === null ? -1 : raw.indexOf(thinking.close, from);
  const end = at < 0 ? raw.length : at;
  const close = at < 0 ? '' : (thinking?.close ?? '');
  return [
    { text: raw.slice(0, from), markup: true },
    { text: raw.slice(from, end), markup: false },
    { text: close, markup: true },
    { text: raw.slice(end + close.length), markup: false },
  ];
}
