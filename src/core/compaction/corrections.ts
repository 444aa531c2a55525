// Corrections by the user: "forget X", "instead of X", "no longer X". An earlier choice that names X gives way to the later words.
import type { Section, SummaryEntry } from './summary.ts';
import { sharedWords } from './words.ts';

const end = String.raw`(?=\s*(?:[:;,.!–—]|$)|\s+(?:and|use|take|go|but)\b)`;

/** The first group holds the thing taken back. */
const takings: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:forget(?: about)?|scrap|drop the idea of|instead of|rather than|no longer (?:use|want|need|need to)?|not going with) (.{2,80}?)${end}`,
    'i',
  ),
  /\b(?:switch|change|move|migrate) from (.{2,60}?) to\b/i,
  /\breplace (.{2,60}?) (?:with|by)\b/i,
  /\b(?:vergiss|statt|anstatt|anstelle von|nicht mehr) (.{2,60}?)(?=\s*(?:[:;,.!–—]|$)|\s+(?:und|sondern|nimm|nehmen)\b)/i,
];

/** The sections in which the latest word counts. What binds stays beside its correction: to drop it could be wrong. */
const choices: readonly Section[] = ['goal', 'preferences', 'decisions'];

/** Share of the words of what is taken back that a former choice names. */
const namesIt = 0.6;

/** Returns the thing that a sentence takes back, or null. */
export function takenBack(text: string): string | null {
  const [found] = takings.flatMap((taking) => taking.exec(text)?.[1] ?? []);
  return found === undefined ? null : found.replace(/^(?:the|a|an|our|die|der|das|den) /i, '');
}

/** The entries without former choices that a later message of the user takes back. */
export function withoutTakenBack(entries: readonly SummaryEntry[]): readonly SummaryEntry[] {
  const later = entries.map((entry) => (entry.by === 'user' ? takenBack(entry.text) : null));
  return entries.filter(
    (entry, at) =>
      !choices.includes(entry.section) ||
      !later.some((what, i) => i > at && what !== null && sharedWords(what, entry.text) >= namesIt),
  );
}
