// The commands that a user can type, as rows of a table, and the one reader of a typed line. Help and errors of usage are told from the rows.
import { oneLine } from '../../core/memory/line.ts';
import { literal } from '../../core/report/reportText.ts';
import type { CommandAnswer } from './answer.ts';

type Answer = CommandAnswer | Promise<CommandAnswer>;

/** A value behind a command: the next word, or with `rest` all that is left of the line. */
export interface Argument<T> {
  /** The argument as the help writes it; with | between forms. */
  readonly sign: string;
  /** The argument as an error names it when it is missing; `more` is what the error says besides. */
  readonly words: string;
  readonly more?: string;
  readonly rest?: true;
  /** Returns null for words that are no such argument. */
  readonly read: (said: string) => T | null;
}

type Values<A extends readonly Argument<unknown>[]> = {
  readonly [K in keyof A]: A[K] extends Argument<infer T> ? T : never;
};

export interface CommandRow<C> {
  /** The word behind the command; '' for the command alone. */
  readonly name: string;
  /** A former name. */
  readonly former?: string;
  readonly args: readonly Argument<unknown>[];
  /** For its line of the help. Where it is empty or ends with a comma, the next row stands on the same line. */
  readonly about: string;
  /** Waits until the model is loaded; all others answer without one. */
  readonly needsModel?: true;
  /** Returns null where the words do not fit the row's arguments. */
  readonly read: (said: string) => ((context: C) => Answer) | null;
}

export interface Command<C> {
  /** Without the slash. */
  readonly name: string;
  readonly former?: string;
  /** A line about it, for the list of the composer and for /help. */
  readonly detail: string;
  /** Name of a codicon. */
  readonly icon: string;
  /** Over its answers. Commands with the same title have one help. */
  readonly title: string;
  /** Empty for a prompt, whose words go to the model. */
  readonly rows: readonly CommandRow<C>[];
  /** With words behind it, it is a prompt. */
  readonly isPrompt?: true;
}

/** A line that was understood, or the answer to one that was not. */
export type CommandReading<C> =
  | { readonly needsModel: boolean; readonly run: (context: C) => Answer }
  | { readonly told: CommandAnswer };

/** Makes rows that run on a part of a context, or answer that it is not there. */
export function rowsOn<C, D>(part: (context: C, act: (on: D) => Answer) => Answer) {
  return <const A extends readonly Argument<unknown>[]>(
    name: string,
    args: A,
    about: string,
    run: (on: D, ...values: Values<A>) => Answer,
    also: Pick<CommandRow<C>, 'former' | 'needsModel'> = {},
  ): CommandRow<C> => ({
    ...{ name, args, about, ...also },
    read: (said) => {
      const values = valuesOf(args, said);
      return values === null ? null : (context) => part(context, (on) => run(on, ...(values as Values<A>)));
    },
  });
}

function valuesOf(args: readonly Argument<unknown>[], said: string): readonly unknown[] | null {
  let left = said.trim();
  const values: unknown[] = [];
  for (const { rest, read } of args) {
    const [word = '', more = ''] = rest ? [left] : parted(left);
    const value = read(word);
    if (value === null) return null;
    values.push(value);
    left = more;
  }
  return left === '' || args.length === 0 ? values : null;
}

/** The first word, and what follows it. */
function parted(said: string): readonly string[] {
  return /^(\S*)\s*([\s\S]*)$/.exec(said)?.slice(1) ?? [];
}

/** The number of something in a list, which a command shows. */
export function numberOf(what: string, list: string): Argument<number> {
  return {
    sign: 'N',
    words: `the number of ${what}`,
    more: `; \`${list}\` shows them`,
    read: (said) => (/^#?\d+$/.test(said) ? Number(said.replace('#', '')) : null),
  };
}

/** An argument that takes all that is left of the line, as it was written. */
export function wordsLeft(words: string, sign = 'TEXT', more = ''): Argument<string> {
  return { sign, words, more, rest: true, read: (said) => (said === '' ? null : said) };
}

/** The same on one line, or nothing at all. */
export function lineOf(sign: string): Argument<string> {
  return { sign, words: '', rest: true, read: oneLine };
}

/** The format of a document; Markdown where nobody says. */
export const format: Argument<'json' | 'markdown'> = {
  sign: 'json|markdown',
  words: '`json` or `markdown`',
  read: (said) => (said === '' ? 'markdown' : said === 'json' || said === 'markdown' ? said : null),
};

/** Reads a typed line; returns null for a message to the model. */
export function readCommand<C>(table: readonly Command<C>[], line: string): CommandReading<C> | null {
  const [, name, said = ''] = /^\/(\S+)\s*([\s\S]*)$/.exec(line.trim()) ?? [];
  const command = table.find((one) => name !== undefined && (one.name === name || one.former === name));
  if (command === undefined || command.rows.length === 0 || (command.isPrompt === true && said !== '')) return null;
  const { title, rows } = command;
  const [what = '', more = ''] = parted(said);
  const alone = rows.find((row) => row.name === '');
  const isOpen = rows.length === 1 || (alone?.args.length ?? 0) > 0;
  const named = rows.find((row) => row.name === what || row.former === what);
  const row = named ?? (isOpen ? alone : undefined);
  if (row === undefined) {
    const help = helpOf(table, title);
    if (what === 'help') return { told: { title: `${title}: commands`, text: help } };
    return { told: { title, text: `There is no \`/${command.name} ${literal(what)}\`.\n\n${help}`, again: true } };
  }
  const run = row.read(row === named && what !== '' ? more : said);
  if (run !== null) return { needsModel: row.needsModel === true, run };
  const text = `\`/${`${command.name} ${row === named ? what : ''}`.trim()}\` needs ${needsOf(row.args)}.`;
  return { told: { title, text, again: true } };
}

function needsOf(args: readonly Argument<unknown>[]): string {
  const words = args.map((one) => one.words).filter(Boolean);
  return `${words.join(' and ')}${args.map(({ more = '' }) => more).join('')}`;
}

/** Markdown: a line for each way to type the commands of a title. */
export function helpOf<C>(table: readonly Command<C>[], title: string): string {
  return table.flatMap((command) => (command.title === title ? linesOf(command) : [])).join('\n');
}

function linesOf<C>({ name: command, rows }: Command<C>): readonly string[] {
  const lines: string[] = [];
  for (const { name, args, about } of rows) {
    const before = lines.at(-1)?.endsWith(',') === true ? `${lines.pop()} ` : `- `;
    const forms = args.reduce(
      (made, { sign }) => sign.split('|').flatMap((one) => made.map((form) => `${form} ${one}`)),
      [name],
    );
    if (before === '- ') forms[0] = `/${command} ${forms[0]?.trim()}`;
    const usage = forms.map((form) => `\`${form.trim()}\``).join(', ');
    lines.push(`${before}${usage}${about === '' ? ',' : ` ${about}`}`);
  }
  return lines;
}
