// How an agent that may change files is told to: by tool calls, or by code blocks that name their file, for models that call no tools.
import type { AttachmentItem } from '../dialog/dialog.ts';

/** The tools that change files. */
export const editToolNames: readonly string[] = [
  'delete_file',
  'edit_file',
  'move_file',
  'rename_symbol',
  'write_file',
];

export const editInstructions = {
  calls:
    'You may change files. Read a file before you edit it, and copy the lines to replace word for word, without line numbers. Do what was asked and no more. After the edits say in one sentence what you changed.',
  blocks:
    'You change code by writing it: each function, class or file that changes goes whole into a code block of its own whose first line names the file, and is put in the place of the old one. Do what was asked and no more.',
} as const;

type Beside = readonly Pick<AttachmentItem, 'head' | 'body' | 'found'>[];

/**
 * Stands behind the message, where a small model does what it reads last: how the block begins, with the file that is meant. Of the
 * lines that were brought, the note names the one that the message quotes: left to itself such a model copies the message's own words.
 */
export function blockNote(message: string, beside: Beside): string {
  const path = beside.find(({ found }) => found !== undefined)?.found?.path;
  const file = path ?? 'path/of/the/file';
  const ending = /\.(\w+)$/.exec(file)?.[1] ?? '';
  const begins = `\`\`\`${ending} ${file}`;
  const isDocument = /^(?:md|mdx|markdown)$/.test(ending);
  const lines = beside.flatMap(({ found, body }) => (found?.path === file ? body.split('\n') : []));
  const { line, isReplaced } = quotedLine(textsIn(message, file), lines);
  if (!isDocument && !isReplaced) return `Write the whole changed function in a code block that begins with ${begins}`;
  const which = line === null ? '' : `The line that changes seems to be:\n${line}\n`;
  return `${which}Write only the line that changes, once as it is and once as it will be, in a code block of this form:
${begins}
<<<<<<< SEARCH
the line as it is
=======
the line as it will be
>>>>>>> REPLACE
\`\`\``;
}

/** The texts that a message quotes, and its words that look like code, without the file's name; the longest first. */
function textsIn(message: string, file: string): readonly string[] {
  const quoted = [...message.matchAll(/"([^"\n]+)"|`([^`\n]+)`|“([^”\n]+)”|„([^“\n]+)“|«([^»\n]+)»/gu)].map((found) =>
    (found.slice(1).find((one) => one !== undefined) ?? '').trim(),
  );
  const words = message.split(/\s+/).map((word) => word.replace(/^[("'`]+|[.,:;!?)"'`]+$/g, ''));
  const odd = words.filter((word) => /\w[^\w\s]+\w|\d|_|[a-z][A-Z]/.test(word));
  return [...quoted, ...odd]
    .filter((text) => text.length > 2 && !file.endsWith(text))
    .toSorted((a, b) => b.length - a.length);
}

interface QuotedLine {
  readonly line: string | null;
  /** True when the quoted text is more than a name and another quoted text is missing from the file: that one should replace it. */
  readonly isReplaced: boolean;
}

/** The only line that has one of the texts; a fence is none. */
function quotedLine(texts: readonly string[], lines: readonly string[]): QuotedLine {
  for (const text of texts) {
    const [line, another] = lines.filter((one) => one.includes(text));
    if (line === undefined || another !== undefined || /^\s*(?:`{3}|~{3})/.test(line)) continue;
    const isNew = (other: string) => lines.every((one) => !one.includes(other));
    return { line, isReplaced: /\W/.test(text) && texts.some(isNew) };
  }
  return { line: null, isReplaced: false };
}
