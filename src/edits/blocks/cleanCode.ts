// Code of a block without what is no part of it: our own line numbers, the date of our message, a lone mark of a replacement, a byte order mark.

/** Matches a line number as `read_file` and found passages print it, and as models write it. */
const number = /^ {0,6}(\d+)(?:: ?|\s?\| ?)/;

/** Lines without numbers, where each that is not blank has one and each is greater than the one before. At least two must. */
export function withoutNumbers(code: string): string {
  const lines = code.split('\n').filter((line) => line.trim() !== '');
  const numbers = lines.map((line) => Number(number.exec(line)?.[1] ?? Number.NaN));
  const isNext = numbers.every((one, i) => i === 0 || one > (numbers[i - 1] ?? 0));
  if (lines.length < 2 || numbers.some(Number.isNaN) || !isNext) return code;
  return code.replace(new RegExp(number.source, 'gm'), '');
}

const date = /^Date: \d{4}-\d\d-\d\d\.$/;

/** `base`: the file's text, whose own lines of that look stay. */
export function cleanCode(code: string, base: string | null): string {
  const plain = withoutNumbers(withoutLoneMark(code.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')));
  const own = new Set(base?.split(/\r\n|\n|\r/));
  const lines = plain.split('\n');
  const isDate = (line: string | undefined) => line !== undefined && date.test(line.trim()) && !own.has(line);
  if (!lines.some(isDate)) return plain;
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  // The blank line that parts it from the text goes along.
  const [from, to] = [isDate(lines[first]) ? first + 1 : 0, isDate(lines[last]) ? last : lines.length];
  const kept = lines.slice(from, echoFrom(lines, from, to, isDate, own)).filter((line) => !isDate(line));
  return `${kept
    .join('\n')
    .replace(from > 0 ? /^\s*\n/ : /^$/, '')
    .replace(/\s+$/, '')}\n`;
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

/** Lines that may follow the date in a message of one request. */
const mostEchoed = 3;

/** Returns the line at which our own message goes on at the block's end: a date, and behind it a few lines that the file lacks. `to` where none does. */
function echoFrom(
  lines: readonly string[],
  from: number,
  to: number,
  isDate: (line: string | undefined) => boolean,
  own: ReadonlySet<string>,
): number {
  const at = lines.findLastIndex((line, i) => i > from && i < to && isDate(line));
  const behind = lines.slice(at + 1, to).filter((line) => line.trim() !== '');
  return at > 0 && behind.length <= mostEchoed && behind.every((line) => !own.has(line)) ? at : to;
}
