// How far the code reaches that begins at a line, by its indentation: for languages that the editor does not know.

const longest = 200;

/** Lines count from 1; the closing line belongs to it. */
export function blockAt(lines: readonly string[], line: number): { readonly from: number; readonly to: number } {
  const indent = (text: string) => text.length - text.trimStart().length;
  const own = indent(lines[line - 1] ?? '');
  const end = Math.min(lines.length, line - 1 + longest);
  let to = line;
  for (let i = line; i < end; i++) {
    const text = lines[i] ?? '';
    if (text.trim() === '') continue;
    const closes = /^\s*([}\])]|end\b)/.test(text);
    if (indent(text) < own || (indent(text) === own && !closes && !/^\s*\{/.test(text))) break;
    to = i + 1;
    if (indent(text) === own && closes && !/[{([]\s*$/.test(text)) break;
  }
  return { from: line, to };
}
