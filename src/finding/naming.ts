// Things of the folder that the words of a message name: files, paths that are no files, and commands of the project.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Named, ProjectTask } from '../core/agent/intent.ts';
import { missingFiles, namedFiles } from './rank/named.ts';
import { readQuestion } from './rank/question.ts';

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
  const command = spelled.toSorted((one, two) => two.length - one.length)[0] ?? '';
  return {
    files: namedFiles(question, files),
    missing,
    tasks,
    command,
    isCommand: command !== '' && command === words,
  };
}
