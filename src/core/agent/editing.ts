// How an agent that may change files is told to: by tool calls, or by code blocks that name their file, for models that call no tools.
import { endingOf } from '../answer/fileNames.ts';
import type { AttachmentItem } from '../dialog/dialog.ts';
import { filesAmong, pathsOf } from '../dialog/filesNamed.ts';
import { outputOf } from '../prompt/found.ts';
import type { Intent } from './intent.ts';

/** The tool that runs a command. */
export const runToolName = 'run_command';

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

/** Endings of files that consist of lines, not of functions. */
const byLines = /^(?:md|mdx|markdown|rst|txt|json[c5]?|ya?ml|toml|ini|cfg|conf|properties|xml|html?|css|scss|csv)$/;

/** Files where the text in front of a sign names the value behind it, and is seldom what changes. */
const dataFile = /\.(?:json[c5]?|ya?ml|toml|ini|cfg|conf|properties|env)$/;

/** The shell that runs commands, as the language of a code block. */
export type Shell = 'sh' | 'powershell';

type Beside = readonly Pick<AttachmentItem, 'head' | 'body' | 'found' | 'of'>[];

/**
 * Stands behind the message, where a small model does what it reads last: how the block begins, with the file that is meant. Of the
 * lines that were found, the note names the one that the message quotes: left to itself such a model copies the message's own words.
 */
export function blockNote(
  shell: Shell,
  message: string,
  { act, files, command, makes }: Intent,
  beside: Beside,
): string {
  switch (act) {
    case 'answer':
      return '';
    case 'run':
    case 'fix':
      return commandNote(shell, command);
    case 'make':
      return `Write the whole new file in a code block that begins with \`\`\`${endingOf(makes)} ${makes || placeholder}`;
    case 'change': {
      // The note is about one file: told the forms of two, such a model fills in neither.
      const file = files[0] ?? filesAmong(beside)[0] ?? placeholder;
      return changeNote(message, file, beside);
    }
    default:
      return act satisfies never;
  }
}

const placeholder = 'path/of/the/file';

function changeNote(message: string, file: string, beside: Beside): string {
  const ending = endingOf(file);
  const begins = `\`\`\`${ending} ${file}`;
  const lines = beside.flatMap((one) => (pathsOf([one]).includes(file) ? one.body.split('\n') : []));
  const { line, isReplaced, becomes } = quotedLine(message, file, lines);
  // Behind a failing output a small model writes what is there once more, or nothing, unless it has said what is wrong.
  const isFix = beside.some(({ of }) => of === outputOf);
  if (!byLines.test(ending) && !isReplaced)
    return `${isFix ? 'Say in one sentence what is wrong. Then write' : 'Write'} the whole changed function in a code block that begins with ${begins}`;
  const which = line === null ? '' : `The line that changes seems to be:\n${line}\n`;
  // Such a model copies the form: where both lines are known they stand in it.
  const [old, changed] = becomes === null ? ['the line as it is', 'the line as it will be'] : [line, becomes];
  return `${which}Write only the line that changes, once as it is and once as it will be, in a code block of this form:
${begins}
<<<<<<< SEARCH
${old}
=======
${changed}
>>>>>>> REPLACE
\`\`\``;
}

/** Such a model copies the form, so the command that is meant stands in it. */
function commandNote(shell: Shell, command: string): string {
  return `Nothing was run yet. Write one command line and nothing else, in a code block of this form:
\`\`\`${shell}
${command || 'the command'}
\`\`\``;
}

/** The texts that a message quotes, without the file's name; the longest first. */
function quotedIn(message: string, file: string): readonly string[] {
  const quoted = [...message.matchAll(/"([^"\n]+)"|`([^`\n]+)`|“([^”\n]+)”|„([^“\n]+)“|«([^»\n]+)»/gu)].map((found) =>
    (found.slice(1).find((one) => one !== undefined) ?? '').trim(),
  );
  return longestFirst(quoted, file);
}

/** The words of a message that look like code, without the file's name; the longest first. */
function oddIn(message: string, file: string): readonly string[] {
  const words = message.split(/\s+/).map((word) => word.replace(/^[("'`]+|[.,:;!?)"'`]+$/g, ''));
  return longestFirst(
    words.filter((word) => /\w[^\w\s]+\w|\d|_|[a-z][A-Z]/.test(word)),
    file,
  );
}

function longestFirst(texts: readonly string[], file: string): readonly string[] {
  return texts.filter((text) => text.length > 2 && !file.endsWith(text)).toSorted((a, b) => b.length - a.length);
}

interface QuotedLine {
  readonly line: string | null;
  /** True when the quoted text is more than a name and another quoted text is missing from the file: that one should replace it. */
  readonly isReplaced: boolean;
  /** The line as the message wants it, where it quotes what stands there and one text in its place; null where it does not say. */
  readonly becomes: string | null;
}

/** The only line that has one of the texts; a fence is none. */
function quotedLine(message: string, file: string, lines: readonly string[]): QuotedLine {
  const [quoted, odd] = [quotedIn(message, file), oddIn(message, file)];
  const texts = longestFirst([...quoted, ...odd], file);
  const isNew = (other: string) => lines.every((one) => !one.includes(other));
  for (const text of texts) {
    const [line, another] = lines.filter((one) => one.includes(text));
    if (line === undefined || another !== undefined || /^\s*(?:`{3}|~{3})/.test(line)) continue;
    const isReplaced = /\W/.test(text) && texts.some(isNew);
    const others = quoted.includes(text) ? quoted : odd.filter((other) => shapeOf(other) === shapeOf(text));
    const isKey = dataFile.test(file) && /^["'`]?\s*[:=]/.test(line.slice(line.indexOf(text) + text.length));
    return { line, isReplaced, becomes: isKey ? null : replacedIn(line, text, others.filter(isNew)) };
  }
  return { line: null, isReplaced: false, becomes: null };
}

/** A text whatever its numbers are: versions, ports and dates take the place of their like. */
function shapeOf(text: string): string {
  return text.replace(/\d+/g, '0');
}

/**
 * Replaces a text that stands once in a line; null where several texts could take its place. Of a longer text a word alone replaces only
 * the word that it is like: it corrects that one.
 */
function replacedIn(line: string, text: string, others: readonly string[]): string | null {
  const [other, another] = others;
  if (other === undefined || another !== undefined || line.indexOf(text) !== line.lastIndexOf(text)) return null;
  const words = text.split(/\s+/);
  const isPart = other.split(/\s+/).length * 3 <= words.length;
  const old = isPart ? words.find((word) => isLike(word, other)) : text;
  return old === undefined ? null : line.replace(text, () => text.replace(old, () => other));
}

/** Most letters of both are the same at their beginning and end. */
function isLike(one: string, other: string): boolean {
  const [short, long] = [one, other].toSorted((a, b) => a.length - b.length) as [string, string];
  let [from, end] = [0, 0];
  while (from < short.length && short[from] === long[from]) from += 1;
  while (end < short.length - from && short.at(-1 - end) === long.at(-1 - end)) end += 1;
  return from + end >= long.length * 0.7;
}

/** A refusal of an edit without the names of a tool's parameters, for those who never saw its call. */
export function refusalForUser(words: string): string {
  return words
    .replace(/(^|[.;] )"old"/g, '$1The text to replace')
    .replaceAll('"old"', 'the text to replace')
    .replaceAll('"new"', 'the new text')
    .replace('Write the whole function or class, or the whole file.', 'Use Apply on the block to choose the place.')
    .replace(/\. Add lines around it, or set "all"\./, '. Ask again with the line above it.');
}
