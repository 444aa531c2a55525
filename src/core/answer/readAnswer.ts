// The one reader of the code blocks of answers, whose thoughts stand apart. The view draws by it, Edit and Apply change files by it.

import { type CodePlace, endingOf, fencePlace, placeAbove, placeAlone, placeInLine } from './fileNames.ts';

export interface AnswerBlock extends CodePlace {
  /** Lines of the answer, from 0: the opening fence, and behind the closing one. */
  readonly from: number;
  readonly to: number;
  /** The text before the opening fence. */
  readonly before: string;
  /** Each line ends with a line feed; a line that only names the file is left out. */
  readonly code: string;
  /** Whole: its own fence ends it. */
  readonly closed: boolean;
}

/** `earlier` is the last line with words in front of the text. */
export function blocksIn(text: string, earlier = ''): readonly AnswerBlock[] {
  const lines = text.split(/\r?\n/);
  const fences = fencesIn(lines);
  return fences.map((fence, i) => {
    const start = fences[i - 1]?.to ?? 0;
    const above = lines
      .slice(start, fence.from)
      .map((line) => line.replace(/<\/?[\w-]+>/g, ''))
      .findLast((line) => /[^\s>]/.test(line));
    return blockOf(fence, above ?? (i === 0 ? earlier : ''));
  });
}

function blockOf({ from, to, before, info, lines, closed }: Fence, above: string): AnswerBlock {
  const { language, path } = fencePlace(info);
  const isMarkdown = /^(?:markdown|md|mdx)$/i.test(language);
  const first = lines.findIndex((line) => line.trim() !== '');
  const head = headIn(lines[first] ?? '', path, isMarkdown);
  const named = path ?? head ?? placeInLine(above.replace(/^[ \t>]+/, ''));
  const code = head === null ? lines : lines.slice(first + 1);
  return {
    from,
    to,
    before,
    language: language === '' && named !== null ? endingOf(named) : language,
    path: named,
    code: code.map((line) => `${line}\n`).join(''),
    closed,
  };
}

/** The path that the first line of a block only names. A list of names, as of files to ignore, begins with one that has no stem. */
function headIn(line: string, path: string | null, isMarkdown: boolean): string | null {
  if (/^\s*\./.test(line)) return null;
  const named = isMarkdown ? placeAlone(line, true) : (placeAbove(line) ?? placeAlone(line));
  return path === null || named === path ? named : null;
}

// Fenced code in an answer, as models write it: in lists and quotes, with fences within, or never closed. CommonMark ends a block at the
// first bare fence, which cuts a README that shows commands; here a block ends at its own mate.

interface Fence {
  /** Lines from 0: the opening fence, and behind the closing one. */
  readonly from: number;
  readonly to: number;
  readonly info: string;
  /** Without the indentation and the quote marks of the fence. */
  readonly lines: readonly string[];
  /** The text before the opening fence: blanks, a list marker, quote marks. */
  readonly before: string;
  /** True when the fence has a closing mate that cannot belong to another block. */
  readonly closed: boolean;
}

interface Mark {
  readonly at: number;
  readonly before: string;
  readonly run: string;
  readonly info: string;
}

const opening = /^((?:[ \t]*(?:>[ \t]?|(?:[-*+]|\d{1,9}[.)])[ \t]+))*[ \t]*)(`{3,}|~{3,})([^`]*|.*)$/;

/** In their order; none overlaps another. */
function fencesIn(lines: readonly string[]): readonly Fence[] {
  const found: Fence[] = [];
  // Read once: an answer may have thousands of fences.
  const marks = lines.flatMap((_, at) => markAt(lines, at) ?? []);
  for (let at = 0, i = 0; at < lines.length; at++) {
    while ((marks[i]?.at ?? at) < at) i += 1;
    const mark = marks[i]?.at === at ? (marks[i] ?? null) : null;
    const marked = mark === null ? searchReplaceEnd(lines, at) : null;
    if (marked !== null) {
      found.push({ from: at, to: marked, info: '', lines: lines.slice(at, marked), before: '', closed: true });
      at = marked - 1;
    }
    if (mark === null) continue;
    const end = mateOf(lines, mark, marks, i);
    const to = end.at === null ? lines.length : end.at + 1;
    // A text that ends its last line has no further one.
    const last = end.at ?? lines.length - (lines.at(-1) === '' ? 1 : 0);
    const inner = lines.slice(at + 1, last).map((line) => without(line, mark.before));
    found.push({
      from: at,
      to,
      info: mark.info,
      lines: inner,
      before: mark.before,
      closed: end.at !== null && end.sure,
    });
    at = to - 1;
  }
  return found;
}

function markAt(lines: readonly string[], at: number): Mark | null {
  const [, before = '', run = '', info = ''] = opening.exec(lines[at] ?? '') ?? [];
  if (run === '' || (run.startsWith('`') && info.includes('`'))) return null;
  return { at, before, run, info: info.trim() };
}

/** Behind the last of the SEARCH/REPLACE blocks that begin here outside of a fence; null where none does. */
function searchReplaceEnd(lines: readonly string[], from: number): number | null {
  if (!/^(?:<{5,9}|-{5,9}) SEARCH\s*$/.test(lines[from] ?? '')) return null;
  const stop = lines.findIndex((line, at) => at > from && /^\s*(?:`{3,}|~{3,}|<\/\w+>)/.test(line));
  const last = lines
    .slice(from, stop < 0 ? undefined : stop)
    .findLastIndex((line) => /^(?:>{5,9}|\+{5,9}) REPLACE\s*$/.test(line));
  return last < 0 ? null : from + last + 1;
}

/** `sure`: no other reading of the fences behind it is as good. */
interface Mate {
  readonly at: number | null;
  readonly sure: boolean;
}

function mateOf(lines: readonly string[], open: Mark, marks: readonly Mark[], opens: number): Mate {
  const nests = /^(?:markdown|md|mdx|qmd|rmd)\b|\.(?:md|mdx|markdown|qmd)\b/i.test(open.info) || open.info === '';
  let inner = 0;
  const replaced = /^\s*<{5,9} \S/.test(lines[open.at + 1] ?? '')
    ? behindReplacements(lines, behind(marks, opens, open))
    : null;
  if (replaced !== null) return { at: replaced, sure: true };
  for (const [i, { at, info, before }] of behind(marks, opens, open)) {
    if (info !== '') inner += 1;
    else if (inner > 0) inner -= 1;
    else if (isFurtherIn(before, open.before)) continue;
    else if (!nests || !isText(lines[at + 1])) return { at, sure: true };
    else {
      const read = (isOpening: boolean) => reading(lines, behind(marks, i, open), at, isOpening);
      const [inside, outside] = [read(true), read(false)];
      if (inside > outside) return { at, sure: true };
      if (inside === outside) return { at, sure: false };
      inner += 1;
    }
  }
  return { at: null, sure: false };
}

/** The first fence that follows the end of a replacement: the others belong to the texts that are replaced, and need not balance. */
function behindReplacements(lines: readonly string[], marks: Iterable<readonly [number, Mark]>): number | null {
  for (const [, { at, info }] of marks) {
    let before = at - 1;
    while (lines[before]?.trim() === '') before -= 1;
    if (info === '' && /^\s*(?:>{5,9}|\+{5,9}) \S/.test(lines[before] ?? '')) return at;
  }
  return null;
}

/** Fences behind that one, of the same kind, that are long enough to count, each with its place among the marks. */
function* behind(marks: readonly Mark[], from: number, { run }: Mark): Generator<readonly [number, Mark]> {
  for (let i = from + 1; i < marks.length; i++) {
    const mark = marks[i];
    if (mark?.run.startsWith(run) === true) yield [i, mark];
  }
}

/**
 * How odd the fences from this one on are, where it opens a block within the outer one, or closes the outer one. Infinite where they do not
 * balance; else each block that begins with a blank line counts, and each end that text follows at once.
 */
function reading(lines: readonly string[], marks: Iterable<readonly [number, Mark]>, from: number, opens: boolean) {
  const follows = (at: number) => isText(lines[at + 1]);
  let [outer, inner] = [opens, opens ? 1 : 0];
  let odd = !opens && follows(from) ? 1 : 0;
  for (const [, { at, info }] of marks) {
    if (info !== '') inner += 1;
    else if (inner > 0) {
      inner -= 1;
      if (follows(at)) odd += 1;
    } else if (outer && !follows(at)) outer = false;
    else {
      inner += 1;
      if (!follows(at)) odd += 1;
    }
  }
  return outer || inner > 0 ? Number.POSITIVE_INFINITY : odd;
}

const isText = (line: string | undefined) =>
  line !== undefined && line.trim() !== '' && !/^\s*(?:`{3,}|~{3,})/.test(line);

/** Deeper than a closing fence may stand. */
function isFurtherIn(before: string, outer: string): boolean {
  const width = (text: string) => text.replace(/\t/g, '    ').length;
  return width(before) > width(outer) + 3;
}

/** A line without what stands in front of the fence, as far as it has it. */
function without(line: string, before: string): string {
  const quotes = before.match(/>/g)?.length ?? 0;
  let rest = line;
  for (let i = 0; i < quotes; i++) rest = rest.replace(/^[ \t]*>[ \t]?/, '');
  const own = quotes > 0 ? before.slice(before.lastIndexOf('>') + 1).replace(/^[ \t]/, '') : before;
  if (/^[ \t]+$/.test(own) && rest.startsWith(own)) return rest.slice(own.length);
  let width = own.replace(/\t/g, '    ').length;
  let at = 0;
  while (width > 0 && at < rest.length && /[ \t]/.test(rest.charAt(at))) {
    width -= rest.charAt(at) === '\t' ? 4 : 1;
    at += 1;
  }
  return rest.slice(at);
}
