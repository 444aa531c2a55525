// A block that shows a few lines of a file, some of them changed, new or gone: it goes where those lines stand. The place is the alignment of
// the block to a window of the file at the least cost (Sellers, 1980; gaps as Gotoh, 1982), and counts only where no other is nearly as good.
import { isNotebook } from '../../tools/files/notebook.ts';
import { indentOf, reindent } from '../ladder/indent.ts';
import { allDeclarations, columnOf, declarations, isMarkdown } from './declarations.ts';
import { gapLine } from './gaps.ts';
import { type Change, linesChange, plainLines } from './placeChange.ts';

export interface Fragment {
  readonly change: Change;
  /** Lines of the file between those of the block that go. */
  readonly left: readonly string[];
  /** The block is a beginning of the file: its rest stays, and may be meant to go. */
  readonly stops: boolean;
}

/** Cells of the table at most: it grows with both lengths. */
const most = 400_000;
/**
 * A line that the file lacks; lines of the file between two of the block, the first of them and each further one; a line further in or out; a
 * line that stands in the file taken for another one.
 */
const costs = { add: 1, gap: 0.3, taken: 0.02, moved: 0.02, other: 2, perhaps: 0.9, swap: 1.1 } as const;
/** How much more another place has to cost. */
const margin = 0.2;
/** So much of what two lines say is the same, at least, where one is a version of the other; more where they begin otherwise. */
const alike = 0.5;
const alikeOtherwise = 0.75;
/** From here on a line may be another one's version, and nobody can tell. */
const alikePerhaps = 0.24;
/** How alike two lines are that give a value to the one thing of that name, whatever else they say. */
const sameHead = 0.7;
/** So many lines of a block of code stand in the file as they are: a part of other code may have a line of it, too. */
const leastSame = 0.5;
/** So much of a file’s first lines, and of the block, is in both where the block is a beginning of the file. */
const mostly = 0.7;

/** Returns null where no line of the block stands in the file, where another place is nearly as good, or where lines would be lost that the block does not show. */
export function fragmentPart(base: string, code: string, path: string): Fragment | null {
  const [file, block] = [plainLines(base), plainLines(code.trimEnd())];
  const [rows, own] = [saying(file), saying(block)];
  const [olds, news] = [rows.map((row) => file[row] ?? ''), own.map((at) => block[at] ?? '')];
  if (news.length === 0 || (olds.length + 1) * (news.length + 1) > most) return null;
  const price = remembered(pricing(olds, news, path), olds.length, news.length);
  const best = placed(olds, news, price);
  if (best === null) return null;
  const taken = new Set(best.of.map((i, j) => `${i} ${j}`));
  const other = placed(olds, news, (i, j) => (taken.has(`${i} ${j}`) ? Infinity : price(i, j)));
  if (other !== null && other.cost < best.cost + margin) return null;
  const of = versions(olds, news, best.of, path);
  const isBetween = (j: number) => of[j - 1] === (of[j] ?? 0) - 1 && of[j + 1] === (of[j] ?? 0) + 1;
  const isUnsure = (cost: number) => cost === costs.perhaps || cost === costs.swap;
  if (best.of.some((i, j) => i >= 0 && isUnsure(price(i, j)) && !isBetween(j))) return null;
  if (!isPart(olds, news, of, path)) return null;
  const found = built(base, path, file, block, new Map(own.map((at, j) => [at, rows[of[j] ?? -1] ?? -1])));
  const isUnchanged = of.every((i, j) => olds[i]?.trim() === news[j]?.trim());
  if (found === null || (found.left.length > 0 && !isUnchanged)) return null;
  const last = of.findLast((i) => i >= 0) ?? -1;
  const kept = of.filter((i) => i >= 0).length;
  const stops = of[0] === 0 && olds.length - 1 - last >= 2 && kept >= mostly * Math.max(last + 1, of.length);
  return { ...found, stops };
}

/** The change where nothing is in doubt. */
export function sureFragment(base: string, code: string, path: string): Change | null {
  const found = fragmentPart(base, code, path);
  return found === null || found.left.length > 0 || found.stops ? null : found.change;
}

/** Pairs new lines with those of the file whose place they have. */
function versions(
  olds: readonly string[],
  news: readonly string[],
  best: readonly number[],
  path: string,
): readonly number[] {
  const of = [...best];
  const [first = -1, second = -1] = of;
  // A new line that opens what the file opens there is another version of that opener.
  if (
    first < 0 &&
    second > 0 &&
    isLoose(olds, path) &&
    holds(news, 0, 1, path) &&
    holds(olds, second - 1, second, path)
  )
    of[0] = second - 1;
  return of;
}

/** Whether lines stand for themselves, and are no parts of what a file declares. */
function isLoose(lines: readonly string[], path: string): boolean {
  return isMarkdown(path) || isNotebook(path) || allDeclarations(lines, path).length === 0;
}

/** Whether a block can be a part of the file by the lines at its ends, and by how many of its lines stand there. */
function isPart(olds: readonly string[], news: readonly string[], of: readonly number[], path: string): boolean {
  const [front, back] = [of.findIndex((i) => i >= 0), of.findLastIndex((i) => i >= 0)];
  const isRemark = (line: string) => gapLine(line, path) !== null;
  // A remark that takes the place of code stands at an end of what is left.
  if (news.slice(0, front).some(isRemark) || news.slice(back + 1).some(isRemark)) return false;
  if (isLoose(olds, path)) return true;
  const names = allDeclarations(olds, path).map(({ name }) => name);
  const isSeveral = ({ name }: { readonly name: string }) => names.indexOf(name) !== names.lastIndexOf(name);
  if (declarations(news, path).some(isSeveral)) return false;
  const same = of.filter((i, j) => olds[i]?.trim() === news[j]?.trim());
  return front === 0 && back === of.length - 1 && same.length >= leastSame * of.length;
}

const saying = (lines: readonly string[]) => lines.flatMap((line, at) => (line.trim() === '' ? [] : [at]));

/** The cost of taking a line of the file for a line of the block: 0 for the same one, infinite where it is none of its versions. */
type Price = (i: number, j: number) => number;

function remembered(price: Price, n: number, m: number): Price {
  const known = new Float64Array(n * m).fill(Number.NaN);
  return (i, j) => {
    const at = i * m + j;
    if (Number.isNaN(known[at])) known[at] = price(i, j);
    return known[at] ?? Infinity;
  };
}

/** A word counts the less, the more lines of the file have it: what stands in each row of a table tells none of them. */
function pricing(lines: readonly string[], others: readonly string[], path: string): Price {
  const times = new Map<string, number>();
  const heads = new Map<string, number>();
  const count = (all: Map<string, number>, one: string) => all.set(one, (all.get(one) ?? 0) + 1);
  for (const line of lines) {
    for (const word of new Set(wordsIn(line))) count(times, word);
    count(heads, headOf(line));
  }
  const read = (line: string) => ({
    line: line.trimEnd(),
    bare: line.trim(),
    words: wordsIn(line),
    head: headOf(line),
    declares: allDeclarations([line], path)[0]?.name,
  });
  const [file, block] = [lines.map(read), others.map(read)];
  const known = new Map<string, number>();
  for (const { line } of file) count(known, line);
  const sum = (words: readonly string[]) => words.reduce((all, word) => all + 1 / (times.get(word) ?? 1), 0);
  const shared = (words: readonly string[], among: readonly string[]) => {
    const left = [...among];
    return words.filter((word) => left.includes(word) && left.splice(left.indexOf(word), 1).length > 0);
  };
  return (i, j) => {
    const [old, now] = [file[i], block[j]];
    if (old === undefined || now === undefined) return Infinity;
    if (old.line === now.line) return 0;
    if (old.bare === now.bare) return costs.moved;
    if (old.declares !== now.declares) return costs.swap;
    const total = sum(old.words) + sum(now.words);
    const likeness = total === 0 ? 0 : (2 * sum(shared(now.words, old.words))) / total;
    const isSame = old.head !== '' && old.head === now.head && (isEntry.test(now.line) || heads.get(old.head) === 1);
    const least = old.head === now.head || old.head === '' || now.head === '' ? alike : alikeOtherwise;
    if (likeness < least && !isSame) return likeness >= alikePerhaps && least === alike ? costs.perhaps : costs.swap;
    return 1 - Math.max(likeness, isSame ? sameHead : 0) + (known.get(now.line) === 1 ? costs.other : costs.moved);
  };
}

const wordsIn = (line: string): readonly string[] => line.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];

/** Returns the name in front of a colon or an equals sign, the first cell of a row, or the first value of an object; '' for other lines. */
function headOf(line: string): string {
  const bare = line.trim().replace(/^(?:(?:[-*+]|\d+[.)])\s+|\|\s*)?(?:\{\s*"?[\w-]+"?\s*:\s*)?/, '');
  return /^("[^"]+"|'[^']+'|[^"',;|\t=:{}()[\]]+)\s*(?:[,;|\t=]|:(?=\s|$)|(?<=["']\s*):)/.exec(bare)?.[1]?.trim() ?? '';
}

/** An entry of a map, which has each name once: of a list, or of a row, others may begin alike. */
const isEntry = /^\s*(?:(?:"[^"]+"|'[^']+')\s*[:=]|[\p{L}\p{M}\p{N}_$][^"',;|\t=:{}()[\]]*(?::(?=\s|$)|=(?!=)))/u;

interface Placing {
  readonly cost: number;
  /** For each line of the block the line of the file that it is; -1 for a new one. */
  readonly of: readonly number[];
}

/** The last step to a cell: a pair as the first one, behind a pair or a new line, or behind a gap; a new line; a gap that opens, or goes on. */
const step = { first: 1, pair: 2, behindGap: 3, add: 4, opens: 1, goesOn: 2 } as const;

/** Returns the placing of least cost; null where no line of the block is one of the file. */
function placed(lines: readonly string[], block: readonly string[], price: Price): Placing | null {
  const [n, m] = [lines.length, block.length];
  const times = new Map<string, number>();
  for (const line of lines) times.set(line.trim(), (times.get(line.trim()) ?? 0) + 1);
  // A line that stands in many places tells of none of them.
  const add = block.map((line) => costs.add / (times.get(line.trim()) ?? 1));
  const before = add.map((_, j) => add.slice(0, j).reduce((sum, one) => sum + one, 0));
  const width = m + 1;
  const table = () => new Float64Array((n + 1) * width).fill(Infinity);
  const [main, gap] = [table(), table()];
  const [mainBy, gapBy] = [new Uint8Array((n + 1) * width), new Uint8Array((n + 1) * width)];
  const at = (of: Float64Array, cell: number) => of[cell] ?? Infinity;
  for (let i = 1; i <= n; i++) {
    for (let j = 0; j <= m; j++) {
      const here = i * width + j;
      const corner = here - width - 1;
      const pair = j === 0 ? Infinity : price(i - 1, j - 1);
      const ways = [
        [(before[j - 1] ?? 0) + pair, step.first],
        [j === 0 ? Infinity : at(main, corner) + pair, step.pair],
        [j === 0 ? Infinity : at(gap, corner) + pair, step.behindGap],
        [j === 0 ? Infinity : at(main, here - 1) + (add[j - 1] ?? costs.add), step.add],
      ] as const;
      const [least, by] = ways.reduce((a, b) => (b[0] < a[0] ? b : a));
      [main[here], mainBy[here]] = [least, by];
      const [opens, goesOn] = [at(main, here - width) + costs.gap, at(gap, here - width) + costs.taken];
      [gap[here], gapBy[here]] = opens <= goesOn ? [opens, step.opens] : [goesOn, step.goesOn];
    }
  }
  let end = 0;
  for (let i = 1; i <= n; i++) if (at(main, i * width + m) < at(main, end * width + m)) end = i;
  if (end === 0) return null;
  const of = new Array<number>(m).fill(-1);
  let [i, j, inGap] = [end, m, false];
  for (;;) {
    const here = i * width + j;
    if (inGap) {
      inGap = gapBy[here] === step.goesOn;
      i -= 1;
      continue;
    }
    const by = mainBy[here];
    if (by !== step.add) of[j - 1] = i - 1;
    if (by === step.first) return { cost: at(main, end * width + m), of };
    j -= 1;
    if (by !== step.add) i -= 1;
    inGap = by === step.behindGap;
  }
}

/** `of`: the line of the file for each line of the block that says something; -1 for a new one. */
function built(
  base: string,
  path: string,
  file: readonly string[],
  block: readonly string[],
  of: ReadonlyMap<number, number>,
): Omit<Fragment, 'stops'> | null {
  const paired = [...of].filter(([, row]) => row >= 0);
  const isSame = ([at, row]: readonly [number, number]) => file[row]?.trim() === block[at]?.trim();
  const same = paired.filter(isSame);
  const [[, from] = [0, 0], [, to] = [0, 0]] = [paired[0], paired.at(-1)];
  const isUnchanged = same.length === of.size;
  // Nothing but changed lines tells no place for new ones.
  if (same.length === 0 && paired.length < of.size) return null;
  const telling = same.length > 0 ? same : paired;
  const move = reindent(
    telling.map(([at, row]) => ({ asked: indentOf(block[at] ?? ''), there: indentOf(file[row] ?? '') })),
  );
  const news = [...of].filter(([, row]) => row < 0).map(([at]) => block[at]?.trim() ?? '');
  const outside = new Set([...file.slice(0, from), ...file.slice(to + 1)].map((line) => line.trim()));
  // Lines that moved would stand there twice.
  if (news.length > 0 && news.every((line) => outside.has(line))) return null;
  const lines: string[] = [];
  const left: string[] = [];
  let before = -1;
  let areOpeners = true;
  for (const [at, line] of block.entries()) {
    const row = of.get(at);
    if (row === undefined) {
      lines.push(line);
      continue;
    }
    if (row >= 0 && before >= 0) {
      const between = file.slice(before + 1, row);
      const says = between.filter((one) => one.trim() !== '');
      if (says.length > 0 && areOpeners && !isUnchanged && holds(file, before, row, path)) lines.push(...between);
      else left.push(...says);
    }
    areOpeners &&= row >= 0 && (before < 0 || holds(file, before, row, path));
    if (row >= 0) before = row;
    const indent = indentOf(line);
    // The last line of a block has no comma where its entry is the last one of the block, whatever it is of the file.
    const comma = at === block.length - 1 && isList.test(path) && lacksComma(file[row], line) ? ',' : '';
    lines.push((move?.(indent) ?? indent) + line.slice(indent.length) + comma);
  }
  const last = block.findLastIndex((_, at) => (of.get(at) ?? -1) >= 0);
  const behind = block.length - 1 - last;
  const end = behind > 0 ? endOfHeld(file, to, path) : to;
  const [own, added] = [lines.slice(0, lines.length - behind), lines.slice(lines.length - behind)];
  const text = [...own, ...file.slice(to + 1, end + 1), ...added].join('\n');
  return { change: linesChange(base, from, end, `${text}\n`), left };
}

const isList = /\.json[c5]?$/i;

function lacksComma(old = '', now: string): boolean {
  return /,\s*$/.test(old) && /["'\w\]}]$/.test(now);
}

/** The last line of what a line opens; that line itself where brackets are around it: entries within them are parted by commas. */
function endOfHeld(file: readonly string[], opener: number, path: string): number {
  if (/[{[(]$/.test(file[opener]?.trim() ?? '')) return opener;
  let end = opener;
  for (let at = opener + 1; at < file.length && (file[at]?.trim() === '' || holds(file, opener, at, path)); at++)
    if (file[at]?.trim() !== '') end = at;
  return end;
}

/** Whether a line is the head of a section, as in TOML and INI, or a heading. */
function isSection(line = '', path: string): boolean {
  return isMarkdown(path) ? /^#{1,6}\s/.test(line) : /^\[[^()]*\]$/.test(line.trim());
}

/** Whether a line opens what another one stands in: what lies between is not shown, and stays. */
function holds(file: readonly string[], opener: number, line: number, path: string): boolean {
  const [outer, inner] = [columnOf(file[opener]), columnOf(file[line])];
  const between = file.slice(opener + 1, line).filter((one) => one.trim() !== '');
  const isHead = (one: string | undefined) => isSection(one, path);
  if (isHead(file[opener])) return ![...between, file[line]].some(isHead);
  return inner > outer && between.every((one) => columnOf(one) > outer);
}
