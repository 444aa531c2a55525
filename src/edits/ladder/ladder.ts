// Finds where the text that a model wants replaced stands in a file: word for word, or else with other blanks at line ends, another indentation,
// other quotes and dashes, other blank lines in between, or escaped once too often. Each rung must fit in exactly one place and changes only the lines it fits. Nothing is found
// by likeness: where no rung fits, the model is told what is there.

import { diffArrays } from 'diff';
import { bracketsIn } from './brackets.ts';
import { indentOf, type Reindent, reindent } from './indent.ts';
import {
  endBeside,
  fileLines,
  flatOf,
  inFormOf,
  type Line,
  type LineRun,
  linesAfter,
  type Span,
  withPlainEnds,
  withSpans,
} from './lines.ts';
import { carried, inPlainSigns, plainer } from './punctuation.ts';

export type Rung = 'exact' | 'trailing-blanks' | 'indentation' | 'punctuation' | 'blank-lines' | 'escapes';

export interface Replacement {
  readonly old: string;
  readonly new: string;
  /** Every place, instead of the only one. */
  readonly all?: boolean;
}

export type Placed =
  | { readonly ok: true; readonly rung: Rung; readonly text: string; readonly lines: readonly LineRun[] }
  | {
      readonly ok: false;
      /** `same`: nothing would change; `several`: each place is in `places`. */
      readonly reason: 'empty' | 'same' | 'missing' | 'several';
      readonly places: readonly LineRun[];
      readonly nearest: Nearest | null;
    };

/** Pure. `text`: the file's, without a byte order mark. */
export function placeEdit(text: string, replacement: Replacement): Placed {
  const asked = {
    old: inFormOf(text, withPlainEnds(replacement.old)),
    new: inFormOf(text, withPlainEnds(replacement.new)),
    all: replacement.all === true,
  };
  if (asked.old.trim() === '') return refused(asked.old === '' ? 'empty' : 'missing');
  if (asked.old === asked.new) return refused('same');
  const lines = fileLines(text);
  const placed = onRungs(text, lines, asked);
  if (placed !== null) return placed;
  const again = { ...asked, old: unescaped(asked.old), new: isEscaped(asked) ? unescaped(asked.new) : asked.new };
  const meant = again.old === asked.old ? null : onRungs(text, lines, again);
  if (meant?.ok === true) return { ...meant, rung: 'escapes' };
  return { ...refused('missing'), nearest: nearestLines(lines, asked.old) };
}

/** Returns null where the text stands nowhere. */
function onRungs(text: string, lines: readonly Line[], asked: Asked & { readonly all: boolean }): Placed | null {
  const rungs: readonly (readonly [Rung, () => readonly Span[]])[] = [
    ['exact', () => exactSpans(lines, asked)],
    ['trailing-blanks', () => lineMatches(lines, asked, 'trailing-blanks')],
    ['indentation', () => lineMatches(lines, asked, 'indentation')],
    ['punctuation', () => punctuationSpans(lines, asked)],
    ['blank-lines', () => lineMatches(lines, asked, 'blank-lines')],
  ];
  for (const [rung, find] of rungs) {
    const spans = find();
    if (spans.length === 0) continue;
    if (spans.length > 1 && !asked.all) return { ...refused('several'), places: spans.map((one) => runOf(lines, one)) };
    const changed = withSpans(text, spans);
    if (changed === text) return refused('same');
    const climbed = rung === 'exact' && spans.some(({ moved }) => moved) ? 'indentation' : rung;
    return { ok: true, rung: climbed, text: changed, lines: linesAfter(changed, spans) };
  }
  return null;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '' };

/** Read as JSON once more: models escape text that is escaped by the form of the call already. */
function unescaped(text: string): string {
  return text.replace(/\\([ntr"'`\\/])/g, (_, sign: string) => escapes[sign] ?? sign);
}

/** Whether the new text is escaped as the old one is: it has none of the signs plain that the old one has escaped. */
function isEscaped({ old, new: wanted }: Asked): boolean {
  const signs = [...new Set([...old.matchAll(/\\([nt"'`])/g)].map(([, sign = '']) => sign))];
  const plain = (sign: string) =>
    wanted
      .trimEnd()
      .replace(/\\./g, '')
      .includes(escapes[sign] ?? sign);
  return !signs.some(plain) && signs.some((sign) => wanted.includes(`\\${sign}`));
}

function refused(reason: Extract<Placed, { ok: false }>['reason']): Extract<Placed, { ok: false }> {
  return { ok: false, reason, places: [], nearest: null };
}

interface Asked {
  readonly old: string;
  readonly new: string;
}

function exactSpans(lines: readonly Line[], { old, new: wanted }: Asked): readonly Span[] {
  const flat = flatOf(lines);
  const found = placesOf(flat.text, old);
  if (found.length > 0)
    return found.map((at) => spanAt(lines, flat, wholeLine(flat.text, at, old.length, wanted), wanted));
  // The last line of a file may have no end.
  const last = old.endsWith('\n') && flat.text.endsWith(old.slice(0, -1)) ? flat.text.length - old.length + 1 : -1;
  if (last < 0 || !isWhole(flat.text, last, old.length - 1)) return [];
  return [spanAt(lines, flat, { at: last, length: old.length - 1 }, wanted.replace(/\n$/, ''))];
}

function punctuationSpans(lines: readonly Line[], { old, new: wanted }: Asked): readonly Span[] {
  const flat = flatOf(lines);
  const found = placesOf(inPlainSigns(flat.text), inPlainSigns(old));
  if (found.length === 0) return lineMatches(lines, { old, new: wanted }, 'punctuation');
  return found.map((at) => {
    const put = carried(old, wanted, flat.text.slice(at, at + old.length));
    return spanAt(lines, flat, wholeLine(flat.text, at, old.length, put), put);
  });
}

/** Returns where a text stands whole, not as a part of longer words. */
function placesOf(text: string, wanted: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const overlaps = places.length > 0 && at < (places.at(-1) ?? 0) + wanted.length;
    if (!overlaps && isWhole(text, at, wanted.length)) places.push(at);
  }
  return places;
}

interface Place {
  readonly at: number;
  readonly length: number;
}

/**
 * A part of a line whose replacement has the rest of that line as well: that would stand twice, so it goes with the part. What stands behind is
 * only taken along with what stands in front, and only where the brackets of the replacement close as those of the line. Where nothing stands
 * in front, a short word behind may well be meant twice.
 */
function wholeLine(text: string, at: number, length: number, wanted: string): Place {
  const end = at + length;
  const [start, stop] = [text.lastIndexOf('\n', at - 1) + 1, `${text}\n`.indexOf('\n', end)];
  const [before, behind] = [text.slice(start, at).trimStart(), text.slice(end, stop).trimEnd()];
  const begins = wanted.trimStart().startsWith(before);
  const isMeant =
    begins && text[end - 1] !== '\n' && (before !== '' || isTelling(behind) || !/[\p{L}\p{N}]/u.test(behind));
  const rest = isMeant ? restOf(behind, wanted.trimEnd(), before + text.slice(at, end)) : '';
  const isFront = rest !== '' || isTelling(before) || isOpening(before);
  const front = begins && isFront ? before : '';
  return { at: at - front.length, length: front.length + length + rest.length };
}

/** Returns what a replacement repeats of the text behind its place: all of it, or the closing brackets that it needs; '' for nothing. */
function restOf(behind: string, wanted: string, upTo: string): string {
  const closers = /^[)\]}]+/.exec(behind)?.[0] ?? '';
  const closes = (rest: string) =>
    rest !== '' && wanted.endsWith(rest) && bracketsIn(wanted) === bracketsIn(upTo + rest);
  if (closes(behind)) return behind;
  return bracketsIn(wanted) !== bracketsIn(upTo) && closes(closers) ? closers : '';
}

/** A name with what gives it a value, a keyword, or the mark of a list or a heading: it opens a line, and does so once. */
function isOpening(before: string): boolean {
  return /\s$|[\p{L}\p{N}_"'][=:]$/u.test(before);
}

/** Closing signs and short words may well be meant twice. */
function isTelling(text: string): boolean {
  return text.trim().length >= 8 && /\p{L}{3}/u.test(text);
}

const word = /[\p{L}\p{N}_$]/u;

function isWhole(text: string, at: number, length: number): boolean {
  const joined = (left: number) => word.test(text[left] ?? '') && word.test(text[left + 1] ?? '');
  return !(at > 0 && joined(at - 1)) && !joined(at + length - 1);
}

function spanAt(lines: readonly Line[], flat: ReturnType<typeof flatOf>, { at, length }: Place, wanted: string): Span {
  const line = flat.lineAt(at);
  const [from, to] = [flat.inFile(at), flat.inFile(at + length)];
  const before = (lines[line]?.text ?? '').slice(0, from - (lines[line]?.start ?? 0));
  const asked = flat.text.slice(at, at + length);
  const further = asked.split('\n').slice(1);
  // Models trim the first line of a region and leave the others as they are.
  const isIn = further.every((one) => one.trim() === '' || (one.startsWith(before) && indentOf(wanted) === ''));
  const isMoved = before !== '' && before.trim() === '' && isIn;
  const put = isMoved ? furtherIn(asIndented(wanted, asked), before, indentOf(asked)) : wanted;
  const text = put.replaceAll('\n', endBeside(lines, line));
  return put === wanted ? { from, to, text } : { from, to, text, moved: true };
}

/** A replacement that is further in than the text that was asked for stands where that stood: its lines are as far in as each other. */
function asIndented(wanted: string, asked: string): string {
  const more = indentOf(wanted).slice(indentOf(asked).length);
  const isMore = indentOf(asked) === '' && more !== '';
  return isMore ? wanted.replaceAll(new RegExp(`^${more}`, 'gm'), '') : wanted;
}

/** Moves the further lines as far in as the first, which was named with too little indentation, unless they stand that far in already. */
function furtherIn(wanted: string, more: string, asked: string): string {
  const [first = '', ...rest] = wanted.split('\n');
  const said = rest.filter((line) => line.trim() !== '');
  if (said.every((line) => line.startsWith(more + asked))) return wanted;
  return [first, ...rest.map((line) => (line.trim() === '' ? line : more + line))].join('\n');
}

function runOf(lines: readonly Line[], { from, to }: Span): LineRun {
  const at = (place: number) => lines.findLastIndex(({ start }) => start <= place) + 1;
  return { first: Math.max(1, at(from)), last: Math.max(1, at(Math.max(from, to - 1))) };
}

// Finds the lines of a file that are most like those a model asked for, for the model to read. Nothing is ever changed by likeness.

/** Lines of the file, from `first`, counted from 1. */
interface Nearest {
  readonly first: number;
  readonly lines: readonly string[];
}

/** Lines that are compared, and lines that are shown. */
const most = 40;
const shown = 14;
/** The share of the words asked for that must be there. */
const least = 0.3;

/** Returns the lines of the file that share most words with those asked for; null where none is like them. */
function nearestLines(lines: readonly Line[], asked: string): Nearest | null {
  const wanted = asked
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, most)
    .map(wordsOf);
  const all = wanted.reduce((sum, { size }) => sum + size, 0);
  if (all === 0) return null;
  const shared = sharedWords(lines, wanted);
  let best = { at: -1, score: 0 };
  for (let at = 0; at < lines.length; at++) {
    const score = scoreAt(shared, at);
    if (score > best.score) best = { at, score };
  }
  if (best.at < 0 || best.score < least * all) return null;
  const first = Math.max(0, best.at - 1);
  const length = Math.min(shown, wanted.length + 2);
  return { first: first + 1, lines: lines.slice(first, first + length).map(({ text }) => text) };
}

/** How many words each line has of each row that is asked for: a list for each row. */
function sharedWords(lines: readonly Line[], wanted: readonly ReadonlySet<string>[]): readonly Uint16Array[] {
  const shared = wanted.map(() => new Uint16Array(lines.length));
  const rowsWith = new Map<string, Uint16Array[]>();
  for (const [i, row] of shared.entries())
    for (const word of wanted[i] ?? []) rowsWith.set(word, [...(rowsWith.get(word) ?? []), row]);
  for (const [at, { text }] of lines.entries())
    for (const word of wordsOf(text)) for (const row of rowsWith.get(word) ?? []) row[at] = (row[at] ?? 0) + 1;
  return shared;
}

/** Words of each row that stand near the line it would be. */
function scoreAt(shared: readonly Uint16Array[], at: number): number {
  let score = 0;
  for (const [i, row] of shared.entries()) {
    const line = at + i;
    const beside = Math.max(i === 0 ? 0 : (row[line - 1] ?? 0), row[line + 1] ?? 0);
    score += Math.max(row[line] ?? 0, beside * 0.9);
  }
  return score;
}

function wordsOf(line: string): ReadonlySet<string> {
  return new Set(line.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]+/gu) ?? []);
}

// Whole lines that a model wrote almost as they stand: blanks at their ends, their indentation, or their signs differ. Lines that the
// change leaves alone stay as the file has them, to the last blank.

type Looseness = 'trailing-blanks' | 'indentation' | 'punctuation' | 'blank-lines';

interface Block {
  readonly old: readonly string[];
  readonly new: readonly string[];
}

/** Each place where all of the old lines fit, with the lines that come in their place. */
function lineMatches(
  lines: readonly Line[],
  asked: { readonly old: string; readonly new: string },
  looseness: Looseness,
): readonly Span[] {
  const block = blockOf(asked.old, asked.new);
  // A bracket alone, or a blank line, is no place.
  if (!block.old.some((line) => /[\p{L}\p{N}]/u.test(line))) return [];
  const spans: Span[] = [];
  for (let at = 0; at < lines.length; at++) {
    const fit = fitAt(lines, at, block, looseness);
    if (fit === null) continue;
    const { there, indent } = fit;
    spans.push(spanOf(lines, at, there, fit.block, indent));
    at += there.length - 1;
  }
  return spans;
}

interface Fit {
  readonly there: readonly Line[];
  readonly block: Block;
  readonly indent: Reindent;
}

/** Fits the old lines to those from this one on; null where they differ. */
function fitAt(lines: readonly Line[], at: number, block: Block, looseness: Looseness): Fit | null {
  if (looseness === 'blank-lines') return fitAround(lines, at, block);
  const there = lines.slice(at, at + block.old.length);
  const indent = there.length < block.old.length ? null : fits(there, block.old, looseness);
  return indent === null ? null : { there, block, indent };
}

/** Matches the old lines with other blank lines between them than the file has. The file's stand between the new ones as well. */
function fitAround(lines: readonly Line[], at: number, block: Block): Fit | null {
  const said = block.old.filter((line) => !isBlank(line));
  const places: number[] = [];
  for (let line = at; line < lines.length && places.length < said.length; line++) {
    if (isBlank(lines[line]?.text)) continue;
    if (lines[line]?.text.trim() !== said[places.length]?.trim()) return null;
    places.push(line);
  }
  if (places[0] !== at || places.length < said.length) return null;
  const there = lines.slice(at, (places.at(-1) ?? at) + 1);
  const pairs = said.map((line, i) => ({
    asked: indentOf(line),
    there: indentOf(lines[places[i] ?? 0]?.text ?? ''),
  }));
  const indent = reindent(pairs);
  if (indent === null) return null;
  const old = there.map(({ text }, i) => said[places.indexOf(at + i)] ?? text);
  return { there, block: { old, new: withBlanks(block, old) }, indent };
}

/** The new lines, with the blank lines of the file where they stand before old ones that stay or give way to others. */
function withBlanks(block: Block, old: readonly string[]): readonly string[] {
  const result: string[] = [];
  let at = 0;
  for (const { value, added, removed } of diffArrays([...block.old], [...block.new], { comparator: same })) {
    for (const line of value) {
      if (!added && isBlank(line)) continue;
      if (!added) {
        const blanks = old.slice(at).findIndex((one) => !isBlank(one));
        const standing = result.toReversed().findIndex((one) => !isBlank(one));
        result.push(...old.slice(at, at + blanks).slice(Math.max(0, standing)));
        at += blanks + 1;
      }
      if (!removed && !(isBlank(line) && isBlank(result.at(-1)))) result.push(line);
    }
  }
  return result;
}

/** Without the blank lines around what is asked for; what comes in its place loses as many. */
function blockOf(old: string, wanted: string): Block {
  const [asked, put] = [rowsOf(old), rowsOf(wanted)];
  let [front, back] = [0, 0];
  while (isBlank(asked[front]) && front < asked.length - 1) front += 1;
  while (isBlank(asked[asked.length - 1 - back]) && back < asked.length - 1 - front) back += 1;
  const cut = (rows: readonly string[]) => {
    let [from, to] = [0, rows.length];
    while (from < front && isBlank(rows[from])) from += 1;
    while (rows.length - to < back && to > from && isBlank(rows[to - 1])) to -= 1;
    return rows.slice(from, to);
  };
  return { old: cut(asked), new: cut(put) };
}

function isBlank(line: string | undefined): boolean {
  return line?.trim() === '';
}

function same(one: string, other: string): boolean {
  return one.trimEnd() === other.trimEnd();
}

function rowsOf(text: string): readonly string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

/** How the model's indentation becomes the file's; null where the lines do not fit. */
function fits(there: readonly Line[], asked: readonly string[], looseness: Looseness): Reindent | null {
  const pairs = [];
  for (const [i, wanted] of asked.entries()) {
    const own = there[i]?.text ?? '';
    const [left, right] = [signsOf(wanted, looseness).trimEnd(), signsOf(own, looseness).trimEnd()];
    if (looseness === 'trailing-blanks') {
      if (left !== right) return null;
    } else if (left.trimStart() !== right.trimStart()) return null;
    if (left.trim() !== '') pairs.push({ asked: indentOf(left), there: indentOf(right) });
  }
  return reindent(pairs);
}

function signsOf(line: string, looseness: Looseness): string {
  return looseness === 'punctuation' ? inPlainSigns(line) : line;
}

function spanOf(lines: readonly Line[], at: number, there: readonly Line[], block: Block, indent: Reindent): Span {
  const from = there[0]?.start ?? 0;
  const last = there.at(-1);
  const to = (last?.start ?? 0) + (last?.text.length ?? 0) + (last?.end.length ?? 0);
  const end = endBeside(lines, at);
  const put = newLines(there, block, indent);
  const text = put.map((line, i) => line + (i === put.length - 1 ? (last?.end ?? '') : end)).join('');
  return { from, to, text };
}

/** Returns the lines to write: unchanged ones as they are in the file, the others with the file's indentation. */
function newLines(there: readonly Line[], block: Block, indent: Reindent): readonly string[] {
  const result: string[] = [];
  const gone: Before[] = [];
  const plain = plainIn(there, block.old);
  let at = 0;
  for (const { value, added, removed } of diffArrays([...block.old], [...block.new], { comparator: same })) {
    if (!added && !removed) gone.length = 0;
    for (const line of value) {
      const own = there[at]?.text ?? '';
      if (added) result.push(written(line, gone.shift(), indent, plain));
      else {
        if (removed) gone.push({ asked: line, there: own, isEven: isEven(there, at) });
        else result.push(own);
        at += 1;
      }
    }
  }
  return result;
}

interface Before {
  readonly asked: string;
  readonly there: string;
  /** A line beside it is as long, as in a table. */
  readonly isEven: boolean;
}

function isEven(lines: readonly Line[], at: number): boolean {
  return [at - 1, at + 1].some((beside) => lines[beside]?.text.length === lines[at]?.text.length);
}

/** `before`: the line in whose place it comes, as it was asked for and as it stands. */
function written(line: string, before: Before | undefined, indent: Reindent, plain: (text: string) => string): string {
  if (line.trim() === '') return '';
  const body = line.slice(indentOf(line).length);
  const [asked, there] = [before?.asked.trim() ?? '', before?.there.trim() ?? ''];
  const isCarried = asked.length === there.length && asked !== there;
  const put = indent(indentOf(line)) + (isCarried ? carried(asked, body, there) : plain(body));
  // Blanks behind the line that the model did not write again are the file's: columns of a table, a break in Markdown.
  const isBare = before !== undefined && line === line.trimEnd() && before.asked === before.asked.trimEnd();
  if (!isBare) return put;
  return before.isEven ? put.padEnd(before.there.length) : put + (/[ \t]+$/.exec(before.there)?.[0] ?? '');
}

/** Plain signs for those of the model, where the file has these in the lines that are asked for. */
function plainIn(there: readonly Line[], asked: readonly string[]): (text: string) => string {
  const pairs = asked.map((line, i) => [line.trim(), there[i]?.text.trim() ?? ''] as const);
  const even = pairs.filter(([one, other]) => one.length === other.length);
  return plainer(even.map(([one]) => one).join('\n'), even.map(([, other]) => other).join('\n'));
}
