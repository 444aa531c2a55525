// Whether what was found may not be what was asked for: where nothing in the folder has the words that matter.

import type { Ranked } from './fuse.ts';
import type { Weighed } from './propose.ts';

/** Words for the user and the model; empty where what was found holds. */
export function weakness(terms: readonly Weighed[], ranked: readonly Ranked[]): string {
  const missing = terms.filter(({ own, frequency }) => own && frequency === 0);
  if (missing.length === 0) return ranked.length === 0 ? 'nothing in the folder matches' : '';
  return `nothing in the folder has ${missing.map(({ written }) => `"${written}"`).join(', ')}`;
}
