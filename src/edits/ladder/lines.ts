// A file's text as lines with their own ends, and as one text in which every line ends alike: what a model writes has no line ends of its own.

export interface Line {
  /** Without its end. */
  readonly text: string;
  /** '' at the end of a file without a last line end. */
  readonly end: string;
  /** The place in the file's text at which the line begins, in UTF-16 units. */
  readonly start: number;
}

/** Lines from 1, both included. */
export interface LineRun {
  readonly first: number;
  readonly last: number;
}

/** A run of the file's text, in UTF-16 units, and what stands there afterwards. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Its lines were moved to the indentation of the file. */
  readonly moved?: true;
}

/** A text that ends with a line end has no further line behind it. */
export function fileLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (const { 0: whole, index } of text.matchAll(/[^\r\n]*(?:\r\n|\n|\r(?!\n)|$)/g)) {
    if (whole === '') continue;
    const end = /\r\n$|\n$|\r$/.exec(whole)?.[0] ?? '';
    lines.push({ text: whole.slice(0, whole.length - end.length), end, start: index });
  }
  return lines;
}

/** Returns a text as a model writes it: every line end is `\n`, and no byte order mark stands in front. */
export function withPlainEnds(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

/** Blanks that do not break, which stand before a line by mistake. */
const unbreakable = /^[ \t]*[\u00A0\u2007\u202F][ \t\u00A0\u2007\u202F]*/gm;

/**
 * A text in the normal form of a file's, so that letters with marks are the same in both, and with its plain blanks in front of lines. The form
 * is as it is where the file has several, or none because it has no such letters.
 */
export function inFormOf(base: string, text: string): string {
  const plain =
    base.search(unbreakable) < 0 ? text.replace(unbreakable, (front) => front.replace(/[^\t]/g, ' ')) : text;
  const [isComposed, isDecomposed] = [base.normalize('NFC') === base, base.normalize('NFD') === base];
  if (isComposed === isDecomposed) return plain;
  return plain.normalize(isComposed ? 'NFC' : 'NFD');
}

/** The file's text with `\n` for every line end, and the way back from a place in it to the file's. */
export interface Flat {
  readonly text: string;
  /** The line, from 0, of a place. */
  lineAt(place: number): number;
  inFile(place: number): number;
}

export function flatOf(lines: readonly Line[]): Flat {
  const starts: number[] = [];
  let size = 0;
  for (const { text, end } of lines) {
    starts.push(size);
    size += text.length + (end === '' ? 0 : 1);
  }
  const text = lines.map((line) => line.text + (line.end === '' ? '' : '\n')).join('');
  const lineAt = (place: number) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    text,
    lineAt,
    inFile: (place) => {
      const line = lines[lineAt(place)];
      if (line === undefined) return 0;
      const within = place - (starts[lineAt(place)] ?? 0);
      // Behind the last line end stands nothing.
      return within > line.text.length ? line.start + line.text.length + line.end.length : line.start + within;
    },
  };
}

/** The end that a new line gets beside this one: its own, or that of most lines. */
export function endBeside(lines: readonly Line[], at: number): string {
  const own = lines[at]?.end ?? '';
  if (own !== '') return own;
  const crlf = lines.filter(({ end }) => end === '\r\n').length;
  return crlf > lines.length / 2 ? '\r\n' : '\n';
}

/** The text with the spans in it, which do not overlap. */
export function withSpans(text: string, spans: readonly Span[]): string {
  let result = '';
  let at = 0;
  for (const { from, to, text: put } of spans.toSorted((a, b) => a.from - b.from)) {
    result += text.slice(at, from) + put;
    at = to;
  }
  return result + text.slice(at);
}

/** The lines that spans take in the text that has them. One that only deletes is the line that follows. */
export function linesAfter(text: string, spans: readonly Span[]): readonly LineRun[] {
  let moved = 0;
  return spans
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, to, text: put }) => {
      const begin = from + moved;
      moved += put.length - (to - from);
      const first = newlines(text, 0, begin) + 1;
      const inside = newlines(text, begin, begin + put.length);
      const endsLine = /[\r\n]$/.test(put);
      return { first, last: Math.max(first, first + inside - (endsLine ? 1 : 0)) };
    });
}

function newlines(text: string, from: number, to: number): number {
  return text.slice(from, to).match(/\r\n|\n|\r/g)?.length ?? 0;
}
