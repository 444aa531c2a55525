// Whether a text is a beginning of the former one: a model that stopped too soon, or a block that was cut.
import { align } from './align.ts';
import { plainLines } from './placeChange.ts';

export interface Stop {
  /** The line of the former text, from 0, that the new one ends with. */
  readonly last: number;
  /** How many lines with words stand behind it. */
  readonly rest: number;
}

/** Returns where the new text stops; null where it is not mostly a version of the former text up to that line. */
export function stopsEarly(before: string, after: string): Stop | null {
  const telling = (text: string) => plainLines(text).flatMap((line, at) => (line.trim() === '' ? [] : [{ line, at }]));
  const [known, wanted] = [telling(before), telling(after)];
  const [file, block] = [known.map(({ line }) => line), wanted.map(({ line }) => line)];
  if (block.length >= file.length || block.length === 0) return null;
  const found = align(file, block);
  if (found === null) return null;
  const last = found.at(-1) ?? -1;
  const kept = found.filter((line) => line >= 0).length;
  const rest = file.length - 1 - last;
  const isBeginning =
    found[0] === 0 && last >= 0 && rest >= 2 && kept >= mostly * (last + 1) && kept >= mostly * block.length;
  return isBeginning ? { last: known[last]?.at ?? 0, rest } : null;
}

const mostly = 0.7;
