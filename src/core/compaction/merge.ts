// Summaries brought together, and cut to the space there is: what binds goes last, and before it the user's own sentences, the oldest first.

import type { ItemId } from '../dialog/dialog.ts';
import { stateText } from './stateText.ts';
import { type Section, type Summary, type SummaryEntry, sections } from './summary.ts';
import { namesOf, sharedWords } from './words.ts';

/** The most items an entry names: its first and its latest. */
const mostItems = 8;

/** Earlier entries first. The same words in the same section are one entry that names the items of both. */
export function merge(earlier: readonly SummaryEntry[], later: readonly SummaryEntry[]): readonly SummaryEntry[] {
  const merged = new Map<string, SummaryEntry>();
  for (const entry of [...earlier, ...later]) {
    const key = `${entry.section} ${entry.text.toLowerCase().replace(/[\s.!]+$/, '')}`;
    const known = merged.get(key);
    merged.set(key, known === undefined ? entry : joined(known, entry));
  }
  return newestSaid(newestGoals(withoutTakenBack(withoutRepeats([...merged.values()]))));
}

/** A name that the model only repeats stands in the user's own words already. */
function withoutRepeats(entries: readonly SummaryEntry[]): readonly SummaryEntry[] {
  const users = entries.flatMap(({ by, text }) => (by === 'user' ? [text] : [])).join('\n');
  const isName = ({ section }: SummaryEntry) => section === 'identifiers' || section === 'files';
  return entries.filter((entry) => entry.by === 'user' || !isName(entry) || !users.includes(entry.text));
}

function joined(known: SummaryEntry, entry: SummaryEntry): SummaryEntry {
  const items: readonly ItemId[] = [...new Set([...known.items, ...entry.items])];
  const named = items.length <= mostItems ? items : [...items.slice(0, 1), ...items.slice(1 - mostItems)];
  return { ...known, by: known.by === 'user' ? 'user' : entry.by, items: named };
}

/** The first goal says what it is all about, the latest what it is about now. */
function newestGoals(entries: readonly SummaryEntry[]): readonly SummaryEntry[] {
  const goals = entries.filter(({ section }) => section === 'goal');
  const kept = new Set(goals.length <= 2 ? goals : [goals[0], goals.at(-1)]);
  return entries.filter((entry) => entry.section !== 'goal' || kept.has(entry));
}

/** More sentences of the user that bind nobody are not kept, however long a conversation is. */
const mostSaid = 200;

function newestSaid(entries: readonly SummaryEntry[]): readonly SummaryEntry[] {
  const said = entries.filter(({ section }) => section === 'said');
  if (said.length <= mostSaid) return entries;
  const kept = new Set(said.slice(-mostSaid));
  return entries.filter((entry) => entry.section !== 'said' || kept.has(entry));
}

/** Ranks for cutting, lowest first: lines of what was done, names that tools can find again, then the user's sentences, and last what binds. */
const order: Readonly<Record<Section, { readonly model: number; readonly user: number }>> = {
  done: { model: 0, user: 9 },
  files: { model: 1, user: 2 },
  identifiers: { model: 2, user: 3 },
  said: { model: 5, user: 8 },
  openThreads: { model: 5, user: 10 },
  goal: { model: 6, user: 12 },
  decisions: { model: 6, user: 11 },
  preferences: { model: 7, user: 10 },
  approvals: { model: 8, user: 11 },
  constraints: { model: 8, user: 12 },
};

/** Steps by which an entry differs from its section; `at`: its place among so many there. */
function stepOf({ section, text }: SummaryEntry, at: number, of: number): number {
  // A line alone says what all of it came to.
  if (section === 'done') return of === 1 ? 9 : 0;
  if (section === 'identifiers') return isOfItsOwn(text) ? 2 : 0;
  if (section !== 'said') return 0;
  // A question was answered when it was asked; the first sentence says what it is all about.
  if (/[?？؟]$/.test(text)) return -4;
  return at === 0 || namesOf(text).identifiers.some(isOfItsOwn) ? 1 : 0;
}

/** A name that no search of the workspace would find again: a number, a ticket, a host, a version. */
function isOfItsOwn(name: string): boolean {
  return /\d/.test(name);
}

/**
 * Leaves entries out, the least important first, until the text has at most so many characters. Of what was said and done the oldest
 * goes first; of what binds the middle, because the first says what it is about and the latest what is now.
 */
export function shrink({ entries, left }: Summary, characters: number): Summary {
  const ranked = ranking(entries);
  const shrunk = (count: number): Summary => {
    if (count === entries.length) return { entries, left };
    const kept = new Set(ranked.slice(0, count));
    return { entries: entries.filter((entry) => kept.has(entry)), left: left + entries.length - count };
  };
  let [fits, over] = [0, entries.length + 1];
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    if (stateText(shrunk(middle)).length <= characters) fits = middle;
    else over = middle;
  }
  return shrunk(fits);
}

/** The most important first. */
function ranking(entries: readonly SummaryEntry[]): readonly SummaryEntry[] {
  const ranked = sections.flatMap((section) => {
    const own = entries.filter((entry) => entry.section === section);
    return own.map((entry, at) => ({
      entry,
      rank: order[section][entry.by] + stepOf(entry, at, own.length),
      mentions: section === 'said' ? 0 : Math.min(entry.items.length, 3),
      age: entry.by === 'user' && section !== 'said' ? Math.min(at, own.length - 1 - at) : own.length - at,
    }));
  });
  ranked.sort((a, b) => b.rank - a.rank || b.mentions - a.mentions || a.age - b.age);
  return ranked.map(({ entry }) => entry);
}

// Corrections by the user: "forget X", "instead of X", "no longer X". An earlier choice that names X gives way to the later words.
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
function takenBack(text: string): string | null {
  const [found] = takings.flatMap((taking) => taking.exec(text)?.[1] ?? []);
  return found === undefined ? null : found.replace(/^(?:the|a|an|our|die|der|das|den) /i, '');
}

/** The entries without former choices that a later message of the user takes back. */
function withoutTakenBack(entries: readonly SummaryEntry[]): readonly SummaryEntry[] {
  const later = entries.map((entry) => (entry.by === 'user' ? takenBack(entry.text) : null));
  return entries.filter(
    (entry, at) =>
      !choices.includes(entry.section) ||
      !later.some((what, i) => i > at && what !== null && sharedWords(what, entry.text) >= namesIt),
  );
}
