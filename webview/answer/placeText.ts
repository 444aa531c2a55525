// A text in pieces: words, and places such as `src/tides.ts:12`.
import { place } from '../../src/core/answer/fileNames.ts';

/** A piece of a text, with where it leads; null for nowhere. */
export interface TextPiece {
  readonly text: string;
  readonly to: { readonly path: string; readonly line: number } | null;
}

/** The text in pieces, in its order. */
export function splitPlaces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let done = 0;
  for (const found of text.matchAll(place)) {
    const [whole, path = '', line = ''] = found;
    if (found.index > done) pieces.push({ text: text.slice(done, found.index), to: null });
    pieces.push({ text: whole, to: { path, line: Number(line) } });
    done = found.index + whole.length;
  }
  return done < text.length ? [...pieces, { text: text.slice(done), to: null }] : pieces;
}
