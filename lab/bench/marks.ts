// The marks that the counts must meet.
import { compacted, type Policy, type Result } from './result.ts';

export interface Mark {
  readonly words: string;
  readonly met: boolean;
}

/** Decoded per new token on the request path, where turns are dropped and where they are compacted. */
const most = 1.02;
const mostCompacted = 1.03;
/** Decoded while idle per new token, by slots that erase. */
const mostIdle = 1;
const idling: readonly Policy[] = ['ours auto, idle time', 'ours auto, compacting while idle'];
/** Share of turns that begin with exactly what was warmed. */
const least = 0.95;

export function marksOf(results: readonly Result[]): readonly Mark[] {
  const full = results.filter(({ trace, window }) => trace === 'tool-heavy' && window === 8192);
  return [
    ...ratioMark(full, 'ours auto', 'auto without idle time'),
    ...ratioMark(full, 'ours exact, idle time', 'exact with idle time, on the request path'),
    ...results.filter(({ policy }) => compacted.includes(policy)).map(compactedMark),
    ...results.filter(({ policy }) => idling.includes(policy)).map(idleMark),
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

function compactedMark({ trace, window, policy, decoded, per }: Result): Mark {
  const ratio = decoded / per;
  const words = `${trace}, ${window}, ${policy}: ${ratio.toFixed(3)} decoded per new token, summaries among them, at most ${mostCompacted}`;
  return { words, met: ratio <= mostCompacted };
}

function idleMark({ trace, window, policy, decodedIdle, per }: Result): Mark {
  const ratio = (decodedIdle ?? 0) / per;
  const words = `${trace}, ${window}, ${policy}: ${ratio.toFixed(3)} decoded while idle per new token, at most ${mostIdle}`;
  return { words, met: ratio <= mostIdle };
}

/** Exceptions that the law allows are named, and do not count against it. */
function warmMark({ trace, window, policy, warm }: Result): readonly Mark[] {
  if (warm === null) return [];
  const allowed = warm.exceptions.filter((one) => one.allowed).length;
  const share = (warm.kept + allowed) / warm.turns;
  const percent = (100 * share).toFixed(0);
  const warmed = `${warm.kept} of ${warm.turns} turns began with exactly what was warmed`;
  const why = allowed === 0 ? '' : `, ${allowed} more had a message that did not fit into the room left`;
  return [
    { words: `${trace}, ${window}, ${policy}: ${warmed}${why} (${percent} %, at least 95)`, met: share >= least },
  ];
}
