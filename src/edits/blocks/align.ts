// Which lines of a file a block repeats, changes, adds and leaves out: an alignment of the least cost, in which a line that stands for
// left-out code takes any number of the file's lines with it (Needleman and Wunsch, 1970, with wildcards).

/** Cells of the table at most: it grows with both lengths. */
const most = 1_000_000;

const cost = { same: 0, moved: 0.05, blank: 0.1, line: 1, taken: 0.01 } as const;
/** So much of two lines is alike, at least, where one is a version of the other; less where both end a function, as far in. */
const alike = 0.55;
const alikeEnds = 0.25;
const alikeSurely = 0.8;
const alikePerhaps = 0.5;

/**
 * For each line of the block the file's line that it is, changed or not; -1 where it is new, or a wildcard. A changed line counts only beside
 * one that is the same, or at an end of both: alone it may as well be a new one. `isApart`: lines that are no versions of each other, however
 * alike. Null where the texts are too long to be compared.
 */
export function align(
  file: readonly string[],
  block: readonly string[],
  wildcards: ReadonlySet<number> = new Set(),
  isApart: (old: string, now: string) => boolean = () => false,
): readonly number[] | null {
  const [n, m] = [file.length, block.length];
  if ((n + 1) * (m + 1) > most) return null;
  const width = m + 1;
  const table = new Float64Array((n + 1) * width);
  const step = new Uint8Array((n + 1) * width);
  const pair = pairing(file, block, wildcards, isApart);
  const price = (line: string | undefined) => (line?.trim() === '' ? cost.blank : cost.line);
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= m; j++) {
      if (i === 0 && j === 0) continue;
      const at = i * width + j;
      const isWild = wildcards.has(j - 1);
      const drop = i === 0 ? Infinity : (table[at - width] ?? 0) + (isWild ? cost.taken : price(file[i - 1]));
      const add = j === 0 ? Infinity : (table[at - 1] ?? 0) + (isWild ? 0 : price(block[j - 1]));
      const keep = i === 0 || j === 0 ? Infinity : (table[at - width - 1] ?? 0) + pair(i - 1, j - 1);
      const least = Math.min(keep, add, drop);
      table[at] = least;
      // The order of these tests settles ties: lines further in front are paired.
      step[at] = least === drop ? 2 : least === keep ? 0 : 1;
    }
  }
  return inRuns(traced(step, n, m), file, block);
}

function traced(step: Uint8Array, n: number, m: number): readonly number[] {
  const of = new Array<number>(m).fill(-1);
  let [i, j] = [n, m];
  while (i > 0 || j > 0) {
    const way = step[i * (m + 1) + j];
    if (way === 0) of[j - 1] = i - 1;
    if (way !== 1) i -= 1;
    if (way !== 2) j -= 1;
  }
  return of;
}

function inRuns(of: readonly number[], file: readonly string[], block: readonly string[]): readonly number[] {
  const kept = [...of];
  const isSame = (at: number) => block[at]?.trim() !== '' && file[of[at] ?? -1]?.trim() === block[at]?.trim();
  // A run at an end is none where it is the body of something new.
  const isEdge = (at: number, from: number) =>
    (of[at] === 0 && at === 0) ||
    (of[at] === file.length - 1 &&
      at === block.length - 1 &&
      !(of[from - 1] === -1 && /[:{]\s*$/.test(block[from - 1] ?? '')));
  const isBlank = (at: number) => block[at]?.trim() === '';
  for (let at = 0; at < of.length; ) {
    let end = at + 1;
    while (end < of.length && of[at] !== -1 && of[end] === (of[end - 1] ?? 0) + 1 && !isBlank(at) && !isBlank(end))
      end += 1;
    const run = Array.from({ length: end - at }, (_, k) => at + k);
    if (
      !isBlank(at) &&
      !run.some((one) => isSame(one) || isEdge(one, at) || isNearlyAll(file[of[one] ?? -1] ?? '', block[one] ?? ''))
    )
      kept.fill(-1, at, end);
    at = end;
  }
  return kept;
}

/** A line as it is compared again and again. */
interface Compared {
  readonly line: string;
  readonly bare: string;
  readonly words: readonly string[];
  readonly head: string;
  /** The word that ends a function; '' for none. */
  readonly end: string;
}

function compared(line: string): Compared {
  return { line: line.trimEnd(), bare: line.trim(), words: wordsOf(line), head: headOf(line), end: endWord(line) };
}

/** The cost of taking one line for the other. */
function pairing(
  file: readonly string[],
  block: readonly string[],
  wildcards: ReadonlySet<number>,
  isApart: (old: string, now: string) => boolean,
) {
  const parts = [file.map(compared), block.map(compared)] as const;
  return (i: number, j: number): number => {
    const [old, now] = [parts[0][i], parts[1][j]];
    if (old === undefined || now === undefined || wildcards.has(j)) return Number.POSITIVE_INFINITY;
    if (old.line === now.line) return cost.same;
    if (old.bare === now.bare) return cost.moved;
    if (old.bare === '' || now.bare === '') return Number.POSITIVE_INFINITY;
    const isSame = old.head !== '' && old.head === now.head;
    const least = isSame ? 0 : old.end !== '' && old.end === now.end ? alikeEnds : alike;
    const [few, many] = [old.words.length, now.words.length].sort((a, b) => a - b) as [number, number];
    if ((2 * few) / Math.max(1, few + many) < least) return Number.POSITIVE_INFINITY;
    const likeness = likenessOf(old.words, now.words);
    return likeness < least || isApart(file[i] ?? '', block[j] ?? '')
      ? Number.POSITIVE_INFINITY
      : 1 - likeness + cost.moved;
  };
}

const wordsOf = (line: string): readonly string[] => line.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

const endWord = (line: string) => /^\s*(return|throw|yield|raise)\b/.exec(line)?.[1] ?? '';

/** Whether two lines end a function. */
export function bothEnd(one: string, other: string): boolean {
  return endWord(one) !== '' && endWord(one) === endWord(other);
}

/** How much of the words of two lines is the same, signs aside: 1 for all. */
function sharedWords(one: string, other: string): number {
  const words = (line: string) => wordsOf(line.toLowerCase()).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return likenessOf(words(one), words(other));
}

/** Whether a line says nearly the same as another. */
export function isNearlyAll(one: string, other: string): boolean {
  return sharedWords(one, other) >= alikeSurely;
}

/** Whether a line may be another version of one. */
export function mayBeVersion(one: string, other: string): boolean {
  return isSameThing(one, other) || sharedWords(one, other) >= alikePerhaps;
}

/** Whether two lines give a value to the same thing, or call it. */
export function isSameThing(one: string, other: string): boolean {
  const [left, right] = [headOf(one), headOf(other)];
  return left !== '' && left === right;
}

/** Words in front of a bracket, a colon or an equals sign; '' where there are none, or only a keyword. */
function headOf(line: string): string {
  const head = /^(.*?)\s*[=:({]/.exec(line.trim())?.[1] ?? '';
  return /^(?:if|for|while|switch|return|else|try|catch|with|elif|throw|raise|yield|case|match|import|from|export|use|using)?$/.test(
    head,
  )
    ? ''
    : head;
}

/** Dice's coefficient of two lists of words, counting each as often as it stands. */
function likenessOf(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of one) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of other) {
    const many = left.get(word) ?? 0;
    if (many > 0) {
      shared += 1;
      left.set(word, many - 1);
    }
  }
  return (2 * shared) / Math.max(1, one.length + other.length);
}
