// Ids that a stream left out: llama-server sends no event for a token that ends within a character, so only the last token of that
// character is told. Which ones came before it follows from the bytes.

/** Ids by the bytes that they spell, as Latin-1. */
export type IdsByBytes = ReadonlyMap<string, number>;

/** Maps bytes to ids; the first of several ids with the same bytes counts. */
export function idsByBytes(pieces: readonly Uint8Array[]): IdsByBytes {
  const known = new Map<string, number>();
  for (const [id, bytes] of pieces.entries()) {
    const key = Buffer.from(bytes).toString('latin1');
    if (key !== '' && !known.has(key)) known.set(key, id);
  }
  return known;
}

/** No character has more tokens than it has bytes, and no text of an event many characters that are left out. */
const mostMissing = 16;
/** Bytes of such a text. */
const longest = 1024;

/**
 * The ids of `text` that stand in front of its `last`, so many of them. Where several fit, the ones with the longest first tokens. Null
 * where none do.
 */
export function missingIds(
  text: string,
  last: number,
  missing: number,
  { pieces, known }: { readonly pieces: readonly Uint8Array[]; readonly known: IdsByBytes },
): readonly number[] | null {
  const all = Buffer.from(text, 'utf8').toString('latin1');
  const end = Buffer.from(pieces[last] ?? []).toString('latin1');
  if (!all.endsWith(end) || missing > mostMissing || all.length - end.length > longest) return null;
  return split(all.slice(0, all.length - end.length), missing, known, new Set());
}

/** `dead`: rests that cannot be split into so many, so that each is tried once. */
function split(bytes: string, parts: number, known: IdsByBytes, dead: Set<string>): readonly number[] | null {
  if (parts === 0) return bytes === '' ? [] : null;
  const key = `${parts} ${bytes.length}`;
  if (dead.has(key)) return null;
  for (let length = bytes.length - (parts - 1); length > 0; length--) {
    const id = known.get(bytes.slice(0, length));
    if (id === undefined) continue;
    const rest = split(bytes.slice(length), parts - 1, known, dead);
    if (rest !== null) return [id, ...rest];
  }
  dead.add(key);
  return null;
}
