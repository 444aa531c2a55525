// Blank lines of a document that a block leaves out between lines which it repeats as they are: they part paragraphs, and nobody asked for less.
import { align } from './align.ts';
import { plainLines } from './placeChange.ts';

export function withBlankLines(before: string, after: string): string {
  const [file, block] = [plainLines(before), plainLines(after)];
  const of = align(file, block);
  if (of === null) return after;
  const isSame = (at: number) => block[at]?.trim() !== '' && file[of[at] ?? -1] === block[at];
  const lines = block.flatMap((line, at) => {
    const [here, next] = [of[at] ?? -1, of[at + 1] ?? -1];
    const between = isSame(at) && isSame(at + 1) ? file.slice(here + 1, next) : [];
    return between.every((one) => one.trim() === '') ? [line, ...between] : [line];
  });
  return lines.length === block.length ? after : lines.join(/\r\n|\n|\r/.exec(after)?.[0] ?? '\n');
}
