// Ranks names by how well they fit what was typed: its letters must all be there, in their order.

/** Returns the entries that fit, at most `most`, the best first; equals keep the order given. */
export function rankByTyped<T>(
  typed: string,
  all: readonly T[],
  nameOf: (one: T) => string,
  most: number,
): readonly T[] {
  const wanted = typed.toLowerCase();
  return all
    .flatMap((one) => {
      const score = scoreOf(wanted, nameOf(one));
      return score === null ? [] : [{ one, score }];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ one }) => one);
}

/** The last part of a path counts most, then whole runs, then starts of words; null where a letter is missing. */
function scoreOf(wanted: string, name: string): number | null {
  if (wanted === '') return 0;
  const lower = name.toLowerCase();
  const base = lower.slice(lower.replace(/\/$/, '').lastIndexOf('/') + 1);
  const short = -name.length / 1000;
  if (base.startsWith(wanted)) return 400 + short;
  if (base.includes(wanted)) return 300 + short;
  if (lower.includes(wanted)) return 200 + short;
  const spread = spreadOf(wanted, name);
  return spread === null ? null : spread + short;
}

/** Points for letters that begin a word or follow one another. */
function spreadOf(wanted: string, name: string): number | null {
  const lower = name.toLowerCase();
  let points = 0;
  let before = -1;
  for (const letter of wanted) {
    const at = lower.indexOf(letter, before + 1);
    if (at < 0) return null;
    const begins = at === 0 || /[^a-z0-9]/.test(lower[at - 1] ?? '') || /[a-z][A-Z]/.test(name.slice(at - 1, at + 1));
    points += (at === before + 1 ? 2 : 0) + (begins ? 3 : 0);
    before = at;
  }
  return points;
}
