// Whether a command runs, is refused, or is asked about. A refusal goes over a question, a question over a permission, and of a line that starts several
// programs each is judged.
import type { CommandPart, ParsedCommand } from './parse.ts';
import { isRunner, onlyLooks } from './programs.ts';

/** A permission of the user: for a command as it stands, or for all that begin with some words. */
export type Allowance =
  | { readonly kind: 'exact'; readonly text: string }
  | { readonly kind: 'prefix'; readonly words: readonly string[] };

export interface CommandRules {
  /** Beginnings of commands that are refused, word by word. */
  readonly denied: readonly (readonly string[])[];
  /** Permissions that still hold. */
  readonly allowed: readonly Allowance[];
  /** A fence holds, and the user agreed for this folder that what only looks runs unasked. */
  readonly looksUnasked: boolean;
}

export type Judgement =
  | { readonly verdict: 'deny'; readonly because: string }
  /** `because`: '' where there is nothing special about it. */
  | { readonly verdict: 'ask'; readonly because: string }
  /** `looks`: it runs with the folder read-only. */
  | { readonly verdict: 'allow'; readonly looks: boolean };

export function judge(command: ParsedCommand, rules: CommandRules): Judgement {
  const denied = rules.denied.find((words) => isDenied(command, words));
  if (denied !== undefined) return { verdict: 'deny', because: `The settings refuse "${denied.join(' ')}".` };
  const unread = unreadBecause(command);
  if (unread !== null) return { verdict: 'ask', because: unread };
  const isExact = rules.allowed.some((one) => one.kind === 'exact' && one.text === command.text);
  if (isExact) return { verdict: 'allow', looks: false };
  if (rules.looksUnasked && command.parts.every(onlyLooks)) return { verdict: 'allow', looks: true };
  const isAllowed = command.parts.every((part) => rules.allowed.some((one) => allows(one, part)));
  return isAllowed ? { verdict: 'allow', looks: false } : { verdict: 'ask', because: '' };
}

/** The shell of Windows quotes in another way than the one that is read: there every command asks. */
export function asReadOn(platform: string, command: ParsedCommand): ParsedCommand {
  const problem = command.problem ?? 'PowerShell would run it, whose lines are not read.';
  return platform === 'win32' ? { ...command, problem } : command;
}

/** Why no permission can hold for it, in words; null where one can. */
export function unreadBecause({ problem, parts }: ParsedCommand): string | null {
  if (problem !== null) return problem;
  const isOpen = parts.some(({ words, writes }) => words.includes(null) || writes.includes(null));
  return isOpen ? 'Only the shell knows what some of its words become.' : null;
}

/** The beginning that the user may allow for good; null where how it begins does not say what it does, or where more than one program is new. */
export function prefixOf(command: ParsedCommand, { allowed }: Pick<CommandRules, 'allowed'>): readonly string[] | null {
  if (unreadBecause(command) !== null) return null;
  const [part, another] = command.parts.filter((one) => !allowed.some((allowance) => allows(allowance, one)));
  if (part === undefined || another !== undefined || isRunner(part) || part.writes.length > 0) return null;
  const words = part.words.flatMap((word) => word ?? []);
  const own = words.slice(0, /^[a-z][\w-]*$/.test(words[1] ?? '') ? 2 : 1);
  return own.length === 0 ? null : own;
}

function allows(allowance: Allowance, part: CommandPart): boolean {
  if (allowance.kind === 'exact' || part.writes.length > 0 || isRunner(part)) return false;
  return begins(part.words, allowance.words);
}

function begins(words: readonly (string | null)[], wanted: readonly string[]): boolean {
  return wanted.length > 0 && wanted.every((word, at) => words[at] === word);
}

/** A program that another one starts counts as well, a name with its path, and words within a quoted text. */
function isDenied({ text, parts }: ParsedCommand, denied: readonly string[]): boolean {
  const lines = [text.split(/[^\w./:=@%+-]+/), ...parts.map(({ words }) => words)];
  return lines.some((line) => {
    const own = line.map((word) => (word === null ? null : plainName(word)));
    return own.some((_, at) => begins(own.slice(at), denied));
  });
}

function plainName(word: string): string {
  return word.replace(/^.*\//, '');
}
