// How other products place an edit, written from what their documentation and release notes describe: each a ladder that gets more
// lenient until something fits.

/** The changed text; null where it refuses. */
export type Ladder = (text: string, old: string, put: string) => string | null;

const linesOf = (text: string) => text.split('\n');

function lineFits(
  lines: readonly string[],
  wanted: readonly string[],
  same: (own: string, asked: string) => boolean,
): readonly number[] {
  const fits: number[] = [];
  for (let at = 0; at + wanted.length <= lines.length; at++)
    if (wanted.every((line, i) => same(lines[at + i] ?? '', line))) fits.push(at);
  return fits;
}

function splice(lines: readonly string[], at: number, count: number, put: string): string {
  return [...lines.slice(0, at), ...(put === '' ? [] : linesOf(put)), ...lines.slice(at + count)].join('\n');
}

const trimmedRows = (text: string) => linesOf(text.replace(/\n$/, ''));

/** Exact, then with the missing leading blanks put back, then by likeness of at least 0.8; the first place counts. (aider's search and replace blocks) */
export const byLikeness: Ladder = (text, old, put) => {
  if (text.includes(old)) return text.replace(old, () => put);
  const [lines, wanted] = [linesOf(text), trimmedRows(old)];
  const [moved] = lineFits(lines, wanted, (own, asked) => own.trimStart() === asked.trimStart());
  if (moved !== undefined) {
    const own = /^\s*/.exec(lines[moved] ?? '')?.[0] ?? '';
    const asked = /^\s*/.exec(wanted[0] ?? '')?.[0] ?? '';
    const lead = own.slice(0, Math.max(0, own.length - asked.length));
    return splice(
      lines,
      moved,
      wanted.length,
      trimmedRows(put)
        .map((line) => (line === '' ? '' : lead + line))
        .join('\n'),
    );
  }
  let best = { at: -1, count: 0, ratio: 0 };
  for (const count of [wanted.length - 1, wanted.length, wanted.length + 1]) {
    for (let at = 0; count > 0 && at + count <= lines.length; at++) {
      const ratio = likeness(lines.slice(at, at + count).join('\n'), wanted.join('\n'));
      if (ratio > best.ratio) best = { at, count, ratio };
    }
  }
  return best.ratio < 0.8 ? null : splice(lines, best.at, best.count, put.replace(/\n$/, ''));
};

/** Exact, then lines without the blanks around them, then a block whose first and last lines fit; the first place counts. (Cline's) */
export const byAnchors: Ladder = (text, old, put) => {
  if (text.includes(old)) return text.replace(old, () => put);
  const [lines, wanted] = [linesOf(text), trimmedRows(old)];
  const [trimmed] = lineFits(lines, wanted, (own, asked) => own.trim() === asked.trim());
  if (trimmed !== undefined) return splice(lines, trimmed, wanted.length, put.replace(/\n$/, ''));
  if (wanted.length < 3) return null;
  const anchored = lines.findIndex(
    (line, at) => line.trim() === wanted[0]?.trim() && lines[at + wanted.length - 1]?.trim() === wanted.at(-1)?.trim(),
  );
  return anchored < 0 ? null : splice(lines, anchored, wanted.length, put.replace(/\n$/, ''));
};

/** Exact if it is the only one; then trimmed lines, anchors with likeness of the middle, all blanks as one, without indentation; each must be the only one. (opencode's) */
export const byChain: Ladder = (text, old, put) => {
  const only = text.split(old).length === 2;
  if (only) return text.replace(old, () => put);
  if (text.includes(old)) return null;
  const [lines, wanted] = [linesOf(text), trimmedRows(old)];
  const flat = (line: string) => line.replace(/\s+/g, ' ').trim();
  const ways = [
    lineFits(lines, wanted, (own, asked) => own.trim() === asked.trim()),
    wanted.length < 3 ? [] : anchors(lines, wanted),
    lineFits(lines, wanted, (own, asked) => flat(own) === flat(asked)),
  ];
  for (const fits of ways) {
    const [at] = fits;
    if (at === undefined) continue;
    if (fits.length > 1) return null;
    return splice(lines, at, wanted.length, put.replace(/\n$/, ''));
  }
  return null;
};

/** A single candidate counts however unlike its middle is. */
function anchors(lines: readonly string[], wanted: readonly string[]): readonly number[] {
  const fits = lines.flatMap((line, at) =>
    line.trim() === wanted[0]?.trim() && lines[at + wanted.length - 1]?.trim() === wanted.at(-1)?.trim() ? [at] : [],
  );
  if (fits.length < 2) return fits;
  const middle = wanted.slice(1, -1).join('\n');
  const best = fits
    .map((at) => ({ at, ratio: likeness(lines.slice(at + 1, at + wanted.length - 1).join('\n'), middle) }))
    .toSorted((a, b) => b.ratio - a.ratio)[0];
  return best !== undefined && best.ratio >= 0.3 ? [best.at] : [];
}

/** Twice the length of the longest common subsequence of words, by all of them. */
function likeness(one: string, other: string): number {
  const [a, b] = [one.match(/\w+|\W/g) ?? [], other.match(/\w+|\W/g) ?? []];
  if (a.length === 0 || b.length === 0 || Math.min(a.length, b.length) < Math.max(a.length, b.length) / 2) return 0;
  let row = new Array<number>(b.length + 1).fill(0);
  for (const left of a) {
    const next = [0];
    for (let j = 1; j <= b.length; j++)
      next.push(left === b[j - 1] ? (row[j - 1] ?? 0) + 1 : Math.max(row[j] ?? 0, next[j - 1] ?? 0));
    row = next;
  }
  return (2 * (row[b.length] ?? 0)) / (a.length + b.length);
}
