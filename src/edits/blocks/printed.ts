// Text that we print beside a file's own, and small models copy: it is taken off only where the file shows that it is ours: numbers and dates are
// data until then, and in a new file they always are.
//
// | printed | by | taken off |
// |---|---|---|
// | `12: text`, `12| text` | `read_file`, lines in a refusal | here: the file has these texts in these lines, and no such numbers |
// | `Date: 2026-11-29.` and the message behind it | the first message of a day | here: a message told that day, and the file lacks the line |
// | `[lines 3-9 left out]` | a passage | `gaps.ts`: the file's lines stand there |
// | `src/a.ts:3 area (lines 3-9)`, `src/a.ts (lines 3-9, selected)` | a passage, a selection, a file | `readBlocks.ts`: it names the file of what follows |
// | `[secret left out: kind]` | every text of a file | `secretMarks.ts`: the file's line stands there, or the block is refused |
// | `<<<<<<< SEARCH`, `=======` | the form of an edit | `patches.ts`, and here where one mark alone begins a block |
import { cellsText, sameCells } from '../../tools/files/notebook.ts';
import { inFormOf } from '../ladder/lines.ts';

/** A line number as it is printed, and as models write it. */
const number = /^ {0,6}(\d+)(?:: ?|\s?\| ?)/;

const plainLines = (text: string) => text.split(/\r\n|\n|\r/);

interface Numbered {
  readonly at: number;
  readonly line: string;
  readonly bare: string;
}

/** Its lines that are not blank, without their numbers; null unless each has one, greater than the one before. */
function numberedLines(text: string): readonly Numbered[] | null {
  const lines: Numbered[] = [];
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [mark = '', at = ''] = number.exec(line) ?? [];
    if (mark === '' || Number(at) <= (lines.at(-1)?.at ?? -1)) return null;
    lines.push({ at: Number(at), line, bare: line.slice(mark.length) });
  }
  return lines.length === 0 ? null : lines;
}

const bareOf = (text: string) => text.replace(new RegExp(number.source, 'gm'), '');

/**
 * Text without line numbers, where they are the file's own: lines of it stand in the file under their numbers, all of them as many lines
 * further on, and the file has none of them with its number.
 */
export function withoutNumbers(text: string, base: string): string {
  const numbered = numberedLines(text);
  const lines = plainLines(base).map((line) => line.trimEnd());
  const own = new Set(lines);
  if (numbered === null || numbered.some(({ line }) => own.has(line.trimEnd()))) return text;
  const told = numbered.filter(({ bare }) => /[\p{L}\p{N}]/u.test(bare));
  const known = told.map(({ at, bare }) => placesOf(lines, bare, at)).filter(({ size }) => size > 0);
  const isOurs = [...(known[0] ?? [])].some((by) => known.every((one) => one.has(by)));
  return isOurs ? bareOf(text) : text;
}

/** The same for a text to find and the one in its place, whose lines go on from the same number. */
export function bothWithoutNumbers<E extends { readonly old: string; readonly new: string }>(edit: E, base: string): E {
  const old = withoutNumbers(edit.old, base);
  if (old === edit.old) return edit;
  const [first = ''] = edit.old.trimStart().match(/^\d+/) ?? [];
  const last = Number(first) + plainLines(edit.old).length + plainLines(edit.new).length;
  const bare = (line: string) => {
    const [mark = '', at = ''] = number.exec(line) ?? [];
    return Number(at) >= Number(first) && Number(at) <= last ? line.slice(mark.length) : line;
  };
  return { ...edit, old, new: edit.new.split('\n').map(bare).join('\n') };
}

/** How many lines further on than its number says a text stands in the file, for each place. */
function placesOf(lines: readonly string[], text: string, at: number): ReadonlySet<number> {
  return new Set(lines.flatMap((line, i) => (line === text.trimEnd() ? [i + 1 - at] : [])));
}

/** Code as it is meant for the file, in the file's normal form; a notebook's JSON is its cells. `base`: the file's text, null for a new file. `days`: those that messages told. */
export function cleanCode(code: string, base: string | null, days: readonly string[] = []): string {
  const cells = base === null ? null : cellsText(code);
  if (base !== null && cells !== null && sameCells(base, cells)) return cells;
  const plain = withoutLoneMark(code.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'));
  return base === null ? plain : withoutDay(withoutNumbers(inFormOf(base, plain), base), base, days);
}

/** Lines that may follow the date in a message of one request. */
const mostEchoed = 3;

/** Models write our own message again, in front of a block or behind it: its date, then a few lines that the file lacks. */
function withoutDay(code: string, base: string, days: readonly string[]): string {
  const own = new Set(plainLines(base));
  const lines = code.split('\n');
  const isDay = (line = '') => days.some((day) => line.trim() === `Date: ${day}.`) && !own.has(line);
  const says = (line: string) => line.trim() !== '';
  const first = lines.findIndex(says);
  const from = isDay(lines[first]) ? first + 1 : 0;
  const at = lines.findLastIndex((line, i) => i >= from && isDay(line));
  const behind = at < 0 ? [] : lines.slice(at + 1).filter(says);
  const isEcho = at >= 0 && behind.length <= mostEchoed && behind.every((line) => !own.has(line));
  if (from === 0 && !isEcho) return code;
  const kept = lines.slice(from, isEcho ? at : lines.length).join('\n');
  return `${(from > 0 ? kept.replace(/^\s*\n/, '') : kept).replace(/\s+$/, '')}\n`;
}

/**
 * Models begin a whole function with the mark that parts SEARCH from REPLACE, and end it with the last one. A title of reStructuredText has
 * such a line below it as well.
 */
function withoutLoneMark(code: string): string {
  const begins = /^\s*={7}\n(?=[\s\S]*\S)/;
  const isLone = begins.test(code) && code.match(/^={7}$/gm)?.length === 1 && !/^<{7}/m.test(code);
  return isLone ? code.replace(begins, '').replace(/\n>{7}(?: REPLACE)?\s*$/, '\n') : code;
}
