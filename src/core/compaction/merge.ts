// Summaries brought together, and cut to the space there is: what binds and what the user said goes last.
import type { ItemId } from '../dialog/dialog.ts';
import { withoutTakenBack } from './corrections.ts';
import { stateText } from './stateText.ts';
import { type Section, type Summary, type SummaryEntry, sections } from './summary.ts';

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
  return newestGoals(withoutTakenBack(withoutRepeats([...merged.values()])));
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

/** Ranks for cutting, lowest first: the model's words before the user's, and facts that tools can find again before the rest. */
const order: Readonly<Record<Section, { readonly model: number; readonly user: number }>> = {
  done: { model: 0, user: 3 },
  files: { model: 1, user: 4 },
  identifiers: { model: 2, user: 5 },
  goal: { model: 6, user: 12 },
  openThreads: { model: 5, user: 10 },
  decisions: { model: 6, user: 10 },
  preferences: { model: 7, user: 10 },
  said: { model: 5, user: 10 },
  approvals: { model: 8, user: 11 },
  constraints: { model: 8, user: 12 },
};

/** A name that no search of the workspace would find again: a number, a ticket, a host, a version. */
function isOfItsOwn({ section, text }: SummaryEntry): boolean {
  return section === 'identifiers' && /\d/.test(text);
}

/**
 * Leaves entries out, the least important first, until the text has at most so many characters. Of the model's words the
 * oldest go first; of the user's those in the middle, because the first say what it is about and the latest what is now.
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
      rank: order[section][entry.by] + (isOfItsOwn(entry) ? 4 : 0),
      mentions: Math.min(entry.items.length, 3),
      age: entry.by === 'user' ? Math.min(at, own.length - 1 - at) : own.length - at,
    }));
  });
  ranked.sort((a, b) => b.rank - a.rank || b.mentions - a.mentions || a.age - b.age);
  return ranked.map(({ entry }) => entry);
}
