// Whether a file still parses with a text at the caret. What the text leaves open, as the first line of a block does, is closed for that.
import { type Caret, leadingBlanks, type OpenText } from './caret.ts';

/** Counts the places of a text that the grammar of its file does not take; null where nobody can tell. */
export type SyntaxFaults = (path: string, text: string) => Promise<number | null>;

/** UTF-16 units of a file that is parsed with each text. */
const largest = 200_000;

/**
 * The text to show: as it is, or closed where a block of several lines would be left open; null where the file would no longer parse with it. As it is
 * too where nobody can tell.
 */
export async function parsingText(
  faults: SyntaxFaults,
  text: OpenText,
  caret: Caret,
  shown: string,
): Promise<string | null> {
  const now = text.lines.join('\n');
  const before = now.length > largest ? null : await faults(text.path, now);
  if (before === null) return shown;
  const closed = shown + closing(shown, leadingBlanks(text.lines[caret.line] ?? ''));
  for (const put of closed === shown ? [shown] : [shown, closed]) {
    const after = await faults(text.path, textWith(text, caret, put));
    // The rest of a line may begin what the user goes on with.
    if (after === null || after <= before) return shown.includes('\n') ? put : shown;
  }
  return null;
}

export function textWith({ lines }: OpenText, { line, column }: Caret, put: string): string {
  const own = lines[line] ?? '';
  return [...lines.slice(0, line), own.slice(0, column) + put + own.slice(column), ...lines.slice(line + 1)].join('\n');
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The signs that close what a text opens, each brace on a line of its own; a body where it ends with a colon. `indent`: of the line that it begins in. */
function closing(text: string, indent: string): string {
  const open: { readonly closer: string; readonly indent: string }[] = [];
  for (const [at, line] of text.split('\n').entries())
    for (const [sign] of line.replace(/(["'`])(?:\\.|(?!\1).)*\1|\/\/.*/g, '').matchAll(/[()[\]{}]/g)) {
      const closer = closers[sign];
      if (closer !== undefined) open.push({ closer, indent: at === 0 ? indent : leadingBlanks(line) });
      else if (open.at(-1)?.closer === sign) open.pop();
    }
  const last = text.split('\n').at(-1) ?? '';
  const body = /:\s*$/.test(last) ? `\n${leadingBlanks(last)}${indent}  pass` : '';
  const ends = open.toReversed().map((one) => (one.closer === '}' ? `\n${one.indent}}` : one.closer));
  return body + ends.join('');
}
