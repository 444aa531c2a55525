// Chooses summary entries that may outlive the session: new ones in the user's own words, each to be confirmed by the user.

import type { Proposal } from '../compactionRow.ts';
import type { Section, SummaryEntry } from '../summary.ts';

const kinds: Partial<Record<Section, Proposal['kind']>> = {
  preferences: 'preference',
  decisions: 'decision',
  approvals: 'decision',
  openThreads: 'work',
};

/** At most these are put to the user at once. */
const most = 6;

/** Proposes only entries that come from a message of the user: the words of files and tools are never proposed. */
export function proposalsOf(
  entries: readonly SummaryEntry[],
  earlier: readonly SummaryEntry[],
  newId: () => string,
): readonly Proposal[] {
  return entries
    .filter(({ by, items }) => by === 'user' && items.length > 0)
    .filter((entry) => !earlier.some(({ text }) => text === entry.text))
    .flatMap(({ section, text, items }): readonly Proposal[] => {
      const kind = kinds[section];
      return kind === undefined ? [] : [{ id: newId(), kind, text, items, state: 'waiting' }];
    })
    .slice(0, most);
}
