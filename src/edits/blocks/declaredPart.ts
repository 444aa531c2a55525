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
  const start = declared.at > 0 ? above(lines, at, path) : at;
  const end = endOf(lines, at);
  return endAlike(lines[end], block.at(-1)) ? linesChange(base, start, end, `${moved.join('\n')}\n`) : null;
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
  return block.slice(0, only.at).every((line) => line.trim() === '' || leads(line, path)) ? only : null;
}

const hashed = /\.(?:py|pyi|rb|sh|bash|zsh|pl|r|jl|ex|exs|nim|ya?ml|toml)$/i;
const dashed = /\.(?:lua|sql|hs|elm|ada)$/i;

/** Whether a line is a comment, a decorator or an attribute of what follows. */
function leads(line: string, path: string): boolean {
  if (/^\s*(?:\/\/|\/\*|\*|@|"""|'''|#\[)/.test(line)) return true;
  return (hashed.test(path) && /^\s*#/.test(line)) || (dashed.test(path) && /^\s*--/.test(line));
}

/** Where the comments and decorators begin that belong to a line. */
function above(lines: readonly string[], at: number, path: string): number {
  let start = at;
  while (start > 0 && leads(lines[start - 1] ?? '', path)) start -= 1;
  return start;
}

const closer = /^\s*(?:[\])}]|end\b)/;

/** A part that ends otherwise than the block is not the whole of what the block is a version of. */
function endAlike(line = '', last = ''): boolean {
  return closer.test(last) ? line.trim() === last.trim() : !closer.test(line);
}

/** The last line of what opens here: all that stands further in, and what closes it. */
function endOf(lines: readonly string[], at: number): number {
  const margin = indentOf(lines[at]);
  let end = at;
  for (let i = at + 1; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (line.trim() === '') continue;
    const opens = i === at + 1 && /^\s*\{/.test(line);
    const closes = closer.test(line);
    // The end of a list of parameters opens the body.
    const goesOn = closes && /(?:[{([:]|=>|->)\s*$/.test(line);
    if (indentOf(line) < margin || (indentOf(line) === margin && !opens && !closes)) break;
    end = i;
    if (indentOf(line) === margin && closes && !goesOn) break;
  }
  return end;
}

/** -1 for a blank line. */
function indentOf(line = ''): number {
  return line.search(/\S/);
}
