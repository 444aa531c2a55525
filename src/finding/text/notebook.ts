// A notebook as text: the sources of its cells in the lines of the file where they stand, and nothing of what they put out.

/** Says where a cell begins, and its number from 1. */
const cellMark = /^\[cell \d+, \w+\]/;

/** Gives as many lines as the file has, so that a line of a passage leads to its place. A text that is no notebook stays as it is. */
export function cellLines(json: string): string {
  const kinds = kindsOf(json);
  if (kinds === null) return json;
  const lines = new Array<string>(json.split('\n').length).fill('');
  for (const { path, line, value } of stringsIn(json)) {
    const [cells, number, key, part] = path;
    if (cells !== 'cells' || typeof number !== 'number' || key !== 'source') continue;
    const before = lines[line] ?? '';
    // Several parts in one line have no places of their own.
    const text = value.replace(/\r?\n$/, '').replaceAll(/\r?\n/g, '  ');
    const mark = part === undefined || part === 0 ? [`[cell ${number + 1}, ${kinds[number] ?? 'code'}]`] : [];
    if (part === 0 && lines[line - 1] === '') lines[line - 1] = mark.pop() ?? '';
    lines[line] = [...mark, ...(before === '' ? [] : [before]), text].join('  ');
  }
  return lines.join('\n');
}

/** Finds the cells in such lines, which count from 1. */
export function cellsIn(lines: readonly string[]): readonly { readonly from: number; readonly to: number }[] {
  const starts = lines.flatMap((line, at) => (cellMark.test(line) ? [at] : []));
  return starts.map((start, at) => {
    const end = starts[at + 1] ?? lines.length;
    return { from: start + 1, to: lines.findLastIndex((line, row) => row < end && line.trim() !== '') + 1 };
  });
}

/** The kinds of the cells; null for what is no notebook. */
function kindsOf(json: string): readonly string[] | null {
  try {
    const { cells } = JSON.parse(json) as { readonly cells?: readonly { readonly cell_type?: unknown }[] };
    return Array.isArray(cells) ? cells.map(({ cell_type: kind }) => String(kind).replace(/\W/g, '') || 'code') : null;
  } catch {
    return null;
  }
}

interface Placed {
  readonly path: readonly (string | number)[];
  /** From 0. */
  readonly line: number;
  readonly value: string;
}

/** The values of valid JSON that are strings. No string goes over a line's end. */
function* stringsIn(json: string): Generator<Placed> {
  const path: (string | number)[] = [];
  let line = 0;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    const top = path.at(-1);
    if (sign === '\n') line += 1;
    else if (sign === '{') path.push('');
    else if (sign === '[') path.push(0);
    else if (sign === '}' || sign === ']') path.pop();
    else if (sign === ',' && typeof top === 'number') path[path.length - 1] = top + 1;
    else if (sign === ',') path[path.length - 1] = '';
    else if (sign === '"') {
      const end = stringEnd(json, at);
      if (top === '') path[path.length - 1] = JSON.parse(json.slice(at, end + 1)) as string;
      // The pictures in it are long, and nobody reads them.
      else if (path[2] === 'source')
        yield { path: [...path], line, value: JSON.parse(json.slice(at, end + 1)) as string };
      at = end;
    }
  }
}

/** The quote that ends the string which begins at `start`. */
function stringEnd(json: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = json.indexOf('"', at);
    let slashes = 0;
    while (json[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at;
  }
}
