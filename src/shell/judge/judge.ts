// Whether a command runs, is refused, or is asked about. A refusal goes over a question, a question over a permission, and of a line that starts several
// programs each is judged.
import { readBy } from './listed.ts';
import type { CommandPart, ParsedCommand } from './parse.ts';

/** The first rule of the settings, word by word, that a line would break, however it spells it; null where it breaks none. */
export function deniedBy(command: ParsedCommand, denied: readonly (readonly string[])[]): readonly string[] | null {
  return denied.find((rule) => startsIn(command).some((words) => isDenied(words, rule))) ?? null;
}

/** The places at which a program may start: in a part that only looks its first word, elsewhere any word, as another program may start it, also within a quoted text. */
function startsIn(command: ParsedCommand): readonly CommandPart['words'][] {
  const inner = (line: CommandPart['words']) => line.map((_, at) => line.slice(at));
  const apart = (text: string) =>
    text
      .replace(/\\\n/g, '')
      .replace(/[\\'"]/g, '')
      .split(/[^\w./:=@%+-]+/);
  if (unreadBecause(command) !== null) return inner(apart(command.text));
  return command.parts.flatMap((part) =>
    readBy(part) !== null
      ? [part.words]
      : [part.words, ...part.words.map((word) => (word !== null && /\s/.test(word) ? apart(word) : []))].flatMap(inner),
  );
}

/** A program by its name with any path, its options in any order and spelling, and its subcommand whatever stands in front. */
function isDenied([program = null, ...rest]: CommandPart['words'], [name = '', ...rule]: readonly string[]): boolean {
  if (program === null || program.replace(/^.*\//, '') !== name) return false;
  const given = rest.map((word) => word ?? '');
  const options = rule.filter((word) => word.startsWith('-'));
  const words = rule.filter((word) => !word.startsWith('-'));
  return options.every((option) => hasOption(given, option)) && hasWords(given, words);
}

/** Joined short options are taken apart, a long one counts where it is cut short, and some have both forms: getopt_long(3). */
function hasOption(given: readonly string[], option: string): boolean {
  const letters = given.filter((word) => /^-[^-]/.test(word)).join('');
  const [name = ''] = option.split('=');
  if (option.startsWith('--'))
    return (
      given.some((word) => word.length > 3 && word.startsWith('--') && name.startsWith(word.split('=')[0] ?? '')) ||
      bothForms.some(([short, long]) => long === name && [...short].some((letter) => letters.includes(letter)))
    );
  return [...option.slice(1)].every((letter) => {
    const [same = letter, long = null] = bothForms.find(([short]) => short.includes(letter)) ?? [];
    return (
      [...same].some((one) => letters.includes(one)) ||
      (long !== null &&
        hasOption(
          given.filter((word) => word.startsWith('--')),
          long,
        ))
    );
  });
}

const bothForms = [
  ['rR', '--recursive'],
  ['f', '--force'],
] as const;

/** A word that follows an option may be its value, so that the one behind it may be the subcommand. */
function hasWords(given: readonly string[], [first, ...more]: readonly string[]): boolean {
  if (first === undefined) return true;
  for (const [at, word] of given.entries()) {
    if (word === first && hasWords(given.slice(at + 1), more)) return true;
    if (!/^[-+]/.test(word) && !/^[-+]/.test(given[at - 1] ?? '')) return false;
  }
  return false;
}

/** The shell of Windows quotes in another way than the one that is read: there every command asks. */
export function asReadOn(platform: string, command: ParsedCommand): ParsedCommand {
  const problem = command.problem ?? 'PowerShell would run it, whose lines are not read.';
  return platform === 'win32' ? { ...command, problem } : command;
}

/** Why no permission can hold for it, in words; null where one can. */
export function unreadBecause({ problem, parts }: ParsedCommand): string | null {
  if (problem !== null) return problem;
  const isOpen = parts.some(({ words, writes, reads }) => [...words, ...writes, ...reads].includes(null));
  return isOpen ? 'Only the shell knows what some of its words become.' : null;
}

/** All words of a command that may name what it reads, if it only looks; null where a part of it may do anything else. */
export function looksAt({ problem, parts }: ParsedCommand): readonly string[] | null {
  const read = parts.map(readBy);
  return problem !== null || read.includes(null) ? null : read.flatMap((own) => own ?? []);
}
