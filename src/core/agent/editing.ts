// How an agent that may change files is told to: by tool calls, or by code blocks that name their file, for models that call no tools.
import { namesIn } from '../answer/fileNames.ts';
import type { AttachmentItem } from '../dialog/dialog.ts';
import { filesMeant, pathsOf } from '../dialog/filesNamed.ts';

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

type Beside = readonly Pick<AttachmentItem, 'head' | 'body' | 'found' | 'of'>[];

/**
 * Stands behind the message, where a small model does what it reads last: how the block begins, with the file that is meant. Of the
 * lines that were found, the note names the one that the message quotes: left to itself such a model copies the message's own words.
 */
export function blockNote(message: string, beside: Beside): string {
  if (asksToRun(message)) return commandNote(message);
  // An answer in words is wanted.
  if (onlyAsks(message)) return '';
  const made = newFileIn(message, beside);
  if (made !== null)
    return `Write the whole new file in a code block that begins with \`\`\`${/\.(\w+)$/.exec(made)?.[1] ?? ''} ${made}`;
  // The note is about one file: told the forms of two, such a model fills in neither. The user reads which files are left.
  const [meant] = filesMeant(message, beside);
  const file = meant ?? pathsOf(beside).find((path) => namesIn(path).length > 0) ?? 'path/of/the/file';
  const ending = /\.(\w+)$/.exec(file)?.[1] ?? '';
  const begins = `\`\`\`${ending} ${file}`;
  const isLines = byLines.test(ending);
  const lines = beside.flatMap((one) => (pathsOf([one]).includes(file) ? one.body.split('\n') : []));
  const { line, isReplaced, becomes } = quotedLine(message, file, lines);
  if (!isLines && !isReplaced) return `Write the whole changed function in a code block that begins with ${begins}`;
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

/** Such a model copies the form, so the command that is meant stands in it where the message says it. */
function commandNote(message: string): string {
  return `Nothing was run yet. Write one command line and nothing else, in a code block of this form; the words test, build and check stand for the project's own commands:
\`\`\`sh
${commandIn(message)}
\`\`\``;
}

const program =
  '(?:npm|npx|node|git|make|cargo|go|pytest|python3?|wc|grep|ls|tsc|mvn|deno|bun|yarn|pnpm|cat|head|tail|find|du)';

/** A line behind "run", unless it is about the project's own commands or in other words. */
const written =
  /^\W*(?:(?:now|please|then|can|could|would|you) )*(?:run|execute) `?((?!(?:all|the|its|it|my|our|this|that|these|those|a|an|again|unit|tests?|build|check|linter?)\b)[a-z./~][^`\n]*?)`?(?:(?<=\w`?)[.!?])?\s*$/;

function commandIn(message: string): string {
  const line = written.exec(message.replace(/^\W*[A-Z]/, (first) => first.toLowerCase()))?.[1];
  if (line !== undefined) return line.trim();
  const named = new RegExp(
    `\`(${program} [^\`\\n]+)\`|\\b(?:run|use|execute|using|with) (${program}\\b[^.?!,;\\n]*)`,
    'i',
  ).exec(message);
  if (named !== null) return (named[1] ?? named[2] ?? '').trim();
  if (/\btests?\b/i.test(message)) return 'test';
  if (/\b(?:build|compile)\b/i.test(message)) return 'build';
  return /\b(?:check|lint\w*|type-?check)\b/i.test(message) ? 'check' : 'the command';
}

const question =
  /^\W*(?:(?:and|so|now|but|then|it was run)\b[,.:]? *)*(?:what|which|where|why|how|who|when|do|does|did|is|are|was|were|has|have)\b[^\n]*\?\W*$/i;
const changes =
  /\b(?:fix|mend|repair|correct|change|rename|add|remove|replace|make|write|update|move|delete|rewrite|refactor|implement|create|use)\b/i;

/** A question that wants no change. */
function onlyAsks(message: string): boolean {
  return question.test(message) && !changes.test(message);
}

/** Whether a message begins with, or names, something to run. */
function asksToRun(message: string): boolean {
  const first =
    /^\W*(?:(?:now|please|then|can|could|would|you) )*(?:run|re-?run|execute|build|compile|lint|type-?check)(?![\w.:/-])(?! in\b)/i;
  const named = new RegExp(
    `(?:[.?!,;]\\s*|\\b(?:then|and|please) )(?:run|re-?run|execute|use) (?:(?:all|the|its|my|our|this|project's|unit) )*(?:tests?|build|check|linter?|command|\`?${program})\\b`,
    'i',
  );
  // Quoted words are of a file.
  const words = message.replace(/"[^"\n]*"|“[^”\n]*”|„[^“\n]*“|«[^»\n]*»/g, '');
  const at = first.test(words) ? 0 : words.search(named);
  const change = words.search(changes);
  // First things first.
  return at >= 0 && (change < 0 || at <= change);
}

/** The only file that a message asks to create, and that nothing beside it is of; null where it asks for none. */
export function newFileIn(message: string, beside: Beside): string | null {
  const asks =
    /\b(?:create|add|make|write|generate|start)\b[^.?!\n]*?\b(?:new\b[^.?!\n]*?\b)?(?:file|module|script|test|page|component)\b/i;
  if (!asks.test(message)) return null;
  const there = beside.flatMap(({ found, head }) => [found?.path ?? '', ...namesIn(head)]);
  const [name, another] = namesIn(message).filter(
    (one) => !there.some((path) => path === one || path.endsWith(`/${one}`)),
  );
  return name !== undefined && another === undefined ? name : null;
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
    .replaceAll('"new"', 'the new text');
}
