// Words a tool call as a sentence, for the row of a step; the row's opened body has the call itself.
import { t } from '../shared/l10n.ts';

type Arguments = Readonly<Record<string, unknown>>;

const sentences: Readonly<Record<string, (given: Arguments) => string>> = {
  search_code: ({ query }) => t('Searched for "{0}"', text(query)),
  find_symbol: ({ name }) => t('Looked up "{0}"', text(name)),
  list_files: ({ path }) => (text(path) === '' ? t('Listed the files') : t('Listed the files in {0}', text(path))),
  get_diagnostics: ({ path }) =>
    text(path) === '' ? t('Checked the problems') : t('Checked the problems in {0}', text(path)),
  // Not in the past tense: a no leaves the file as it was.
  edit_file: ({ path }) => t('Edit {0}', text(path)),
  write_file: ({ path }) => t('Write {0}', text(path)),
  delete_file: ({ path }) => t('Delete {0}', text(path)),
  move_file: ({ path, to }) => t('Move {0} to {1}', text(path), text(to)),
  rename_symbol: ({ name, to }) => t('Rename {0} to {1}', text(name), text(to)),
  run_command: ({ command }) => t('Run {0}', text(command)),
  read_output: ({ run, line }) => t('Read the output of run {0} from line {1}', text(run), text(line)),
  update_plan: () => t('Updated the plan'),
  read_file: ({ path, startLine, endLine }) => {
    const [first, last] = [text(startLine), text(endLine)];
    if (first === '') return t('Read {0}', text(path));
    return last === ''
      ? t('Read {0} from line {1}', text(path), first)
      : t('Read {0}, lines {1}–{2}', text(path), first, last);
  },
};

/** Returns the sentence for a call; `null` where the tool is unknown, or its arguments are not a JSON object. */
export function stepWords(tool: string, input: string): string | null {
  const given = parsed(input);
  return given === null ? null : (sentences[tool]?.(given) ?? null);
}

/** Returns the head of a result without the words that the sentence has already. */
export function outcomeWords(head: string, input: string): string {
  const words = head.replace(/:$/, '');
  const given = Object.values(parsed(input) ?? {}).map(text);
  const rest = given.reduce((left, word) => (word === '' ? left : left.replace(` for "${word}"`, '')), words);
  const command = text(parsed(input)?.command);
  return command !== '' && rest.startsWith(`${command} `) ? rest.slice(command.length + 1) : rest;
}

function parsed(input: string): Arguments | null {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === 'object' && value !== null ? (value as Arguments) : null;
  } catch {
    return null;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
