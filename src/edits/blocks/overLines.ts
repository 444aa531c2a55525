// Code in the place of given lines: as far in as those are, in the file's units, and without lines around them that the model wrote again.
import { indentOf, reindent } from '../ladder/indent.ts';
import { fileLines } from '../ladder/lines.ts';
import { allDeclarations } from './declarations.ts';

/** The lines of the file in front of those that are replaced, and behind. */
export interface LinesAround {
  readonly above: readonly string[];
  readonly below: readonly string[];
}

/** Lines without what they declare besides, where the file declares that outside of the former lines: it stands there as it was. */
function withoutOthers(
  lines: readonly string[],
  former: readonly string[],
  { above, below }: LinesAround,
  path: string,
): readonly string[] {
  const declared = allDeclarations(lines, path);
  const own = new Set(allDeclarations(former, path).map(({ name }) => name));
  const outside = new Set(allDeclarations([...above, ...below], path).map(({ name }) => name));
  const column = (at: number) => indentOf(lines[at] ?? '').length;
  const first = declared.find(({ name }) => own.has(name));
  if (first === undefined) return lines;
  // A declaration further in is a part of something else.
  const parts = declared.filter(({ at }) => column(at) === column(first.at));
  const gone = parts.flatMap(({ name, at }, i) =>
    outside.has(name) && !own.has(name) ? [{ from: at, to: parts[i + 1]?.at ?? lines.length }] : [],
  );
  return lines.filter((_, at) => !gone.some(({ from, to }) => at >= from && at < to));
}

/** Code over lines of a text, from 0 and both included. */
export function overRows(base: string, first: number, last: number, code: string, path: string): string {
  const rows = fileLines(base).map(({ text }) => text);
  const around = { above: rows.slice(0, first), below: rows.slice(last + 1) };
  return overLines(code, [...rows.slice(first, last + 1), ''], around, path);
}

/** Moves code as far in as the lines it replaces, without lines around them that the model wrote again. */
export function overLines(code: string, former: readonly string[], around: LinesAround, path: string): string {
  const { above, below } = around;
  const all = code.replace(/\n$/, '').split('\n');
  const start = echoed(all, above.toReversed(), former.find(says));
  const rest = all.slice(start);
  const end = echoed(rest.toReversed(), below, former.findLast(says));
  const own = withoutOthers(rest.slice(0, rest.length - end), former, around, path);
  const lines = withoutBlankEdges(own, former);
  const units = unitsOf([...above, ...former, ...below]);
  const shaped = lines.map((line) => inUnits(indentOf(line), units) + line.slice(indentOf(line).length));
  const pairs = pairsOf(shaped, former);
  const move = (pairs.length > 0 ? reindent(pairs) : null) ?? reindent(firstPair(shaped, former));
  const moved = shaped.map((line) => {
    const indent = indentOf(line);
    return says(line) ? (move?.(indent) ?? indent) + line.slice(indent.length) : '';
  });
  return `${moved.join('\n')}\n`;
}

/** The unit of a file's indentation: a tab, or so many blanks as its least indentation has; null where nothing is indented. */
function unitsOf(lines: readonly string[]): string | null {
  const indents = lines.filter(says).map(indentOf);
  if (indents.some((indent) => indent.startsWith('\t'))) return '\t';
  const least = Math.min(...indents.flatMap(({ length }) => (length > 1 ? [length] : [])));
  return Number.isFinite(least) ? ' '.repeat(least) : null;
}

/** Tabs in a file of blanks; the other way round `reindent` tells how many blanks a tab is. */
function inUnits(indent: string, units: string | null): string {
  return units === null || units === '\t' ? indent : indent.replaceAll('\t', units);
}

const says = (line: string) => line.trim() !== '';

/**
 * How many of the lines, from their start, are those outside, from the edge on: the outermost of them says something, the whole run stands
 * there in the same order, and the line that was selected at that edge is not among them.
 */
function echoed(lines: readonly string[], outside: readonly string[], edge = ''): number {
  // The nearest line outside is the last of the run.
  const most = Math.min(lines.length - 1, outside.length, 12);
  for (let count = most; count > 0; count--) {
    const run = lines.slice(0, count);
    const there = outside.slice(0, count).toReversed();
    const isSame = run.every((line, at) => line.trim() === (there[at] ?? '').trim());
    const tells = run.some((line) => /[\p{L}\p{N}]{3}/u.test(line));
    if (isSame && tells && run.every((line) => line.trim() !== edge.trim())) return count;
  }
  return 0;
}

/** Blank lines at the edges are those of the lines it replaces. */
function withoutBlankEdges(lines: readonly string[], former: readonly string[]): readonly string[] {
  const [first, last] = [lines.findIndex(says), lines.findLastIndex(says)];
  const own = former.at(-1) === '' ? former.slice(0, -1) : former;
  const [before, behind] = [own.findIndex(says), own.length - 1 - own.findLastIndex(says)];
  const blank = (count: number) => Array.from({ length: Math.max(0, count) }, () => '');
  return [...blank(before), ...lines.slice(first, last + 1), ...blank(behind)];
}

/** Lines that stand in both, each once. */
function pairsOf(lines: readonly string[], former: readonly string[]) {
  return lines.filter(says).flatMap((line) => {
    const [one, another] = former.filter((other) => other.trim() === line.trim());
    return one === undefined || another !== undefined ? [] : [{ asked: indentOf(line), there: indentOf(one) }];
  });
}

function firstPair(lines: readonly string[], former: readonly string[]) {
  const [line, other] = [lines.find(says), former.find(says)];
  return line === undefined || other === undefined ? [] : [{ asked: indentOf(line), there: indentOf(other) }];
}
