// Things of the folder that the words of a message name: files, paths that are no files, and commands of the project.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Named, ProjectTask } from '../core/agent/intent.ts';
import { missingFiles, namedFiles } from './rank/named.ts';
import { readQuestion } from './rank/question.ts';
import { fileKindOf } from './text/accept.ts';

/** `files`: paths of the index; `folder`: the real path of the open one. */
export function namedThings(
  text: string,
  files: readonly string[],
  folder: string,
  tasks: readonly ProjectTask[],
): Named {
  const question = readQuestion(text);
  const missing = missingFiles(question, files).filter((path) => !existsSync(join(folder, path)));
  const words = text.trim().replace(/^`(.*)`$/, '$1');
  const spelled = tasks.map(({ command }) => command).filter((command) => text.includes(command));
  const known = spelled.toSorted((one, two) => two.length - one.length)[0] ?? '';
  const command = spelledOut(text, folder, tasks) ?? shortened(words, tasks) ?? known;
  const named = namedFiles(question, files);
  return {
    files: named,
    missing,
    tasks,
    command,
    isCommand: command !== '' && command === words,
    mayRun: named.length === 0 || named.some((path) => !/^(?:docs|data|history)$/.test(fileKindOf(path))),
  };
}

/**
 * A command line in the words: what stands in backticks and begins with a program, a program of the folder with options, and a whole message
 * with options that begins as a command of the project does, or the end of one that is a program with options. Null for none.
 */
function spelledOut(text: string, folder: string, tasks: readonly ProjectTask[]): string | null {
  const isProgram = (word: string) => isProgramPath(word, folder) || onPath(word);
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, line = '']) => line.trim());
  const inQuotes = quoted.find((line) => line.includes(' ') && isProgram(line.split(' ')[0] ?? ''));
  if (inQuotes !== undefined) return inQuotes;
  const [first = ''] = text.trim().split('\n');
  const words = first.split(/\s+/);
  const at = words.findIndex((word) => isProgramPath(word, folder));
  const rest = at < 0 ? [] : words.slice(at);
  if (rest.some(isOption) || (rest.length === 1 && rest[0]?.startsWith('./'))) return rest.join(' ');
  const isTask = tasks.some(({ command }) => command.split(' ')[0] === words[0]);
  if (isTask && words.some(isOption) && text.trim() === first.trim()) return words.join(' ');
  // A plain word may be the name of a program as well; with options behind it, it is one.
  const begin = words.findIndex((word, i) => onPath(word) && isOption(words[i + 1] ?? ''));
  return begin < 0 ? null : words.slice(begin).join(' ');
}

/** A whole message that is a command of the project without `run`, as `npm test` for `npm run test`. */
function shortened(words: string, tasks: readonly ProjectTask[]): string | null {
  const short = (line: string) =>
    line
      .split(/\s+/)
      .filter((word) => word !== 'run')
      .join(' ');
  return tasks.some(({ command }) => short(command) === short(words)) ? words : null;
}

const isOption = (word: string) => /^--?\w/.test(word);

/** The path of a program, in the folder or from the root on; a name alone may be a word, too. */
function isProgramPath(word: string, folder: string): boolean {
  if (!/^[\w.@-]*\/[\w./@-]+$/.test(word)) return false;
  return isExecutable(word.startsWith('/') ? word : join(folder, word));
}

function onPath(word: string): boolean {
  return (
    /^[\w.+-]+$/.test(word) &&
    (process.env.PATH ?? '').split(delimiter).some((one) => one !== '' && isExecutable(join(one, word)))
  );
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
