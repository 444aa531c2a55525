// Whose words an entry is. A model writes in its own, and a citation proves nothing: what binds, and what may be proposed as the user's, stands in
// the very sentence of the message that it cites, with its object, its negation, its number and its unit.

import { sectionOf } from '../marks.ts';
import type { Section, SummaryEntry } from '../summary.ts';
import { isNegated, keepsNumbers, ownWords, piecesOf, sentencesOf, sharedWords } from '../words.ts';
import { usersOnly } from './audit.ts';
import type { CitedSource } from './source.ts';

/** Least share of an entry's words that must occur in the sentence it stands for. */
const leastShared = 0.5;

/** Sections that tell of the work; the entries of all others the user may have said. */
const ofTheWork: readonly Section[] = ['done', 'files', 'identifiers'];

/**
 * The entries in the user's own words where the messages that they cite say it; any other of those sections is the model's. `must`: what
 * the rules found, because a short yes takes its words from the question.
 */
export function inOwnWords(
  entries: readonly SummaryEntry[],
  sources: readonly CitedSource[],
  must: readonly SummaryEntry[],
): readonly SummaryEntry[] {
  return entries.map((entry) => {
    if (ofTheWork.includes(entry.section) || entry.by !== 'user') return entry;
    const found = sentenceFor(entry, candidatesOf(entry, sources, must));
    if (found === null) return { ...entry, by: 'model' };
    const told = sectionOf(found);
    const section =
      told !== null && usersOnly.includes(entry.section) && usersOnly.includes(told) ? told : entry.section;
    return { ...entry, section, text: found };
  });
}

function candidatesOf(
  { items }: SummaryEntry,
  sources: readonly CitedSource[],
  must: readonly SummaryEntry[],
): readonly string[] {
  const isCited = (own: readonly string[]) => own.length === 0 || own.some((id) => items.includes(id));
  const found = must.filter((one) => one.by === 'user' && isCited(one.items)).map(({ text }) => text);
  const said = sources
    .filter(({ by, items: own }) => by === 'user' && isCited(own))
    .flatMap(({ said: words }) => sentencesOf(ownWords(words).own).flatMap(piecesOf));
  return [...found, ...said].filter((sentence) => !/[?？؟]$/.test(sentence));
}

/** The sentence that shares the most words with an entry, says neither the contrary nor another number. */
function sentenceFor({ text }: SummaryEntry, sentences: readonly string[]): string | null {
  let [best, most]: [string | null, number] = [null, 0];
  for (const sentence of sentences) {
    if (isNegated(sentence) !== isNegated(text) || !keepsNumbers(text, sentence)) continue;
    const shared = sharedWords(text, sentence);
    const both = shared + sharedWords(sentence, text);
    if (shared >= leastShared && both > most) [best, most] = [sentence, both];
  }
  return best;
}
