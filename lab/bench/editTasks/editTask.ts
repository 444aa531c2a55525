// A small edit as a user asks for it, read from tasks/*.md: the folder's files, which of them may change, a check, and a right answer.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface EditTask {
  /** The file's name. */
  readonly name: string;
  readonly instruction: string;
  /** Paths of the files that the instruction names. */
  readonly named: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** A script that ends with an error where the edit is not there. */
  readonly check: { readonly language: 'js' | 'py'; readonly script: string };
  /** A right answer by file, as a diff without line numbers. */
  readonly right: Readonly<Record<string, string>>;
}

const tasksFolder = new URL('./tasks/', import.meta.url);

/** In the order of their names, which begin with a number. */
export function readEditTasks(): readonly EditTask[] {
  const names = readdirSync(fileURLToPath(tasksFolder)).filter((name) => name.endsWith('.md'));
  return names.toSorted().map((name) => editTaskOf(name, readFileSync(new URL(name, tasksFolder), 'utf8')));
}

function editTaskOf(name: string, text: string): EditTask {
  const [preface = '', ...sections] = text.split(/^## /m);
  const instruction = preface.replace(/^# .*\n/, '').trim();
  const parts = sections.map((section) => {
    const [, title = '', language = '', body = ''] = /^(.+)\n\n~~~(\w*)\n([\s\S]*?)^~~~$/m.exec(section) ?? [];
    if (title === '') throw new Error(`${name} has a section that cannot be read`);
    return { title, language, body };
  });
  const titled = (lead: string) => parts.filter(({ title }) => title.startsWith(lead));
  const byPath = (lead: string) =>
    Object.fromEntries(titled(lead).map(({ title, body }) => [title.slice(lead.length), body]));
  const [check] = titled('check');
  const right = byPath('right: ');
  if (check === undefined || instruction === '' || Object.keys(right).length === 0)
    throw new Error(`${name} lacks an instruction, a check or a right answer`);
  return {
    name: name.replace(/\.md$/, ''),
    instruction,
    named: Object.keys(right),
    files: byPath('file: '),
    check: { language: check.language === 'py' ? 'py' : 'js', script: check.body },
    right,
  };
}

/** The file's text with the right answer in it. */
export function solvedText(text: string, answer: string): string {
  return answer.split(/^@@\n/m).reduce((now, hunk) => {
    const lines = hunk.split('\n').filter((line) => line !== '');
    const side = (other: string) =>
      lines
        .filter((line) => !line.startsWith(other))
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    const parts = now.split(side('+'));
    if (parts.length !== 2) throw new Error(`the right answer fits ${parts.length - 1} times:\n${hunk}`);
    return parts.join(side('-'));
  }, text);
}
