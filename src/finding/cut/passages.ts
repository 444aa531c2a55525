// Cuts a file into passages along its declarations: whole ones where they are small, parts at blank lines where not.
import type { IndexedDeclaration, IndexedPassage } from '../text/passage.ts';

/** Characters: a passage that is smaller joins its neighbour, one that is larger is cut. */
const smallPassage = 200;
const largePassage = 1600;

interface Piece {
  readonly from: number;
  readonly to: number;
}

/** `cells`: of a notebook, none of which joins another one. */
export function passagesOf(
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
