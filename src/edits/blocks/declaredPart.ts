// The part of a file that declares what a code block declares: the block is another version of it.
import { definedName } from '../../tools/search/definition.ts';
import {
  allDeclarations,
  columnOf,
  type DeclaredName,
  declarations,
  isMarkdown,
  isOfContainer,
  isOfFile,
  isOfHead,
  isWholePart,
} from './declarations.ts';
import { overRows } from './overLines.ts';
import { type Change, linesChange, plainLines } from './placeChange.ts';
import { stopsEarly } from './stopsEarly.ts';

/**
 * Returns the change of the part that declares what the block declares. Null where the block declares nothing, or the file does not declare each name
 * exactly once and in the block's order, with nothing else between. In front of the first declaration the block may have comments and decorators, or
 * lines that the file has there.
 */
export function declaredPart(base: string, code: string, path: string): Change | null {
  const block = code.replace(/\s+$/, '').split(/\r?\n/);
  const lines = plainLines(base);
  const region = declaredRegion(block, lines, path);
  if (region === null) return null;
  const { start, at, end } = region;
  const [head = '', another] = region.block.filter((line) => line.trim() !== '');
  // A line that opens a body and has none is the new head of the body that is there.
  if (another === undefined && /:\s*$/.test(head) && end > at)
    return /:\s*$/.test(lines[at] ?? '') ? linesChange(base, at, at, `${head}\n`) : null;
  const isPart = isMarkdown(path) || isWholePart(lines, at, end, block);
  return isPart ? linesChange(base, start, end, `${region.block.join('\n')}\n`) : null;
}

/** Places that a choice shows. */
const mostNamed = 6;

/** Each place of the one name that a block declares, where the file declares it several times: the user knows which is meant. */
export function partsNamed(base: string, code: string, path: string): readonly Change[] {
  const [only, another] = declarations(plainLines(code), path);
  if (only === undefined || another !== undefined) return [];
  const lines = plainLines(base);
  const same = allDeclarations(lines, path).filter(({ name }) => name === only.name);
  if (same.length < 2 || same.length > mostNamed) return [];
  return same.map(({ at }) => {
    const end = endOf(lines, at);
    return linesChange(base, at, end, overRows(base, at, end, code, path));
  });
}

/** Lines of a file, from 0 and both included, that declare what a block declares. */
interface Region {
  readonly start: number;
  /** The first declaration, behind its comments. */
  readonly at: number;
  readonly end: number;
  /** The block, as far in as the file's lines stand. */
  readonly block: readonly string[];
}

/** Returns the part without checking that the block has all of its members and lines; null otherwise as for `declaredPart`. */
export function declaredRegion(block: readonly string[], lines: readonly string[], path: string): Region | null {
  if (isMarkdown(path)) return sectionsRegion(block, lines, path);
  const declared = declarations(block, path);
  const places = placesOf(declared, block, lines, path);
  const [first, at, last] = [declared[0], places?.[0], places?.at(-1)];
  if (first === undefined || at === undefined || last === undefined) return null;
  const start = startOf(block.slice(0, first.at), lines, at, path);
  if (start === null || !keepsBetween(block, lines, places ?? [], path)) return null;
  const margin = (lines[at] ?? '').slice(0, columnOf(lines[at]));
  const own = columnOf(block[first.at]);
  const moved = block.map((line) => (line.trim() === '' ? '' : margin + line.slice(Math.min(own, columnOf(line)))));
  const end = endOf(lines, last);
  if (goesOn(block, declared, lines.slice(end + 1))) return null;
  return endAlike(lines[end], block.at(-1)) ? { start, at, end, block: moved } : null;
}

/**
 * Behind what it declares the block has other lines, and the file goes on behind its part: they would stand there twice, or the rest of the
 * file is to go.
 */
function goesOn(block: readonly string[], declared: readonly DeclaredName[], rest: readonly string[]): boolean {
  const behind = block.slice(endOf(block, declared.at(-1)?.at ?? 0) + 1);
  return [behind, rest].every((lines) => lines.some((line) => line.trim() !== ''));
}

/** Sections of a document: the block begins with a heading of it, and has each heading of the document up to its own last one. */
function sectionsRegion(block: readonly string[], lines: readonly string[], path: string): Region | null {
  const [own, all] = [allDeclarations(block, path), allDeclarations(lines, path)];
  const [first] = own;
  if (first === undefined || block.slice(0, first.at).some((line) => line.trim() !== '')) return null;
  const from = all.findIndex(({ name }) => name === first.name);
  if (from < 0 || all.some(({ name }, i) => name === first.name && i !== from)) return null;
  const names = own.map(({ name }) => name);
  let to = from;
  for (let at = 1; at < names.length; at++) if (names[at] === all[to + 1]?.name) to += 1;
  // A heading of the block that stands elsewhere in the document would come twice.
  const outside = [...all.slice(0, from), ...all.slice(to + 1)].some(({ name }) => names.includes(name));
  if (outside) return null;
  const start = all[from]?.at ?? 0;
  // Such a block may be all of a document whose end was left out.
  if (from === 0 && names.length > 1 && to < all.length - 1) return null;
  let end = (all[to + 1]?.at ?? lines.length) - 1;
  while (end > start && lines[end]?.trim() === '') end -= 1;
  const text = (part: readonly string[]) => part.join('\n');
  if (stopsEarly(text(lines.slice(start, end + 1)), text(block)) !== null) return null;
  return { start, at: start, end, block };
}

/** Returns the line of the file, from 0, that the block's lines in front of its first declaration (`head`) begin to replace; null where that is not clear. */
function startOf(head: readonly string[], lines: readonly string[], at: number, path: string): number | null {
  const opening = head.find((line) => line.trim() !== '') ?? '';
  // A block with a licence or the like in front stands for the file from its beginning.
  if (head.some(isOfHead))
    return lines.slice(0, at).every((line) => line.trim() === '' || leads(line, path)) ? 0 : null;
  const start = opening === '' ? -1 : lines.indexOf(opening);
  const lead = above(lines, at, path);
  if (head.every((line) => line.trim() === '' || leads(line, path)) && (start < 0 || start >= lead))
    return isAnotherOf(head, lines.slice(lead, at)) ? lead : at;
  const isOnce = start === lines.lastIndexOf(opening);
  const between = lines.slice(start, at).some((line) => definedName(line, path) !== undefined);
  if (start < 0 || start >= at || !isOnce || between) return null;
  return standIn(head, lines.slice(start, at)) ? start : null;
}

/** Whether comments and decorators take the place of those in front: they share a word, or both open as a text about a declaration does. */
function isAnotherOf(head: readonly string[], former: readonly string[]): boolean {
  const wordsIn = (lines: readonly string[]) =>
    lines
      .join('\n')
      .toLowerCase()
      .match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  const known = new Set(wordsIn(former));
  const opens = (lines: readonly string[]) => lines.some((line) => /^\s*(?:\/\*\*|\/\/[/!])/.test(line));
  return wordsIn(head).some((word) => known.has(word)) || (opens(head) && opens(former));
}

/** Tells whether the block has all that stands in the file between the parts that it replaces together. */
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

/**
 * Returns the lines of the declarations; null where one is not there exactly once, or they do not follow each other. Several must be at the outermost
 * level.
 */
function placesOf(
  declared: readonly DeclaredName[],
  block: readonly string[],
  lines: readonly string[],
  path: string,
): readonly number[] | null {
  const all = allDeclarations(lines, path);
  const outermost = declarations(lines, path);
  const isMember = (at: number) => isOfContainer(lines, at) || !isOfFile((lines[at] ?? '').trimStart(), path);
  const places = declared.flatMap(({ name, at }) => {
    const same = all.filter((one) => one.name === name);
    // A function of the file may stand within another one; a member of a class is something else.
    const isOutermost = (one: DeclaredName) => outermost.some((other) => other.at === one.at);
    const free = same.some(isOutermost) ? same.filter(isOutermost) : same.filter((one) => !isMember(one.at));
    const [only, another] = isOfFile(block[at] ?? '', path) ? free : same;
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

/** Returns the line at which the comments and decorators of a line begin. */
function above(lines: readonly string[], at: number, path: string): number {
  let start = at;
  while (start > 0 && leads(lines[start - 1] ?? '', path)) start -= 1;
  const own = lines.slice(start, at).findLastIndex(isOfHead);
  return start + own + 1;
}

export const closer = /^\s*(?:[\])}]|end\b)/;

/** A part that ends otherwise than the block is not the whole of what the block is a version of. */
function endAlike(line = '', last = ''): boolean {
  return closer.test(last) ? line.trim() === last.trim() : !closer.test(line);
}

/** The last line of what opens here: all that stands further in, and what closes it. */
export function endOf(lines: readonly string[], at: number): number {
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
