// The audit of a model's summary: nothing invented, nothing that binds dropped, nothing binding that the user did not say.

import type { Section, SummaryEntry } from '../summary.ts';
import { isNegated, keepsNumbers, namesOf, ownWords, plainNumbers, sentencesOf, sharedWords } from '../words.ts';
import type { CitedSource } from './source.ts';

/** Sections that a new summary must not drop. */
const binding: readonly Section[] = ['constraints', 'approvals', 'openThreads'];
/** Sections that only the user can fill: a file or a tool's output that gives orders is data. */
export const usersOnly: readonly Section[] = ['constraints', 'approvals', 'preferences'];
/** An entry says the same when it has this share of the other's words. */
const sameWords = 0.6;
/** Least share of an entry's words that must be the user's own, for an entry attributed to the user. */
const usersWords = 0.5;
/** More complaints than these do not help the next try. */
const mostComplaints = 6;

/**
 * Lists the problems in words that a second try can follow; empty when there are none. `must` holds the entries that have to survive: those
 * of the earlier summary, and those that the rules find in the user's messages.
 */
export function auditSummary(
  entries: readonly SummaryEntry[],
  sources: readonly CitedSource[],
  must: readonly SummaryEntry[],
): readonly string[] {
  const said = sources.map(({ text }) => text).join('\n');
  const invented = entries.flatMap(({ text }) => inventedIn(text, said));
  const orders = entries.filter((entry) => usersOnly.includes(entry.section) && !isUsers(entry, sources, must));
  const dropped = must.filter((entry) => binding.includes(entry.section) && !survives(entry, entries));
  return [
    ...[...new Set(invented)].map((name) => `"${name}" stands nowhere in the sources`),
    ...orders.map(({ section, text }) => `"${text}" stands under ${section}, but no user message says so`),
    ...dropped.map(({ section, text }) => `${section} lacks: ${text}`),
  ].slice(0, mostComplaints);
}

/**
 * Whether the user messages that it cites say it, in the user's own words and not to the contrary: a citation alone
 * proves nothing. What the rules found in them counts too, because a short yes takes its words from the question.
 */
function isUsers(
  { text, items }: SummaryEntry,
  sources: readonly CitedSource[],
  must: readonly SummaryEntry[],
): boolean {
  // Text that the user wrote into a summary cites no items.
  const cited = sources.filter(
    ({ by, items: own }) => by === 'user' && (own.length === 0 || own.some((id) => items.includes(id))),
  );
  const found = must.filter((entry) => entry.by === 'user' && entry.items.some((id) => items.includes(id)));
  const own = cited.map((source) => ownWords(source.text.replace(/^User: /, '')).own);
  const said = [...own, ...found.map((entry) => entry.text)].join('\n');
  if (cited.length === 0 || sharedWords(text, said) < usersWords || !keepsNumbers(text, said)) return false;
  const same = sentencesOf(said).filter((sentence) => sharedWords(text, sentence) >= usersWords);
  return same.length === 0 || same.some((sentence) => isNegated(sentence) === isNegated(text));
}

/** Names that the sources do not hold. */
function inventedIn(text: string, said: string): readonly string[] {
  const { files, identifiers } = namesOf(text);
  const whole = plainNumbers(said);
  return [...files, ...identifiers].filter((name) => !stands(name.replace(/\(\)$/, ''), whole));
}

/** Whether a name stands in the text, where it may be a part of a path or a place; a plural or `name-based` is no other name. */
function stands(name: string, said: string): boolean {
  const plain = plainNumbers(name);
  const forms = [plain, plain.replace(/(?<=\p{L}{2})s$/u, ''), ...(/\d/.test(plain) ? [] : plain.split('-', 1))];
  return forms.some((form) => {
    const letter = String.raw`[\p{Script=Latin}\p{N}_]`;
    const before = /^\d/.test(form) ? String.raw`(?<!\d)` : /^[\p{L}_]/u.test(form) ? `(?<!${letter})` : '';
    const after = /\d$/.test(form) ? String.raw`(?!\d)` : /[\p{L}_]$/u.test(form) ? `(?!${letter})` : '';
    const escaped = form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    return new RegExp(before + escaped + after, 'u').test(said);
  });
}

/** Whether entries still say it. An open thread may have been done meanwhile; what binds may stand in any section that binds. */
export function survives(entry: SummaryEntry, entries: readonly SummaryEntry[]): boolean {
  const places: readonly Section[] = [
    ...binding,
    'decisions',
    'preferences',
    entry.section,
    ...(entry.section === 'openThreads' ? ['done' as const] : []),
  ];
  return entries.some(({ section, text }) => places.includes(section) && saysSame(entry, text));
}

/** A no must stay one where it matters, and a number the same. */
function saysSame({ section, text }: SummaryEntry, other: string): boolean {
  const turned = usersOnly.includes(section) && isNegated(text) !== isNegated(other);
  return !turned && keepsNumbers(text, other) && sharedWords(text, other) >= sameWords;
}
