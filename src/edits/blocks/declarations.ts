// Finds what lines of code declare, as far as their look tells: enough to say which part of a file a block replaces, and what it would lose.
import { definedName } from '../../tools/search/definition.ts';

export interface DeclaredName {
  /** The declared name; a method in Go has its type in front, as `Type.method`. */
  readonly name: string;
  /** Line, from 0. */
  readonly at: number;
}

/** The cells of most notebooks hold Python, and the lines in front of them declare nothing in it. */
export function codePath(path: string): string {
  return path.replace(/\.ipynb$/i, '.py');
}

/** A document declares its headings. */
export function isMarkdown(path: string): boolean {
  return /\.(?:md|mdx|markdown|qmd|rmd)$/i.test(path);
}

/** Headings with their level, outside of fenced code. */
function headings(lines: readonly string[]): readonly DeclaredName[] {
  let fence = '';
  return lines.flatMap((line, at) => {
    const run = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    const [inCode, before] = [fence !== '' || run !== '', fence];
    if (fence === '') fence = run;
    else if (run.startsWith(fence) && line.trim() === run) fence = '';
    if (inCode || before !== '') return [];
    const name = /^ {0,3}(#{1,6}[ \t].*?)[ \t#]*$/.exec(line)?.[1];
    const isUnderlined = /^ {0,3}(?:=+|-+)[ \t]*$/.test(lines[at + 1] ?? '') && /^ {0,3}[^\s>#|*+-]/.test(line);
    return name !== undefined ? [{ name, at }] : isUnderlined ? [{ name: line.trim(), at }] : [];
  });
}

/** Returns what any of the lines declares, however far in it stands. */
export function allDeclarations(lines: readonly string[], path: string): readonly DeclaredName[] {
  if (isMarkdown(path)) return headings(lines);
  return lines.flatMap((line, at) => {
    const name = definedName(line, path);
    if (name === undefined) return [];
    const receiver = /^\s*func\s*\(\s*(?:\w+\s+)?\*?(\w+)/.exec(line)?.[1];
    return [{ name: receiver === undefined ? name : `${receiver}.${name}`, at }];
  });
}

/** Returns what the least indented lines declare. */
export function declarations(lines: readonly string[], path: string): readonly DeclaredName[] {
  if (isMarkdown(path)) return headings(lines);
  const least = Math.min(...lines.filter((line) => line.trim() !== '').map(columnOf));
  return allDeclarations(lines, path).filter(({ at }) => columnOf(lines[at]) === least);
}

/** A declaration that looks like none of a member: it belongs to the file, whatever a member of the same name does. */
export function isOfFile(line: string, path: string): boolean {
  if (columnOf(line) > 0) return false;
  if (/\.pyi?$/i.test(path)) return /^(?:class\b|(?:async\s+)?def\s+\w+\s*\((?!\s*(?:self|cls)\b))/.test(line);
  if (/\.rs$/i.test(path)) return !/\bfn\b[^(]*\(\s*(?:&\s*(?:'\w+\s+)?)?(?:mut\s+)?self\b/.test(line);
  // A member that is given to its object by a statement of the file, as to a prototype.
  if (/^[\w$]+(?:\.[\w$]+)+\s*=(?!=)/.test(line)) return true;
  return /^(?:export|declare|default|async\s+function|function|const|let|var|(?:abstract\s+)?class|interface|type|enum|namespace|module|func|struct|trait|impl)\b/.test(
    line,
  );
}

const container =
  /^\s*(?:(?:export|default|declare|abstract|public|private|protected|internal|sealed|final|open|data|pub(?:\([^)]*\))?|static|partial|unsafe)\s+)*(?:class|interface|enum|struct|trait|impl|object|module(?!\.)|namespace|protocol|extension|union)\b/;
/** Whether a line stands directly in a class, or the like. */
export function isOfContainer(lines: readonly string[], at: number): boolean {
  const own = columnOf(lines[at]);
  const around = lines.slice(0, at).findLast((line) => line.trim() !== '' && columnOf(line) < own);
  return around !== undefined && container.test(around);
}

const modifiers =
  /^(?:(?:export|public|private|protected|internal|static|readonly|async|override|abstract|final|virtual|declare|get|set|pub(?:\([^)]*\))?|const|let|var|val|def|fn|fun|func|function|unsafe|self\.)\s+|[*#@]+)*/;

/**
 * Whether these lines, from 0 and both included, are a part that the block can stand for: a class is replaced by one with all its members,
 * no text that goes over several lines is cut through, and nothing of it goes on behind a remark.
 */
export function isWholePart(lines: readonly string[], start: number, end: number, block: readonly string[]): boolean {
  const part = lines.slice(start, end + 1);
  if (membersLost(part, block).length > 0) return false;
  const text = part.join('\n');
  if ([/"""/g, /'''/g, /`/g].some((mark) => (text.match(mark)?.length ?? 0) % 2 === 1)) return false;
  const next = lines.slice(end + 1).find((line) => line.trim() !== '' && !isRemark(line));
  return next === undefined || columnOf(next) <= columnOf(lines[start]);
}

/** The names of members that a class, or the like, in these lines has and the other lines do not; none where it is no class. */
function membersLost(part: readonly string[], block: readonly string[]): readonly string[] {
  const head = part.findIndex((line) => container.test(line));
  if (head < 0 || !block.some((line) => container.test(line))) return [];
  const kept = new Set(membersOf(block));
  return membersOf(part).filter((name) => !kept.has(name));
}

function membersOf(lines: readonly string[]): readonly string[] {
  const head = lines.findIndex((line) => container.test(line));
  const inner = lines.slice(head + 1).filter((line) => /[\p{L}\p{N}_]/u.test(line));
  const deeper = inner.filter((line) => columnOf(line) > columnOf(lines[head]));
  const least = Math.min(...deeper.map(columnOf));
  return deeper
    .filter((line) => columnOf(line) === least && !isRemark(line))
    .flatMap((line) => /^[\p{L}_$][\p{L}\p{N}_$]*/u.exec(line.trim().replace(modifiers, '')) ?? []);
}

function isRemark(line: string): boolean {
  return /^\s*(?:\/\/|\/\*|\*|#|--|"""|'''|@)/.test(line);
}

/** A comment that is about the file, or for a tool: no part of what stands below it. */
export function isOfHead(line: string): boolean {
  return /^\s*(?:#!|(?:\/\/+|\/\*+!?|\*|#+|--|;+|<!--|%+)[\s!]*(?:(?:-\*-\s*)?coding[:=]|copyright|\(c\)|©|(?:@|the )?licen[cs]e|licensed|mit licen|spdx|eslint|prettier|biome|tslint|@ts-|pylint|flake8|noqa|mypy|rubocop|istanbul|c8 |go:build|\+build|nosec|noinspection))/i.test(
    line,
  );
}

/** -1 for a blank line. */
export function columnOf(line = ''): number {
  return line.search(/\S/);
}
