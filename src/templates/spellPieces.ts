// The text of a prompt piece by piece: what the chat template writes, and each segment. Together they are the whole text.
import type { SpelledPiece } from '../core/engine/spelled.ts';
import type { Image } from '../core/kv/kvImage.ts';
import type { Spelling } from './spelling.ts';

/** Spells all pieces in one stream, so that a character which two of them share is not lost. Segments are in their order. */
export function spellPieces(spelling: Spelling, { pieces }: Image): readonly SpelledPiece[] {
  const stream = spelling.stream();
  const texts = pieces.map(
    ({ tokens }, i) => tokens.map((id) => stream.push(id)).join('') + (i === pieces.length - 1 ? stream.end() : ''),
  );
  return spelledPieces({ pieces }, texts);
}

/** The same with the text of each piece as it is known. */
export function spelledPieces({ pieces }: Pick<Image, 'pieces'>, texts: readonly string[]): readonly SpelledPiece[] {
  const spelled: SpelledPiece[] = [];
  let segments = 0;
  pieces.forEach(({ of, tokens }, i) => {
    const text = texts[i] ?? '';
    const last = spelled.at(-1);
    const glued = of === null && last !== undefined && last.segment === null;
    if (glued) spelled[spelled.length - 1] = { ...last, tokens: last.tokens + tokens.length, text: last.text + text };
    else spelled.push({ segment: of === null ? null : segments++, tokens: tokens.length, text });
  });
  return spelled;
}
