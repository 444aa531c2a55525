// Whether a file still parses with a text at the caret. What the text leaves open, as the first line of a block does, is closed for that.
import { type Caret, indentWidth, type OpenText } from './caret.ts';

/** Counts the places of a text that the grammar of its file does not take; null where nobody can tell. */
export type SyntaxFaults = (path: string, text: string) => Promise<number | null>;

/** UTF-16 units of a file that is parsed with each text. */
const largest = 200_000;

/** True as well where nobody can tell, and where the file has as many faults without the text. */
export async function stillParses(faults: SyntaxFaults, text: OpenText, caret: Caret, shown: string): Promise<boolean> {
  const now = text.lines.join('\n');
  if (now.length > largest) return true;
  const before = await faults(text.path, now);
  if (before === null) return true;
  for (const put of [shown, shown + closing(shown)]) {
    const after = await faults(text.path, textWith(text, caret, put));
    if (after === null || after <= before) return true;
  }
  return false;
}

export function textWith({ lines }: OpenText, { line, column }: Caret, put: string): string {
  const own = lines[line] ?? '';
  return [...lines.slice(0, line), own.slice(0, column) + put + own.slice(column), ...lines.slice(line + 1)].join('\n');
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The signs that close what a text opens, and a body where it ends with a colon. */
function closing(text: string): string {
  const open: string[] = [];
  for (const [sign] of text.replace(/(["'`])(?:\\.|(?!\1).)*\1/g, '').matchAll(/[()[\]{}]/g)) {
    const closer = closers[sign];
    if (closer !== undefined) open.push(closer);
    else if (open.at(-1) === sign) open.pop();
  }
  const last = text.split('\n').at(-1) ?? '';
  const body = /:\s*$/.test(last) ? `\n${' '.repeat(indentWidth(last) + 8)}pass` : '';
  return body + (open.length === 0 ? '' : `\n${open.toReversed().join('')}`);
}
