// Whether what was found may not be what was asked for: nothing in the folder has a word that matters, and nothing stands out by meaning.
import type { Weighed } from './propose.ts';
import type { Near } from './vectors.ts';
import { weights } from './weights.ts';

/** How many passages behind the nearest one the others are taken to begin. */
const OTHERS = 10;

/** Words for the user and the model; empty where what was found holds. `any`: something was found. */
export function weakness(terms: readonly Weighed[], any: boolean, byMeaning: readonly Near[]): string {
  const [nearest] = byMeaning;
  const other = byMeaning[Math.min(OTHERS, byMeaning.length - 1)];
  if (nearest !== undefined && other !== undefined && nearest.cosine - other.cosine >= weights.standsOut) return '';
  const missing = terms.filter(({ own, frequency }) => own && frequency === 0);
  if (missing.length === 0) return any ? '' : 'nothing in the folder matches';
  return `nothing in the folder has ${missing.map(({ written }) => `"${written}"`).join(', ')}`;
}
