// The part of a file that declares what a code block declares: the block is another version of it.
import { definedName } from '../../tools/search/definition.ts';
import {
  allDeclarations,
  columnOf,
  type DeclaredName,
  declarations,
  isOfFile,
  isOfHead,
  isWholePart,
} from './declarations.ts';
import { type Change, linesChange, plainLines } from './placeChange.ts';

/**
 * Null where the block declares nothing, or the file does not declare each of it exactly once, one behind the other, with nothing else
 * between. In front of the first stand comments and decorators, or lines that the file has there.
 */
export function declaredPart(base: string, code: string, path: string): Change | null {
  const block = code.replace(/\s+$/, '').split(/\r?\n/);
  const declared = declarations(block, path);
  const lines = plainLines(base);
  const places = placesOf(declared, block, lines, path);
  const [first, at, last] = [declared[0], places?.[0], places?.at(-1)];
  if (first === undefined || at === undefined || last === undefined) return null;
  const start = startOf(block.slice(0, first.at), lines, at, path);
  if (start === null || !keepsBetween(block, lines, places ?? [], path)) return null;
  const margin = (lines[at] ?? '').slice(0, columnOf(lines[at]));
  const own = columnOf(block[first.at]);
  const moved = block.map((line) => (line.trim() === '' ? '' : margin + line.slice(Math.min(own, columnOf(line)))));
  const end = endOf(lines, last);
  if (!isWholePart(lines, at, end, block)) return null;
  return endAlike(lines[end], block.at(-1)) ? linesChange(base, start, end, `${moved.join('\n')}\n`) : null;
}

/** Where the lines in front of a declaration belong; null where that is not clear. */
function startOf(head: readonly string[], lines: readonly string[], at: number, path: string): number | null {
  if (head.every((line) => line.trim() === '' || leads(line, path)))
    return head.length > 0 ? above(lines, at, path) : at;
  const opening = head.find((line) => line.trim() !== '') ?? '';
  const start = lines.indexOf(opening);
  const isOnce = start === lines.lastIndexOf(opening);
  const between = lines.slice(start, at).some((line) => definedName(line, path) !== undefined);
  if (start < 0 || start >= at || !isOnce || between) return null;
  return standIn(head, lines.slice(start, at)) ? start : null;
}

/** What stands between parts that the block replaces together stands in the block as well. */
function keepsBetween(
  block: readonly string[],
  lines: readonly string[],
  places: readonly number[],
  path: string,
): boolean {
  return places.every((at, i) => {
    const next = places[i + 1];
    return next === undefined || standIn(block, lines.slice(endOf(lines, at) + 1, above(lines, next, path)));
  });
}

function standIn(block: readonly string[], lines: readonly string[]): boolean {
  const known = new Set(block.map((line) => line.trim()));
  return lines.every((line) => !/[\p{L}\p{N}]/u.test(line) || known.has(line.trim()));
}

/** Null where one is not there exactly once, or they do not follow each other. Several are looked for at the outermost level only. */
function placesOf(
  declared: readonly DeclaredName[],
  block: readonly string[],
  lines: readonly string[],
  path: string,
): readonly number[] | null {
  const all = allDeclarations(lines, path);
  const outermost = declarations(lines, path);
  const places = declared.flatMap(({ name, at }) => {
    const among = isOfFile(block[at] ?? '', path) ? outermost : all;
    const [only, another] = among.filter((one) => one.name === name);
    return only === undefined || another !== undefined ? [] : [only.at];
  });
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  if (places.length !== declared.length || places.some((at, i) => at <= (places[i - 1] ?? -1))) return null;
  if (places.length === 1) return places;
  const within = outermost.filter(({ at }) => at >= first && at <= last);
  return within.length === places.length && within.every(({ at }, i) => at === places[i]) ? places : null;
}

const hashed = /\.(?:py|pyi|rb|sh|bash|zsh|pl|r|jl|ex|exs|nim|ya?ml|toml)$/i;
const dashed = /\.(?:lua|sql|hs|elm|ada)$/i;

/** Whether a line is a comment, a decorator or an attribute of what follows. */
function leads(line: string, path: string): boolean {
  if (/^\s*(?:\/\/|\/\*|\*|@|"""|'''|#\[)/.test(line)) return true;
  return (hashed.test(path) && /^\s*#/.test(line)) || (dashed.test(path) && /^\s*--/.test(line));
}

/** Where the comments and decorators begin that belong to a line. */
function above(lines: readonly string[], at: number, path: string): number {
  let start = at;
  while (start > 0 && leads(lines[start - 1] ?? '', path)) start -= 1;
  const own = lines.slice(start, at).findLastIndex(isOfHead);
  return start + own + 1;
}

const closer = /^\s*(?:[\])}]|end\b)/;

/** A part that ends otherwise than the block is not the whole of what the block is a version of. */
function endAlike(line = '', last = ''): boolean {
  return closer.test(last) ? line.trim() === last.trim() : !closer.test(line);
}

/** The last line of what opens here: all that stands further in, and what closes it. */
function endOf(lines: readonly string[], at: number): number {
  const margin = columnOf(lines[at]);
  let end = at;
  for (let i = at + 1; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (line.trim() === '') continue;
    const opens = i === at + 1 && /^\s*\{/.test(line);
    const closes = closer.test(line);
    // The end of a list of parameters opens the body.
    const goesOn = closes && /(?:[{([:]|=>|->)\s*$/.test(line);
    if (columnOf(line) < margin || (columnOf(line) === margin && !opens && !closes)) break;
    end = i;
    if (columnOf(line) === margin && closes && !goesOn) break;
  }
  return end;
}
