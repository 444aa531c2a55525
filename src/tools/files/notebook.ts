// A notebook as text: the sources of its cells, each below a line that numbers it. Changed text goes back into the notebook's own JSON, in which
// outputs, ids and metadata stay byte for byte.
import { findNodeAtLocation, getNodeValue, type Node, parseTree } from 'jsonc-parser';

/** A line in front of a cell's source, with its number from 1 and its kind. */
const mark = /^\[cell \d+, \w+\]$/;

interface Cell {
  /** The line in front of it. */
  readonly mark: string;
  readonly source: string;
}

export function isNotebook(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

/** The sources of a notebook's cells; null for a text that is none, and for one in which a source has a line like those in front of cells. */
export function cellsText(json: string): string | null {
  const cells = cellNodes(json)?.map(({ node, mark: line }) => ({ mark: line, source: sourceIn(node) }));
  if (cells === undefined || cells.length === 0) return null;
  const text = textOf(cells);
  return cellsOf(text).length === cells.length ? text : null;
}

/** The notebook with changed sources; null where the text does not have the notebook's cells in their order. */
export function withCells(json: string, text: string): string | null {
  const nodes = cellNodes(json) ?? [];
  const cells = cellsOf(text);
  if (cells.length !== nodes.length || nodes.some((one, at) => one.mark !== cells[at]?.mark)) return null;
  let result = json;
  // From behind, so that the places of what is in front stay.
  for (const [at, { node }] of [...nodes.entries()].toReversed()) {
    const { source } = cells[at] ?? { source: '' };
    const place = findNodeAtLocation(node, ['source']);
    if (place === undefined || source === sourceIn(node)) continue;
    result = result.slice(0, place.offset) + written(place, source, json) + result.slice(place.offset + place.length);
  }
  return result;
}

/** Whether two texts have the same cells, whatever stands in these. */
export function sameCells(one: string, other: string): boolean {
  const [left, right] = [cellsOf(one), cellsOf(other)];
  return left.length === right.length && left.every((cell, at) => cell.mark === right[at]?.mark);
}

/** Whether a text that has no cells is JSON. */
export function isJson(text: string): boolean {
  const errors: never[] = [];
  parseTree(text, errors);
  return errors.length === 0;
}

/** Lines of cells, from 1 and both included, without blank ones at the end. */
export function cellsIn(lines: readonly string[]): readonly { readonly from: number; readonly to: number }[] {
  const starts = lines.flatMap((line, at) => (mark.test(line) ? [at] : []));
  return starts.map((start, at) => {
    const end = starts[at + 1] ?? lines.length;
    return { from: start + 1, to: lines.findLastIndex((line, row) => row < end && line.trim() !== '') + 1 };
  });
}

/** Each cell with its first line, for words that ask which one is meant. */
export function firstLines(text: string): readonly string[] {
  return cellsOf(text).map(({ mark: line, source }) => {
    const first = source.split('\n').find((one) => one.trim() !== '') ?? '';
    return `${line} ${first.trim().slice(0, 80)}`.trim();
  });
}

function cellNodes(json: string): readonly { readonly node: Node; readonly mark: string }[] | null {
  if (!json.includes('"cells"')) return null;
  const errors: never[] = [];
  const root = parseTree(json, errors);
  const cells = root === undefined || errors.length > 0 ? undefined : findNodeAtLocation(root, ['cells']);
  if (cells?.type !== 'array') return null;
  return (cells.children ?? []).flatMap((node, at) => {
    // A cell without a source has no text to read or change.
    if (findNodeAtLocation(node, ['source']) === undefined) return [];
    const kind = findNodeAtLocation(node, ['cell_type']);
    const word = String(kind === undefined ? '' : getNodeValue(kind)).replace(/\W/g, '') || 'code';
    return [{ node, mark: `[cell ${at + 1}, ${word}]` }];
  });
}

/** Line ends as a model writes them. */
function sourceIn(node: Node): string {
  const source = findNodeAtLocation(node, ['source']);
  const value: unknown = source === undefined ? '' : getNodeValue(source);
  return (Array.isArray(value) ? value.join('') : String(value)).replace(/\r\n?/g, '\n');
}

/** A blank line parts two cells. */
function textOf(cells: readonly Cell[]): string {
  return cells.map(({ mark: line, source }) => `${line}\n${source}\n`).join('\n');
}

function cellsOf(text: string): readonly Cell[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const starts = lines.flatMap((line, at) => (mark.test(line) ? [at] : []));
  // Text in front of the first cell would be lost.
  if (lines.slice(0, starts[0] ?? lines.length).some((line) => line.trim() !== '')) return [];
  return starts.map((start, at) => {
    const own = lines.slice(start + 1, starts[at + 1]);
    if (own.at(-1) === '') own.pop();
    return { mark: lines[start] ?? '', source: own.join('\n') };
  });
}

/** A source in the form that the notebook has: one text, or a list of lines, each indented as the former. Lines that stay are written as they were. */
function written(former: Node, source: string, json: string): string {
  const isAscii = !/[^\0-\x7f]/.test(json);
  const quoted = (text: string) => {
    const plain = JSON.stringify(text);
    return isAscii
      ? plain.replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
      : plain;
  };
  if (former.type !== 'array') return quoted(source);
  const items = former.children ?? [];
  const known = new Map(
    items.map((item) => [String(getNodeValue(item)), json.slice(item.offset, item.offset + item.length)]),
  );
  const lines = source === '' ? [] : source.split(/(?<=\n)/);
  const texts = lines.map((line) => known.get(line) ?? quoted(line));
  if (texts.length === 0) return '[]';
  const whole = json.slice(former.offset, former.offset + former.length);
  const [first] = items;
  // An empty list tells no indentation: the cell's own does.
  const front = first === undefined ? '' : json.slice(former.offset + 1, first.offset);
  const last = items.at(-1);
  const back = last === undefined ? '' : whole.slice(last.offset + last.length - former.offset, -1);
  return `[${front}${texts.join(`,${front}`)}${back}]`;
}
