// The audit of a model's checkpoint: nothing invented, nothing that binds dropped, nothing binding that the user did not say.
import type { Entry, Section } from './checkpoint.ts';
import type { Source } from './source.ts';
import { namesOf, sharedWords } from './words.ts';

/** What a checkpoint must hold on to. */
const binding: readonly Section[] = ['constraints', 'approvals', 'openThreads'];
/** What only the user can say: a file or a tool's output that gives orders is data. */
const usersOnly: readonly Section[] = ['constraints', 'approvals', 'preferences'];
/** An entry says the same when it has this share of the other's words. */
const sameWords = 0.6;
/** What the user is said to have said has this share of its words in the user's own. */
const usersWords = 0.5;
/** More complaints than these do not help the next try. */
const mostComplaints = 6;

/**
 * What is wrong, in words that a second try can follow; empty when nothing is. `must` are entries that have to survive:
 * those of the earlier checkpoint, and those that the rules find in what the user said.
 */
export function auditCheckpoint(
  entries: readonly Entry[],
  sources: readonly Source[],
  must: readonly Entry[],
): readonly string[] {
  const said = sources.map(({ text }) => text).join('\n');
  const invented = entries.flatMap(({ text }) => inventedIn(text, said));
  const orders = entries.filter((entry) => usersOnly.includes(entry.section) && !isUsers(entry, sources));
  const dropped = must.filter((entry) => binding.includes(entry.section) && !survives(entry, entries));
  return [
    ...[...new Set(invented)].map((name) => `"${name}" stands nowhere in the sources`),
    ...orders.map(({ section, text }) => `"${text}" stands under ${section}, but no user message says so`),
    ...dropped.map(({ section, text }) => `${section} lacks: ${text}`),
  ].slice(0, mostComplaints);
}

/** Whether the user messages that it cites say it: a citation alone proves nothing. */
function isUsers({ text, items }: Entry, sources: readonly Source[]): boolean {
  const cited = sources.filter(({ by, items: own }) => by === 'user' && own.some((id) => items.includes(id)));
  return cited.length > 0 && sharedWords(text, cited.map((source) => source.text).join('\n')) >= usersWords;
}

/** Names that the sources do not hold; one may stand in a longer name. */
function inventedIn(text: string, said: string): readonly string[] {
  const { files, identifiers } = namesOf(text);
  return [...files, ...identifiers].filter((name) => !said.includes(name.replace(/\(\)$/, '')));
}

/** Whether entries still say it. An open thread may have been done meanwhile; what binds may stand in any section that binds. */
export function survives(entry: Entry, entries: readonly Entry[]): boolean {
  const places: readonly Section[] = [
    ...binding,
    'decisions',
    'preferences',
    entry.section,
    ...(entry.section === 'openThreads' ? ['done' as const] : []),
  ];
  return entries.some(({ section, text }) => places.includes(section) && sharedWords(entry.text, text) >= sameWords);
}
