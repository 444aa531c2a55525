// Cuts a text into its top-level blocks, a window at a time, and a huge block into parts that are drawn by themselves: the rows of a table under
// the same head, items of a list, words of a paragraph, lines of code. A block of another kind is cut into plain text.
import { beforeOpenFormula } from '../drawings/formulaRules.ts';
import { type BlockPart, parseBlocks, type TextBlock } from './markdown.ts';

/** How far a text is cut. Together the blocks are the text. */
export interface Blocks {
  readonly text: string;
  readonly blocks: readonly TextBlock[];
  /** More of the text is to be cut: the block that goes on there, null where none does. Left out where all is cut. */
  readonly next?: BlockPart | null;
}

export const noBlocks: Blocks = { text: '', blocks: [] };

/** Characters: a block that is longer is cut, one whose kind loses by it only beyond `most`, and how long its parts are. */
export interface CutSizes {
  readonly whole: number;
  readonly most: number;
  readonly part: number;
}

const usual: CutSizes = { whole: 16_000, most: 32_000, part: 8000 };

/**
 * Only the end is looked at again where the text goes on from an earlier one. Once `mayGoOn` says no, the result is of the beginning of the
 * text; from there it can go on.
 */
export function splitBlocks(text: string, earlier = noBlocks, mayGoOn = () => true, sizes = usual): Blocks {
  if (text === earlier.text) return earlier;
  const from = text.startsWith(earlier.text) ? settledIn(earlier, sizes) : 0;
  const blocks = earlier.blocks.slice(0, from);
  let at = lengthOf(blocks);
  let part = from === 0 ? null : (earlier.blocks[from]?.part ?? earlier.next ?? null);
  do {
    const cut = part === null ? cutAfresh(text, at, sizes) : cutOn(text, at, part, sizes);
    blocks.push(...cut.blocks);
    at += lengthOf(cut.blocks);
    part = cut.next;
  } while (at < text.length && mayGoOn());
  return at < text.length ? { text: text.slice(0, at), blocks, next: part } : { text, blocks };
}

const lengthOf = (blocks: readonly TextBlock[]) => blocks.reduce((sum, { text }) => sum + text.length, 0);

/** Blocks at the end among which an open formula is looked for. */
const lately = 200;

/** How many blocks stay as they are: behind an empty line what comes is no part of them, but a list may still go on. */
function settledIn({ blocks, next }: Blocks, { most, part }: CutSizes): number {
  if (next !== undefined) return blocks.length;
  const last = blocks.length - 1;
  const settled = ({ text }: TextBlock, i: number) => {
    if (i >= last) return false;
    if ((blocks[i + 1]?.part ?? null) !== null) return true;
    return /\n[ \t]*\n$/.test(text) && (i < last - 1 || !/^ {0,3}([-*+]|\d+[.)])\s/.test(text));
  };
  const before = Math.max(0, blocks.length - lately);
  const many = Math.max(0, blocks.findLastIndex(settled) + 1 - before);
  const texts = blocks.slice(before).map(({ text }) => text);
  const sure = before + beforeOpenFormula(texts, many);
  // The next line may be the one that makes a block a shorter one.
  const begin = Math.max(
    0,
    blocks.findLastIndex((block) => block.part === null),
  );
  return lengthOf(blocks.slice(begin)) > most + part ? sure : Math.min(sure, begin);
}

interface Cut {
  readonly blocks: readonly TextBlock[];
  /** The block that is not at its end behind them, as it goes on; null where none is. */
  readonly next: BlockPart | null;
}

/** The blocks in a window and in the line behind it, which tells whether a block ends with it. */
interface Seen {
  readonly blocks: readonly string[];
  readonly type: string;
  readonly markup: string;
  /** In the first block, where it is a list: the number of its first item, and where the others begin. */
  readonly start: number | null;
  readonly items: readonly number[];
  /** The text ends with the window. */
  readonly isAll: boolean;
}

function look(text: string, at: number, size: number, before = ''): Seen {
  const end = before === '' ? lineBehind(text, windowEnd(text, at, size), size) : windowEnd(text, at, size);
  const lines = linesOf(before + text.slice(at, end));
  const tokens = parseBlocks(lines.join(''));
  const tops = tokens.filter(({ level, nesting, map }) => level === 0 && nesting >= 0 && map !== null);
  const edges = [0, ...tops.slice(1).map(({ map }) => map?.[0] ?? 0), lines.length];
  const blocks = edges.slice(1).map((edge, i) => lines.slice(edges[i], edge).join(''));
  const items = tokens.flatMap(({ type, level, map }) =>
    type === 'list_item_open' && level === 1 && map !== null && map[0] > 0 && map[0] < (edges[1] ?? 0)
      ? lines.slice(0, map[0]).join('').length
      : [],
  );
  const start = tops[0]?.type === 'ordered_list_open' ? Number(tops[0].attrGet('start') ?? 1) : null;
  return { blocks, type: tops[0]?.type ?? '', markup: tops[0]?.markup ?? '', start, items, isAll: end === text.length };
}

/** Behind the last whole line that fits; within a line where it alone is longer. */
function windowEnd(text: string, at: number, size: number): number {
  if (text.length - at <= size) return text.length;
  const window = text.slice(at, at + size);
  const whole = window.lastIndexOf('\n') + 1 || window.lastIndexOf(' ') + 1;
  // A sign of two halves stays whole.
  return at + (whole || size - (/[\ud800-\udbff]$/.test(window) ? 1 : 0));
}

/** Behind the first line there that is not empty, or as much of it as fits. */
function lineBehind(text: string, at: number, size: number): number {
  const rest = text.slice(at, at + size);
  return at + (/^(?:[ \t]*\r?\n)*[^\n]*\n?/.exec(rest)?.[0].length ?? 0);
}

/** With their ends, as Markdown counts them: a lone carriage return ends one, too. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\r\n]*(?:\r\n?|\n)|[^\r\n]+$/g) ?? [''];
}

const alone = (text: string): TextBlock => ({ text, part: null });

/** Whole blocks, as far as they are sure; of one that fills the window, its beginning. */
function cutAfresh(text: string, at: number, sizes: CutSizes): Cut {
  for (const size of [sizes.whole, sizes.most]) {
    const seen = look(text, at, size);
    const others = seen.blocks.length - 1;
    const ended = seen.isAll
      ? others + 1
      : beforeOpenFormula(seen.blocks, others) || (size === sizes.most ? others : 0);
    const huge = seen.blocks.findIndex((block) => block.trimEnd().length > size);
    const sure = huge < 0 ? ended : Math.min(ended, huge);
    if (sure > 0) return { blocks: seen.blocks.slice(0, sure).map(alone), next: null };
    const begun = huge === 0 ? begin(text, at, seen, sizes.part) : null;
    if (begun !== null && (size === sizes.most || !losesByCuts.has(seen.type))) return begun;
  }
  const plain = { kind: 'plain' } as const;
  return { blocks: [{ text: text.slice(at, windowEnd(text, at, sizes.part)), part: plain }], next: plain };
}

const losesByCuts: ReadonlySet<string> = new Set(['fence', 'blockquote_open', 'code_block']);

/** The first part of a block that fills its window; null where its kind cannot be cut. */
function begin(text: string, at: number, seen: Seen, size: number): Cut | null {
  const [block = ''] = seen.blocks;
  const first = (next: BlockPart | null, end = windowEnd(text, at, size)) => ({
    blocks: [alone(text.slice(at, end))],
    next,
  });
  switch (seen.type) {
    case 'paragraph_open':
    case 'heading_open':
      // A paragraph that a line of signs below it makes a heading.
      return seen.markup.startsWith('#') ? null : first({ kind: 'words' });
    case 'table_open':
      return first({ kind: 'rows', head: linesOf(block).slice(0, 2).join('') });
    case 'fence':
      return first({ kind: 'code', fence: seen.markup, closed: false });
    case 'blockquote_open':
    case 'code_block':
      return first({ kind: 'lines' });
    case 'bullet_list_open':
    case 'ordered_list_open': {
      const many = Math.max(1, seen.items.filter((item) => item <= size).length);
      const end = seen.items[many - 1];
      return end === undefined ? null : first({ kind: 'items', start: numberAfter(seen.start, many) }, at + end);
    }
    default:
      return null;
  }
}

const numberAfter = (start: number | null, many: number) => (start === null ? null : start + many);

/** The next part of a block, which may be its last. */
function cutOn(text: string, at: number, part: BlockPart, { part: size, most }: CutSizes): Cut {
  if (part.kind === 'code') return cutCode(text, at, part, size);
  if (part.kind === 'plain') return cutPlain(text, at, size);
  const isWithin = text.charAt(at - 1) !== '\n';
  const before = part.kind === 'rows' ? part.head : part.kind === 'words' ? `x${isWithin ? ' ' : '\n'}` : '';
  let seen = look(text, at, size, before);
  const isEnd = () => seen.isAll || seen.blocks.length > 1;
  if (part.kind === 'items' && !isEnd() && seen.items.length === 0) seen = look(text, at, most);
  const own = (seen.blocks[0] ?? '').slice(before.length);
  if (!goesOn[part.kind].test(seen.type) || own.trim() === '') return { blocks: [], next: null };
  const block = { text: own, part };
  if (isEnd()) return { blocks: [block], next: null };
  if (part.kind !== 'items') return { blocks: [block], next: /\n[ \t]*\r?\n$/.test(own) ? null : part };
  const end = seen.items.at(-1);
  if (end === undefined) return cutPlain(text, at, size);
  const next: BlockPart = { kind: 'items', start: numberAfter(part.start, seen.items.length) };
  return { blocks: [{ text: own.slice(0, end), part }], next };
}

/** The types with which a block of each kind begins when it is read from its middle. */
const goesOn = { rows: /^table/, words: /^(?:paragraph|heading)/, items: /list/, lines: /^(?:blockquote|code_block)/ };

function isEndOf(fence: string, line: string): boolean {
  const words = line.replace(/^ {0,3}/, '').trimEnd();
  return words.startsWith(fence) && words === fence.charAt(0).repeat(words.length);
}

function cutCode(text: string, at: number, part: Extract<BlockPart, { kind: 'code' }>, size: number): Cut {
  const end = windowEnd(text, at, size);
  const lines = linesOf(text.slice(at, end));
  const isWhole = (i: number) =>
    (i > 0 || text.charAt(at - 1) === '\n') && (i < lines.length - 1 || end === text.length || text[end - 1] === '\n');
  const last = lines.findIndex((line, i) => isWhole(i) && isEndOf(part.fence, line));
  const open = { ...part, closed: false };
  if (last < 0) return { blocks: [{ text: lines.join(''), part: open }], next: open };
  return { blocks: [{ text: lines.slice(0, last + 1).join(''), part: { ...part, closed: true } }], next: null };
}

/** Plain text ends at a line at the edge behind an empty one. */
function cutPlain(text: string, at: number, size: number): Cut {
  const lines = linesOf(text.slice(at, windowEnd(text, at, size)));
  const above = text.slice(text.lastIndexOf('\n', at - 2) + 1, at);
  const before = (i: number) => (i === 0 ? above : (lines[i - 1] ?? ''));
  const end = lines.findIndex((line, i) => /^[^\s>]/.test(line) && /^\s*\n$/.test(before(i)));
  const part: BlockPart = { kind: 'plain' };
  const own = lines.slice(0, end < 0 ? undefined : end).join('');
  return { blocks: own === '' ? [] : [{ text: own, part }], next: end < 0 ? part : null };
}
