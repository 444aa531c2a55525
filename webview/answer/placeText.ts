// Places in a text, such as `src/tides.ts:12`: a file name with an extension, a colon and a line.

/**
 * Its groups are the path and the line. Neither holds a sign that means something in markup. Behind a slash none begins: an
 * absolute path is not cut, and a long word is looked at once.
 */
export const place = /(?<![\w@./-])((?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,5}):(\d+)/g;

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
