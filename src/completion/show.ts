// Chooses the part of a generated text that is shown at the caret, or says why nothing is: less is better than what the user has to read and refuse.

import type { WrittenPiece } from '../core/engine/completion.ts';
import { type AtCaret, type Caret, indentWidth, isBlank, type OpenText, opensBlock, takesBlock } from './caret.ts';
import type { GeneratedText } from './generated.ts';

/** Why nothing is shown. */
export type SilenceReason =
  | 'inside a word'
  | 'too much behind the caret'
  | 'a secret stands in this line'
  | 'the model has nothing to add'
  | 'it stands there already'
  | 'it repeats what stands above'
  | 'the model is not sure'
  | 'the file would no longer parse'
  | 'the text does not fit into the window'
  | 'what was typed differs'
  | 'the caret left';

/** `isPart`: it ends within a line, where the model is no longer sure. */
export type Shown = { readonly text: string; readonly isPart: boolean } | { readonly why: SilenceReason };

/** Lines of a block at most. */
export const mostLines = 8;
/** Characters behind the caret, but closing signs, with which nothing is asked. */
const mostBehind = 24;
/**
 * The probability that the model itself gives a text; below it nothing is shown. With texts cut behind the words that have it 82 are shown to 520 keys, 34 of
 * them right; 7 and 1 where a whole line had to have a quarter (docs/benchmarks.md).
 */
export const leastProbability = 0.5;

/** A reason not to ask the model; null where it may be asked. */
export function silenceBefore({ before, behind }: AtCaret): SilenceReason | null {
  if (!isBlank(before) && /^[\p{L}\p{N}_$]/u.test(behind)) return 'inside a word';
  if (behind.replace(/[\s)\]}>;,'"`:]/g, '').length > mostBehind) return 'too much behind the caret';
  return null;
}

/** `least`: the probability from which a text is shown. Of a block its first lines are shown as far as they have it, of a line its first words. */
export function shownOf(
  text: OpenText,
  caret: Caret,
  at: AtCaret,
  { text: whole, pieces, isCut }: GeneratedText,
  least: number,
): Shown {
  const generated = behindBlanks(whole, at.before);
  if (generated === null) return { why: 'the model has nothing to add' };
  const lines = takesBlock(at)
    ? blockOf(wholeLines(generated, isCut), at, text, caret)
    : [generated.split('\n', 1)[0] ?? ''];
  const below = text.lines.slice(caret.line + 1);
  const there = upToLineBelow(lines, below);
  const kept = takesBlock(at) ? withoutOpeners(there, at) : there;
  const joined = kept.join('\n').trimEnd();
  const all = withoutOverlap(joined, at.behind);
  const isThere = there.length < lines.length || all !== joined;
  if (isBlank(all)) return { why: isThere ? 'it stands there already' : 'the model has nothing to add' };
  if (isRepeated(all, text, caret)) return { why: 'it repeats what stands above' };
  const from = whole.length - generated.length;
  const sureOnes = sureLines(all, at, (length) => probabilityIn(pieces, from, from + length) >= least);
  const isPart = isBlank(sureOnes);
  const sure = isPart ? sureWords(all, (length) => probabilityUpTo(pieces, from, from + length), least) : sureOnes;
  if (isBlank(sure)) return { why: 'the model is not sure' };
  // Signs alone are typed sooner than read, and the editor closes brackets itself.
  return least > 0 && !/[\p{L}\p{N}]/u.test(sure) ? { why: 'the model has nothing to add' } : { text: sure, isPart };
}

/** A word, or a sign that is none. */
const wordPattern = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu;

/** The first words of a line that are worth most: the more of it, the better, as long as it is likely to be right. */
function sureWords(all: string, probabilityOf: (length: number) => number, least: number): string {
  const [line = ''] = all.split('\n', 1);
  const ends = [...line.matchAll(wordPattern)].map(({ 0: word, index }) => index + word.length);
  let best = { end: 0, worth: 0 };
  for (const end of ends) {
    const probability = probabilityOf(end);
    if (probability < least) break;
    if (probability * end > best.worth) best = { end, worth: probability * end };
  }
  return line.slice(0, best.end);
}

/** The probability of the tokens that begin in front of a place. */
function probabilityUpTo(pieces: readonly WrittenPiece[], from: number, end: number): number {
  let [at, all] = [0, 1];
  for (const { text, probability } of pieces) {
    if (at >= end) break;
    const next = at + text.length;
    if (next > from) all *= probability;
    at = next;
  }
  return all;
}

/** The most first lines of which the model is sure. */
function sureLines(all: string, at: AtCaret, isSure: (length: number) => boolean): string {
  for (
    let lines: readonly string[] = all.split('\n');
    lines.length > 0;
    lines = withoutOpeners(lines.slice(0, -1), at)
  ) {
    const text = lines.join('\n').trimEnd();
    if (isSure(text.length)) return text;
  }
  return '';
}

/** The probability of what stands between two places together with what was written right behind, which ends it; 1 where nothing is known. */
export function probabilityIn(pieces: readonly WrittenPiece[], from: number, end: number): number {
  let [at, all] = [0, 1];
  for (const { text, probability } of pieces) {
    if (at > end) break;
    const [begin, next] = [at, at + text.length];
    at = next;
    if (next <= from && text !== '') continue;
    all *= probability;
    if (begin >= end) break;
  }
  return all;
}

/** The text behind the blanks that stand in front of the caret already; null where its first line is further out. */
function behindBlanks(generated: string, before: string): string | null {
  if (before === '' || !isBlank(before)) return generated;
  if (generated.startsWith(before)) return generated.slice(before.length);
  return isBlank(generated.split('\n', 1)[0] ?? '') ? generated.replace(/^[ \t]*/, '') : null;
}

/** Up to the end of the block: a line further out ends it, unless it only closes what the first line opened. */
function blockOf(generated: string, at: AtCaret, text: OpenText, caret: Caret): readonly string[] {
  const [first = '', ...rest] = generated.split('\n');
  const opened = opensBlock(at.before);
  const base = isBlank(at.before) ? Math.max(at.before.length, 0) : indentWidth(text.lines[caret.line] ?? '');
  const kept = [first];
  for (const line of rest.slice(0, mostLines - 1)) {
    const isOut = !isBlank(line) && indentWidth(line) < base + (opened && !isBlank(at.before) ? 1 : 0);
    if (isOut && opened && indentWidth(line) === base && /^\s*[}\])]/.test(line)) return [...kept, line];
    if (isOut) return kept;
    // An empty line behind something parts it from what comes next.
    if (isBlank(line) && kept.some((one) => !isBlank(one))) return kept;
    kept.push(line);
  }
  return kept;
}

/** Without last lines that only open what nothing follows in; the rest of the user's own line may do so. */
function withoutOpeners(lines: readonly string[], { before }: AtCaret): readonly string[] {
  const least = isBlank(before) ? 0 : 1;
  let end = lines.length;
  while (end > least && (opensBlock(lines[end - 1] ?? '') || (end > 1 && isBlank(lines[end - 1] ?? '')))) end -= 1;
  return lines.slice(0, end);
}

/** Without a last line that was cut off in its middle, where there is another one. */
function wholeLines(generated: string, isCut: boolean): string {
  const end = isCut ? generated.lastIndexOf('\n') : -1;
  return end < 0 || isBlank(generated.slice(0, end)) ? generated : generated.slice(0, end);
}

function upToLineBelow(lines: readonly string[], below: readonly string[]): readonly string[] {
  const next = below.find((line) => !isBlank(line));
  if (next === undefined) return lines;
  const tells = /[\p{L}\p{N}]/u.test(next);
  const end = lines.findIndex((line, at) => line.trim() === next.trim() && (tells || at > 0));
  return end < 0 ? lines : lines.slice(0, end);
}

/** Without the end that stands behind the caret already. */
function withoutOverlap(text: string, behind: string): string {
  const rest = behind.trim();
  if (rest === '') return text;
  if (text.trim() === rest) return '';
  for (let length = Math.min(rest.length, text.length); length > 0; length--)
    if (text.endsWith(rest.slice(0, length)) && isWhole(rest, length)) return text.slice(0, text.length - length);
  return text;
}

/** A part of what stands behind is taken off where it ends at a word's end. */
function isWhole(rest: string, length: number): boolean {
  return (
    length === rest.length ||
    !/[\p{L}\p{N}_$]/u.test(rest[length - 1] ?? '') ||
    !/[\p{L}\p{N}_$]/u.test(rest[length] ?? '')
  );
}

/** The same line as the one above, or a line twice and more within. */
function isRepeated(text: string, { lines }: OpenText, { line, column }: Caret): boolean {
  const whole = ((lines[line] ?? '').slice(0, column) + text).split('\n').map((one) => one.trim());
  const tells = whole.filter((one) => one.length > 3);
  if (tells.length >= 3 && new Set(tells).size <= tells.length / 2) return true;
  const above = lines
    .slice(0, line)
    .filter((one) => !isBlank(one))
    .slice(-2);
  return whole.length === 1 && above.length === 2 && above.every((one) => one.trim() === whole[0]);
}
