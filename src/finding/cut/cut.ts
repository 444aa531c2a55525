// Cuts one file: by its grammar where one ships, by the look of its lines elsewhere.

import { cellsIn, isNotebook } from '../../tools/files/notebook.ts';
import { cutMark, longestLine } from '../../tools/lineRange.ts';
import { definedName, isProse } from '../../tools/search/definition.ts';
import type { Cut, IndexedDeclaration, IndexedPassage } from '../text/passage.ts';
import type { Grammars } from './grammars.ts';
import { languageOf } from './languages.ts';
import { commentAbove, type Outline, outlineOf } from './outline.ts';

/** Characters; a larger file takes a parser too long. */
const mostParsed = 600_000;

/** Characters of a line that a writer of prose ends with a paragraph. */
const longestParagraph = 4000;

export async function cutFile(path: string, text: string, grammars: Grammars, now: () => number): Promise<Cut> {
  const language = text.length > mostParsed ? undefined : languageOf(path);
  const parser = language === undefined ? null : await grammars(language);
  const outline = language === undefined || parser === null ? undefined : outlineOf(text, parser, language, now);
  return outline === undefined ? cutPlain(path, text) : cutBy(path, text, outline);
}

/** Without any grammar: what is fast, and serves until the grammars have been through. */
export function cutPlain(path: string, text: string): Cut {
  return cutBy(path, text, { declarations: plainOutline(linesOf(path, text), path), imports: [] });
}

function cutBy(path: string, text: string, { declarations, imports }: Outline): Cut {
  const lines = linesOf(path, text);
  const cells = isNotebook(path) ? cellsIn(lines) : [];
  return { passages: passagesOf(lines, declarations, cells), declarations, imports };
}

/** The lines of a text, each as far as it is shown; the end of the last one begins no further line. */
export function linesOf(path: string, text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  const most = isProse(path) ? longestParagraph : longestLine;
  return lines.map((line) => (line.length > most ? line.slice(0, most).toWellFormed() + cutMark : line));
}

// The outline of a file without a grammar: headings of prose, and lines that look like definitions.
const headingPattern = /^(#{1,6})\s+(.+?)\s*#*$/;
const underline = /^(?:={3,}|-{3,}|~{3,}|\^{3,})\s*$/;
const most = 5000;

function plainOutline(lines: readonly string[], path: string): readonly IndexedDeclaration[] {
  return isProse(path) ? headings(lines) : definitions(lines, path);
}

/** A heading declares its section, which ends before the next heading of its rank. */
function headings(lines: readonly string[]): readonly IndexedDeclaration[] {
  const found: { name: string; row: number; rank: number }[] = [];
  let fenced = false;
  for (const [row, line] of lines.entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    if (fenced || found.length >= most) continue;
    const marked = headingPattern.exec(line);
    if (marked !== null) found.push({ name: marked[2] ?? '', row, rank: marked[1]?.length ?? 1 });
    else if (underline.test(line) && /^\S/.test(lines[row - 1] ?? '') && (lines[row - 1] ?? '').length < 100)
      found.push({ name: (lines[row - 1] ?? '').trim(), row: row - 1, rank: line.startsWith('=') ? 1 : 2 });
  }
  const open: { name: string; rank: number }[] = [];
  return found.map(({ name, row, rank }, at) => {
    while (open.length > 0 && (open.at(-1)?.rank ?? 0) >= rank) open.pop();
    const container = open.at(-1)?.name ?? '';
    open.push({ name, rank });
    const next = found.slice(at + 1).find((one) => one.rank <= rank);
    return { name, line: row + 1, from: row + 1, to: next?.row ?? lines.length, container, holds: true };
  });
}

/** The declaration ends where the next line of its depth, or of less, begins a new one. */
function definitions(lines: readonly string[], path: string): readonly IndexedDeclaration[] {
  const found: { name: string; row: number; depth: number }[] = [];
  for (const [row, line] of lines.entries()) {
    if (found.length >= most) break;
    const name = line.length > 600 ? undefined : definedName(line, path);
    if (name !== undefined) found.push({ name, row, depth: depthOf(line) });
  }
  return found.map(({ name, row, depth }, at) => {
    const next = found.slice(at + 1).find((one) => one.depth <= depth);
    const from = commentAbove(lines, row);
    const end = next === undefined ? lines.length : commentAbove(lines, next.row);
    const container = found.slice(0, at).findLast((one) => one.depth < depth)?.name ?? '';
    return {
      name,
      line: row + 1,
      from: from + 1,
      to: Math.max(row + 1, trimmedEnd(lines, row, end)),
      container,
      holds: false,
    };
  });
}

function depthOf(line: string): number {
  return (/^\s*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length;
}

/** The last line before `end` that is not blank. */
function trimmedEnd(lines: readonly string[], row: number, end: number): number {
  let last = end;
  while (last > row + 1 && (lines[last - 1] ?? '').trim() === '') last -= 1;
  return last;
}

// Cuts a file into passages along its declarations: whole ones where they are small, parts at blank lines where not.

/** Characters: a passage that is smaller joins its neighbour, one that is larger is cut. */
const smallPassage = 200;
const largePassage = 1600;

interface Piece {
  readonly from: number;
  readonly to: number;
}

/** `cells`: of a notebook, none of which joins another one. */
function passagesOf(
  lines: readonly string[],
  declarations: readonly IndexedDeclaration[],
  cells: readonly Pick<IndexedPassage, 'from' | 'to'>[] = [],
): readonly IndexedPassage[] {
  const sizes = [0];
  for (const line of lines) sizes.push((sizes.at(-1) ?? 0) + line.length + 1);
  const size = ({ from, to }: Piece): number => (sizes[to] ?? 0) - (sizes[from - 1] ?? 0);
  const ofCells = cells.flatMap((cell) => cutAt(cell, [], lines, size));
  const outline = nest(declarations);
  const pieces = cells.length > 0 ? ofCells : join(cutAt({ from: 1, to: lines.length }, outline, lines, size), size);
  return pieces
    .filter((piece) => !isBlank(lines, piece))
    .map((piece) => ({ ...piece, ...namesOf(piece, declarations) }));
}

interface Node extends Piece {
  readonly children: Node[];
}

/** The declarations as a tree, by their lines. */
function nest(declarations: readonly IndexedDeclaration[]): readonly Node[] {
  const roots: Node[] = [];
  const open: Node[] = [];
  for (const { from, to } of declarations.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    while (open.length > 0 && (open.at(-1)?.to ?? 0) < to) open.pop();
    const parent = open.at(-1);
    const siblings = parent?.children ?? roots;
    // A declaration that begins in the last line of the one before it belongs to that one.
    if ((siblings.at(-1)?.to ?? 0) >= from) continue;
    const node: Node = { from, to, children: [] };
    siblings.push(node);
    open.push(node);
  }
  return roots;
}

type Size = (piece: Piece) => number;

function cutAt(piece: Piece, children: readonly Node[], lines: readonly string[], size: Size): readonly Piece[] {
  if (size(piece) <= smallPassage) return [piece];
  if (children.length === 0) return size(piece) <= largePassage ? [piece] : atBlanks(piece, lines, size);
  const pieces: Piece[] = [];
  let next = piece.from;
  const gap = (to: number): void => {
    if (next <= to) pieces.push(...cutAt({ from: next, to }, [], lines, size));
  };
  for (const child of children) {
    gap(child.from - 1);
    const whole = size(child) <= largePassage || child.children.length === 0;
    pieces.push(...cutAt(child, whole ? [] : child.children, lines, size));
    next = child.to + 1;
  }
  gap(piece.to);
  return pieces;
}

/** Cuts behind a blank line near half of the limit, at the least indented one; without any, at the limit. */
function atBlanks(piece: Piece, lines: readonly string[], size: Size): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = piece.from;
  while (size({ from, to: piece.to }) > largePassage) {
    let best = 0;
    let bestIndent = Number.POSITIVE_INFINITY;
    let to = from;
    for (; to < piece.to && size({ from, to }) <= largePassage; to++) {
      if (size({ from, to }) < largePassage / 2 || (lines[to - 1] ?? '').trim() !== '') continue;
      const indent = (/^\s*/.exec(lines[to] ?? '')?.[0] ?? '').length;
      if (indent <= bestIndent) [best, bestIndent] = [to, indent];
    }
    const end = best > 0 ? best : Math.max(from, to - 1);
    pieces.push({ from, to: end });
    from = end + 1;
    if (from > piece.to) return pieces;
  }
  return [...pieces, { from, to: piece.to }];
}

/** Small neighbours go together as long as they stay small. */
function join(pieces: readonly Piece[], size: Size): readonly Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    const both = last === undefined ? null : { from: last.from, to: piece.to };
    const small = last !== undefined && (size(last) < smallPassage || size(piece) < smallPassage / 2);
    if (both !== null && small && size(both) <= largePassage / 2) joined[joined.length - 1] = both;
    else joined.push(piece);
  }
  return joined;
}

function namesOf(
  { from, to }: Piece,
  declarations: readonly IndexedDeclaration[],
): Pick<IndexedPassage, 'declares' | 'within'> {
  const declares = declarations.filter(({ line }) => line >= from && line <= to).map(({ name }) => name);
  const around = declarations.filter((one) => one.from <= from && one.to >= to && (one.line < from || one.line > to));
  return { declares: [...new Set(declares)], within: [...new Set(around.map(({ name }) => name))] };
}

function isBlank(lines: readonly string[], { from, to }: Piece): boolean {
  return lines.slice(from - 1, to).every((line) => line.trim() === '');
}
