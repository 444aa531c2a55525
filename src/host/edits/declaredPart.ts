// The part of a file that declares what a code block declares: the block is another version of it.
import { definedName } from '../../tools/search/definition.ts';
import { type Change, linesChange, plainLines } from './placeChange.ts';

/** Null where the block declares nothing or several things, or the file does not declare it exactly once. */
export function declaredPart(base: string, code: string, path: string): Change | null {
  const block = code.replace(/\s+$/, '').split(/\r?\n/);
  const declared = topDeclaration(block, path);
  if (declared === null) return null;
  const lines = plainLines(base);
  const [at, another] = lines.flatMap((line, i) => (definedName(line, path) === declared.name ? [i] : []));
  if (at === undefined || another !== undefined) return null;
  const margin = (lines[at] ?? '').slice(0, indentOf(lines[at]));
  const own = indentOf(block[declared.at]);
  const moved = block.map((line) => (line.trim() === '' ? '' : margin + line.slice(Math.min(own, indentOf(line)))));
  const start = declared.at > 0 ? above(lines, at) : at;
  return linesChange(base, start, endOf(lines, at), `${moved.join('\n')}\n`);
}

interface TopDeclaration {
  readonly name: string;
  readonly at: number;
}

/** What stands in front of it may only be comments and decorators. */
function topDeclaration(block: readonly string[], path: string): TopDeclaration | null {
  const least = Math.min(...block.filter((line) => line.trim() !== '').map(indentOf));
  const found = block.flatMap((line, at) => {
    const name = indentOf(line) === least ? definedName(line, path) : undefined;
    return name === undefined ? [] : [{ name, at }];
  });
  const [only, another] = found;
  if (only === undefined || another !== undefined) return null;
  return block.slice(0, only.at).every((line) => line.trim() === '' || leads(line)) ? only : null;
}

const leads = (line: string) => /^\s*(?:\/\/|\/\*|\*|#|--|@|"""|''')/.test(line);

/** Where the comments and decorators begin that belong to a line. */
function above(lines: readonly string[], at: number): number {
  let start = at;
  while (start > 0 && leads(lines[start - 1] ?? '')) start -= 1;
  return start;
}

/** The last line of what opens here: all that stands further in, and what closes it. */
function endOf(lines: readonly string[], at: number): number {
  const margin = indentOf(lines[at]);
  let end = at;
  for (let i = at + 1; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (line.trim() === '') continue;
    const opens = i === at + 1 && /^\s*\{/.test(line);
    const closes = /^\s*(?:[\])}]|end\b)/.test(line);
    if (indentOf(line) < margin || (indentOf(line) === margin && !opens && !closes)) break;
    end = i;
    if (indentOf(line) === margin && closes) break;
  }
  return end;
}

/** -1 for a blank line. */
function indentOf(line = ''): number {
  return line.search(/\S/);
}
