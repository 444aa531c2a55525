// Whole lines that a model wrote almost as they stand: blanks at their ends, their indentation, or their signs differ. Lines that the
// change leaves alone stay as the file has them, to the last blank.
import { diffArrays } from 'diff';
import { indentOf, type Reindent, reindent } from './indent.ts';
import { endBeside, type Line, type Span } from './lines.ts';
import { carried, inPlainSigns, plainer } from './punctuation.ts';

export type Looseness = 'trailing-blanks' | 'indentation' | 'punctuation' | 'blank-lines';

interface Block {
  readonly old: readonly string[];
  readonly new: readonly string[];
}

/** Each place where all of the old lines fit, with the lines that come in their place. */
export function lineMatches(
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
