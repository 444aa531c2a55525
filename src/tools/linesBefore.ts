// Reads lines above others of a file that may say that these are secrets: a table's first line, a name, the beginning of a key.
import type { Signal } from '../core/dialog/tool.ts';
import type { Place } from './files/paths.ts';
import { placeRange } from './lineRange.ts';

/** A private key has no more lines. */
const near = 120;
const most = 500_000;

/** The first line of the file and those right above line `first`. Rejects where the file cannot be read. */
export async function linesBefore(
  place: Pick<Place, 'real'> & { readonly unsaved?: string | undefined },
  first: number,
  signal: Signal,
): Promise<readonly string[]> {
  if (first <= 1) return [];
  const read = async (from: number, last: number) =>
    (await placeRange(place, { first: from, last, most, signal }))?.lines ?? [];
  return [...(await read(1, 1)), ...(await read(Math.max(2, first - near), first - 1))];
}
