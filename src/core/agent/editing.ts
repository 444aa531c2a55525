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

/** Stands behind the message, where a small model does what it reads last: how the block begins, with the file that is meant. */
export function blockNote(beside: readonly Pick<AttachmentItem, 'head' | 'found'>[]): string {
  const path = beside.find(({ found }) => found !== undefined)?.found?.path;
  const file = path ?? 'path/of/the/file';
  const ending = /\.(\w+)$/.exec(file)?.[1] ?? '';
  const begins = `\`\`\`${ending} ${file}`;
  if (!/^(?:md|mdx|markdown)$/.test(ending))
    return `Write the whole changed function in a code block that begins with ${begins}`;
  return `Write only the line that changes, once as it is and once as it will be, in a code block of this form:
${begins}
<<<<<<< SEARCH
the line as it is
=======
the line as it will be
>>>>>>> REPLACE
\`\`\``;
}
