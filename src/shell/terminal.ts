// The lines that a terminal shows of an output (ECMA-48): written over where a line is begun anew, and nothing of what only steers the terminal.

/** Rows above the last one that a program can go back to. */
const screen = 50;
/** Columns behind the end of a line that the cursor can be sent to. */
const mostBeyond = 8;
/** A line with more than this share of characters that are no text is not shown. */
const unreadable = 0.3;

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: they are what is taken out
const pieces =
  /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~])|\x1b[P\]X^_][^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]?|[\x00-\x1f\x7f-\x9f]|[^\x00-\x1f\x7f-\x9f]+/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: they are what is taken out

/** One row for each line that came, the empty ones at the end left out. Takes time in proportion to the output. */
export function terminalLines(output: string): readonly string[] {
  const rows: string[][] = [[]];
  const strange: number[] = [];
  // Without a line feed nothing was written over for good: each part is a line.
  const isOld = !output.includes('\n') && !output.includes('\0');
  let [row, column] = [0, 0];
  const below = () => {
    row += 1;
    if (row === rows.length) rows.push([]);
  };
  const write = (text: string) => {
    const line = rows[row] ?? [];
    column = Math.min(column, line.length + mostBeyond);
    while (line.length < column) line.push(' ');
    for (const sign of text) line[column++] = sign;
  };
  const control = (given: string, final: string) => {
    const count = Math.min(Number.parseInt(given, 10) || 1, 10_000);
    const line = rows[row] ?? [];
    if (final === 'K' && (given === '' || given === '0')) line.length = Math.min(line.length, column);
    else if (final === 'K' && given === '2') line.length = 0;
    else if (final === 'J' && (given === '' || given === '0')) {
      line.length = Math.min(line.length, column);
      rows.length = row + 1;
    } else if (final === 'C') column += count;
    else if (final === 'D') column = Math.max(0, column - count);
    else if (final === 'G') column = count - 1;
    else if (final === 'A' || final === 'F') row = Math.max(0, rows.length - screen, row - count);
    else if (final === 'B' || final === 'E') row = Math.min(rows.length - 1, row + count);
    if (final === 'E' || final === 'F') column = 0;
  };
  for (const [piece, given = '', final = ''] of output.matchAll(pieces)) {
    if (final !== '') control(given, final);
    else if (piece >= ' ' && piece !== '\x7f' && !/^[\x80-\x9f]/.test(piece)) write(piece);
    else if (piece === '\r' && !isOld) column = 0;
    // NUL is what lists are parted by (`-z`): a terminal shows nothing, so that the names would run into each other.
    else if (piece === '\n' || piece === '\x85' || piece === '\r' || piece === '\0') {
      below();
      column = 0;
    } else if (piece === '\b') column = Math.max(0, column - 1);
    else if (piece === '\t') write(piece);
    else if (piece.length === 1 && !'\x07\x0e\x0f\x1b'.includes(piece)) strange[row] = (strange[row] ?? 0) + 1;
  }
  const lines = rows.map((line, at) => shown(line.join('').trimEnd(), strange[at] ?? 0));
  while (lines.at(-1) === '') lines.pop();
  return withoutBinary(lines);
}

/** Null where the line is no text. */
function shown(line: string, strange: number): string | null {
  const lost = strange + (line.match(/\uFFFD/g)?.length ?? 0);
  return lost > 2 && lost > unreadable * line.length ? null : line;
}

/** Lines that are no text, each run of them as one that says so. */
function withoutBinary(lines: readonly (string | null)[]): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? null;
    let end = at + 1;
    if (line !== null) kept.push(line);
    else {
      while (end < lines.length && isAmongBinary(lines, end)) end++;
      kept.push(`[${end - at === 1 ? 'a line' : `${end - at} lines`} of bytes that are no text]`);
    }
    at = end;
  }
  return kept;
}

/** A line or two between others that are no text are none either. */
function isAmongBinary(lines: readonly (string | null)[], at: number): boolean {
  return lines.slice(at, at + 3).some((line) => line === null);
}
