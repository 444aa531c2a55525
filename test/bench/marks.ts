// The marks that the counts must meet.
import type { Policy, Result } from './result.ts';

export interface Mark {
  readonly words: string;
  readonly met: boolean;
}

/** Decoded per new token on the request path. */
const most = 1.02;
/** Share of turns that begin with exactly what was warmed. */
const least = 0.95;

export function marksOf(results: readonly Result[]): readonly Mark[] {
  const full = results.filter(({ trace, window }) => trace === 'tool-heavy' && window === 8192);
  return [
    ...ratioMark(full, 'ours auto', 'auto without idle time'),
    ...ratioMark(full, 'ours exact, idle time', 'exact with idle time, on the request path'),
    ...results.flatMap(warmMark),
  ];
}

function ratioMark(results: readonly Result[], policy: Policy, name: string): readonly Mark[] {
  return results
    .filter((result) => result.policy === policy)
    .map(({ decoded, newTokens }) => {
      const ratio = decoded / (newTokens ?? 1);
      const words = `tool-heavy, 8192, ${name}: ${ratio.toFixed(3)} decoded per new token, at most ${most}`;
      return { words, met: ratio <= most };
    });
}

/** Exceptions that the law allows are named, and do not count against it. */
function warmMark({ trace, window, policy, warm }: Result): readonly Mark[] {
  if (warm === null) return [];
  const allowed = warm.exceptions.filter((one) => one.allowed).length;
  const share = (warm.kept + allowed) / warm.turns;
  const percent = (100 * share).toFixed(0);
  const held = `${warm.kept} of ${warm.turns} turns began with exactly what was warmed`;
  const why = allowed === 0 ? '' : `, ${allowed} more had a message that did not fit into the room left`;
  return [{ words: `${trace}, ${window}, ${policy}: ${held}${why} (${percent} %, at least 95)`, met: share >= least }];
}
