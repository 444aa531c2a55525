// Pointing: lines that the user put beside it, files and names of the folder that its words name, and what stands in the prompt.
import type { DatabaseSync } from 'node:sqlite';
import type { FileLines } from '../../core/dialog/filesNamed.ts';
import { indexWordsOf } from '../text/words.ts';
import { declaredIn } from './declared.ts';
import type { Weighed } from './propose.ts';
import type { Question } from './question.ts';
import type { Statistics } from './statistics.ts';

/** A message of the user's, besides its words. */
export interface FindMessage {
  /** Lines that the user put beside it. */
  readonly pointed: readonly FileLines[];
  /** Lines that earlier messages brought and that stand in the prompt. */
  readonly standing: readonly FileLines[];
  /** The message changes files: those that it names are looked at alone. */
  readonly edits: boolean;
  /** Files that it is about, whatever its words name. */
  readonly files: readonly string[];
  /** Files that the output beside it is about, which count where its words name none. */
  readonly failing?: readonly string[];
}

/** A word in more than this share of the passages tells nobody where to look. */
const mostShare = 0.1;

/** Places to look at: some files, none, or all (null). */
type SearchedIn = { readonly files: readonly string[]; readonly whole: boolean } | 'nowhere' | null;

export interface NamedIn {
  readonly db: DatabaseSync;
  readonly statistics: Statistics;
  readonly read: (path: string) => readonly string[] | null;
}

/** `inWords`: the files that the question names. */
export function lookedAt(
  question: Question,
  terms: readonly Weighed[],
  { pointed, standing, edits, files: meant, failing = [] }: FindMessage,
  inWords: readonly string[],
  ground: NamedIn,
): SearchedIn {
  if (meant.length > 0) return { files: meant, whole: true };
  const isPointed = (path: string) => pointed.some((one) => one.path === path);
  const named = inWords.filter((path) => !isPointed(path));
  if (edits && named.length > 0) return { files: named, whole: true };
  const given = [...pointed, ...named.map((path) => ({ path, from: 1, to: Number.MAX_SAFE_INTEGER }))];
  if (given.length > 0) {
    const files = [...new Set([...named, ...declaringFiles(question, given, ground)])];
    return files.length === 0 ? 'nowhere' : { files, whole: false };
  }
  if (failing.length > 0) return { files: failing, whole: true };
  return standing.length > 0 && !namesMore(question, terms, standing, ground) ? 'nowhere' : null;
}

/** Files that declare a name of the message, written as code, outside of some lines; none of a name that those lines have. */
function declaringFiles(
  { names }: Question,
  pointed: readonly FileLines[],
  { db, statistics, read }: NamedIn,
): readonly string[] {
  const inside = pointed.flatMap((lines) => textOf(lines, read)).join('\n');
  return [...names.values()].flatMap(({ written, sure }) =>
    !sure || /\s/.test(written) || inside.includes(written)
      ? []
      : declaredIn(db, statistics, written).map(({ path }) => path),
  );
}

/** So many words are more than the verb of a follow-up ("And where is that checked?"). */
const several = 2;

/**
 * Whether a message has a name as code writes it, or a telling word of the folder, that the lines in the prompt lack. A single word counts in a
 * message that says more than two. Of 40 follow-ups 36 search nothing (27 where any word counts), of 360 other questions 317 search (317).
 */
function namesMore(
  { names }: Question,
  terms: readonly Weighed[],
  standing: readonly FileLines[],
  { statistics, read }: NamedIn,
): boolean {
  const text = standing.flatMap((lines) => textOf(lines, read)).join('\n');
  if ([...names.values()].some(({ written, sure }) => sure && !/\s/.test(written) && !text.includes(written)))
    return true;
  const telling = terms.filter(
    ({ own, frequency }) => own && frequency > 0 && frequency <= mostShare * statistics.passages,
  );
  const there = indexWordsOf(text);
  const lacking = telling.filter(({ token }) => !there.has(token)).length;
  const says = terms.filter(({ own }) => own).length;
  return lacking >= several || (lacking > 0 && says > several);
}

function textOf({ path, from, to }: FileLines, read: NamedIn['read']): readonly string[] {
  return [path, ...(read(path)?.slice(from - 1, to) ?? [])];
}
