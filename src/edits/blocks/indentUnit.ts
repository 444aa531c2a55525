// Code of a block in the file's indentation: models indent with two spaces or four, also where the file has tabs.
import detectIndent from 'detect-indent';
import { indentOf } from '../ladder/indent.ts';
import { isMarkdown } from './declarations.ts';
import { plainLines } from './placeChange.ts';

/**
 * Returns the code with one unit of the file's for each of its own. The code comes back as it is where either has no indentation, where both have
 * the same, and where two levels would become one. Lines that stand in the file as they are stay.
 */
export function inUnitsOf(base: string, code: string, path: string): string {
  const [ours, theirs] = [unitOf(base), unitOf(code)];
  if (isMarkdown(path) || ours === '' || theirs === '' || ours === theirs) return code;
  const own = new Set(plainLines(base).filter((line) => /^\s.*\S/.test(line)));
  const lines = code.split('\n');
  const areBothSpaces = ours !== '\t' && theirs !== '\t';
  if (areBothSpaces && lines.some((line) => own.has(line))) return code;
  const parts = lines.map((line) => {
    const indent = indentOf(line);
    const levels = own.has(line) ? 0 : indent.split(theirs).length - 1;
    return { levels, rest: indent.slice(levels * theirs.length), text: line.slice(indent.length) };
  });
  // A remainder as wide as the file's unit would look like one more level.
  if (areBothSpaces && parts.some(({ rest }) => rest.length >= ours.length)) return code;
  return parts.map(({ levels, rest, text }) => ours.repeat(levels) + rest + text).join('\n');
}

/** Returns a tab, some spaces, or '' for a text that is not indented. */
function unitOf(text: string): string {
  const { type, indent } = detectIndent(plainLines(text).join('\n'));
  return type === 'tab' ? '\t' : indent;
}
