// Narrows what is looked for where a message says itself what it is about: to what stands around lines that the user gave, to the files that a change
// names, or to what stands around a name that the folder declares. Whatever those lines call comes along.
import type { DatabaseSync } from 'node:sqlite';
import type { FileLines } from '../../core/dialog/filesNamed.ts';
import type { Passage } from '../../core/prompt/found.ts';
import { partsOf } from '../cut/parts.ts';
import { readOutline } from '../db/outlineText.ts';
import { fileKindOf } from '../text/accept.ts';
import { wordOf } from '../text/words.ts';
import { excerpt } from './excerpt.ts';
import type { Ranked } from './fuse.ts';
import { namedFiles } from './named.ts';
import { type PassageRow, passageRows } from './propose.ts';
import type { Question } from './question.ts';
import type { Candidate } from './score.ts';
import type { Statistics } from './statistics.ts';

/** A message of the user's, besides its words. */
export interface FindMessage {
  /** Lines that stand beside it. */
  readonly given: readonly FileLines[];
  /** The message asks for a change: the files that it names are the place of it. */
  readonly edits: boolean;
}

export interface SearchFocus {
  /** Paths of the files that passages come from. */
  readonly files: readonly string[];
  /** The message is about these lines of them; what they call comes along. */
  readonly lines: readonly FileLines[];
  /** Code among them that the message names comes whole. A class does not. */
  readonly named: readonly FileLines[];
  /** Tokens that are enough beside that; left out where the files are the place of a change. */
  readonly most?: number;
}

/** Tokens beside what the user gave. */
const mostBeside = 300;
/** A name that more files declare is none in particular. */
const mostDeclaring = 3;
const mostPassages = 12;
/** Calls that are followed, and passages that come of them. */
const mostFollowed = 60;
const mostCalled = 4;

/** Asks for more places than the one that declares a name. */
const elsewhere =
  /\b(?:us(?:es?|ed|ages?|ing)|calls?|called|callers?|invok\w+|referenc\w+|import\w*|tests?|tested|every(?:where|\s+place)|all)\b/i;

/** Gives null where the message says nothing of the kind. */
export function focusOf(
  text: string,
  question: Question,
  { given, edits }: FindMessage,
  { files, declared }: { readonly files: readonly string[]; readonly declared: Declared },
): SearchFocus | null {
  const named = namedFiles(question, files);
  const known = new Set(files);
  const beside = given.filter(({ path }) => known.has(path));
  const changed = edits ? named : [];
  const declares = changed.length > 0 || elsewhere.test(text) ? [] : declarations(question, new Set(named), declared);
  const lines = [...beside, ...declares];
  const all = [...new Set([...changed, ...lines.map(({ path }) => path)])];
  if (all.length === 0) return null;
  if (changed.length > 0) return { files: all, lines: [], named: [] };
  return { files: all, lines, named: declares.filter(({ holds }) => !holds), most: mostBeside };
}

/** Lines of the declarations that a message names; none where one of the names may be anywhere. */
function declarations(question: Question, named: ReadonlySet<string>, declared: Declared): readonly Declaration[] {
  const found = [...question.names].flatMap(([whole, { written, sure }]) => {
    const coded = sure && !/\s/.test(written);
    if (!coded && named.size === 0) return [];
    const places = declared(whole, written).filter((one) => says(one) && (coded || named.has(one.path)));
    const inside = places.filter(({ path }) => named.has(path));
    return places.length === 0 ? [] : [inside.length > 0 ? inside : places];
  });
  const isAny = found.some((places) => new Set(places.map(({ path }) => path)).size > mostDeclaring);
  return isAny ? [] : found.flat();
}

/** Code of more than a line: of a field, a constant or a type's member its uses tell more. */
function says({ path, line, to }: Declaration): boolean {
  return to > line && fileKindOf(path) === 'code';
}

/** A declaration, and the line with its name. */
interface Declaration extends FileLines {
  readonly line: number;
  readonly holds: boolean;
  readonly row: PassageRow;
}

/** The places where a name is declared as it is written. */
export type Declared = (whole: string, written: string) => readonly Declaration[];

export function declaredIn(db: DatabaseSync, statistics: Statistics): Declared {
  return (whole, written) => {
    const ids = statistics.idsThatDeclare(whole);
    if (ids.length === 0 || ids.length > mostPassages) return [];
    return passageRows(db, ids).flatMap((row) =>
      readOutline(row.outline)
        .filter(({ name, line }) => name === written && line >= row.start && line <= row.end)
        .map(({ from, to, line, holds }) => ({ path: row.path, from, to, line, holds, row })),
    );
  };
}

export interface Following {
  readonly read: (path: string) => readonly string[] | null;
  readonly score: (rows: readonly PassageRow[]) => readonly Candidate[];
  readonly declared: Declared;
}

/** Passages of what some lines call, as far as one place declares it, in their own file where there is one: those that fit the question best. */
export function calledFrom({ lines }: SearchFocus, { read, score, declared }: Following): readonly Passage[] {
  const isInside = (path: string, at: number) =>
    lines.some((one) => one.path === path && one.from <= at && at <= one.to);
  const called = lines.flatMap(({ path, from, to }) => {
    const text =
      read(path)
        ?.slice(from - 1, to)
        .join('\n') ?? '';
    const names = new Set([...text.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*)\s*\(/gu)].map(([, name = '']) => name));
    return [...names].slice(0, mostFollowed).flatMap((name) => {
      const places = declared(wordOf(name).whole, name).filter((one) => !isInside(one.path, one.line));
      const own = places.filter((one) => one.path === path);
      const [place, ...others] = own.length > 0 ? own : places;
      if (place === undefined || others.length > 0) return [];
      return score([place.row]).map((candidate) => ({ candidate, line: place.line, name }));
    });
  });
  return called
    .toSorted((one, two) => two.candidate.lexical - one.candidate.lexical)
    .slice(0, mostCalled)
    .map(({ candidate, line, name }) => excerpt(partAt(candidate, line), `declares ${name}, which is called there`));
}

/** The part of a passage that holds a line. */
function partAt(candidate: Candidate, line: number): Ranked {
  const parts = partsOf(candidate.lines, candidate.from);
  const whole = { from: candidate.from, to: candidate.to };
  return { candidate, part: parts.find(({ to }) => line <= to) ?? whole, score: 0, meant: 0 };
}
