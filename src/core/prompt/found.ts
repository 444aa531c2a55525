// Passages of files and listings of folders, found for a message before the model is asked.
import type { AttachmentItem } from '../dialog/dialog.ts';
import type { FileLines } from '../dialog/filesNamed.ts';

/** A stretch of lines that is shown. Lines count from 1, both ends included. */
export interface FoundLines {
  readonly from: number;
  readonly lines: readonly string[];
}

/** Lines of one file in their order, or the listing of a folder, whose lines are its entries. */
export interface Passage {
  readonly kind: 'file' | 'folder';
  readonly path: string;
  /** At least one, in order, none touching another. */
  readonly stretches: readonly [FoundLines, ...FoundLines[]];
  /** Numbers of blank lines beside what is shown: where two passages meet at one, nothing is left out. */
  readonly blanks?: readonly number[];
  /** Names that the question has and the passage declares below its first line, which a small model would take for theirs. */
  readonly declares?: readonly { readonly name: string; readonly line: number }[];
  /** Why it was found, in a few words: `declares plural`, `matches queue, empty`. */
  readonly why: string;
  /** Its share of the score of the best passage; left out where it does not come from a ranking. */
  readonly score?: number;
}

export interface Found {
  /** The most useful first. */
  readonly passages: readonly Passage[];
  /** Why what was found may not be what was asked for; empty where that is not so. */
  readonly weak: string;
  /** Nothing was looked for: the message goes on with what stands in the prompt. */
  readonly goesOn?: true;
  /** The message asks for several things, or for a listing. */
  readonly several?: boolean;
}

/** A file of the folder that the index has nothing of but its path. */
export interface LeftOutFile {
  readonly path: string;
  /** In words. */
  readonly reason: string;
}

/** Files that the index leaves out, each with its reason, and how many are beyond its limit. */
export interface LeftOut {
  readonly files: readonly LeftOutFile[];
  readonly over: number;
}

export const nothingLeftOut: LeftOut = { files: [], over: 0 };

export const nothingFound: Found = { passages: [], weak: '' };

export function firstLine({ stretches }: Passage): number {
  return stretches[0].from;
}

export function lastLine({ stretches }: Passage): number {
  const { from, lines } = stretches.at(-1) ?? stretches[0];
  return from + lines.length - 1;
}

/** `src/pool.ts:12-40`; of a folder its path alone. */
export function passagePlace(passage: Passage): string {
  const path = passage.path === '.' ? '.' : passage.path;
  return passage.kind === 'folder' ? `${path}/` : `${path}:${firstLine(passage)}-${lastLine(passage)}`;
}

/** The text that the model reads: the place, then the lines without their common indentation, with notes for gaps. */
export function passageText(passage: Passage): string {
  const { stretches } = passage;
  const margin = marginOf(stretches.flatMap(({ lines }) => lines));
  const parts = stretches.flatMap(({ from, lines }, at) => {
    const before = stretches[at - 1];
    const gap = before === undefined ? [] : [gapText(before.from + before.lines.length, from - 1)];
    return [...gap, ...lines.map((line) => line.slice(margin).trimEnd())];
  });
  return [headOf(passage), ...parts].join('\n');
}

/** A small model answers with the first line that it reads, so that of a declaration stands in front of the lines that are shown. */
function headOf(passage: Passage): string {
  const [first, ...others] = passage.declares ?? [];
  if (first === undefined) return passagePlace(passage);
  const names = [`${passage.path}:${first.line} ${first.name}`, ...others.map(({ name, line }) => `${line} ${name}`)];
  return `${names.join(', ')} (lines ${firstLine(passage)}-${lastLine(passage)})`;
}

function gapText(from: number, to: number): string {
  return from === to ? `[line ${from} left out]` : `[lines ${from}-${to} left out]`;
}

function marginOf(lines: readonly string[]): number {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
  return indents.length === 0 ? 0 : Math.min(...indents);
}

/**
 * A text beside the user's words as it stands in their message, in segments: its first line, then the rest where there is any.
 * Attachments and found passages stand in front of the words: they can be read while these are written, and the question is the last
 * that the model reads. News that are told once stand behind.
 */
export function attachedTexts(given: Pick<AttachmentItem, 'head' | 'body' | 'of'>): readonly [string, ...string[]] {
  const { head, body } = given;
  const [stub, rest] = isInFront(given)
    ? [`${head}\n`, `${body.replace(/\n+$/, '')}\n\n`]
    : [`\n\n${head}`, `\n${body}`];
  return body === '' ? [stub] : [stub, rest];
}

/** In the place of the item that an attachment brings back: what a command put out, which the words behind it are about. */
export const outputOf = 'ran';

/** Whether an attachment stands in front of the user's words. */
export function isInFront({ of }: Pick<AttachmentItem, 'of'>): boolean {
  return of === undefined || of === outputOf;
}

/** Whether an attachment stands there because the user gave it. */
export function isGiven(one: Pick<AttachmentItem, 'of' | 'found'>): boolean {
  return isInFront(one) && one.found === undefined;
}

/** Joins two passages of one file: lines that both have are kept once. */
export function joined(one: Passage, two: Passage): Passage {
  const lines = new Map<number, string>();
  for (const { from, lines: texts } of [...one.stretches, ...two.stretches])
    for (const [at, text] of texts.entries()) lines.set(from + at, text);
  const blanks = [...(one.blanks ?? []), ...(two.blanks ?? [])].filter((at) => !lines.has(at));
  const isBetween = (at: number) =>
    [-1, 1].every((step) => lines.has(at + step) || (blanks.includes(at + step) && lines.has(at + 2 * step)));
  for (const at of blanks.filter(isBetween)) lines.set(at, '');
  const why = one.why === two.why || two.why === '' ? one.why : `${one.why}; ${two.why}`;
  const both = [...(one.declares ?? []), ...(two.declares ?? [])];
  const declares = both.length === 0 ? {} : { declares: both };
  return { ...one, ...declares, why, blanks, stretches: stretchesOf([...lines].toSorted((a, b) => a[0] - b[0])) };
}

/** The passage without lines that stand in the prompt already; null where nothing is left. A listing stays as it is. */
export function withoutLines(passage: Passage, places: readonly FileLines[]): Passage | null {
  const shown = passage.kind === 'file' ? places.filter(({ path }) => path === passage.path) : [];
  const isShown = (at: number) => shown.some(({ from, to }) => from <= at && at <= to);
  const numbered = passage.stretches.flatMap(({ from, lines }) =>
    lines.map((line, at): readonly [number, string] => [from + at, line]),
  );
  const left = numbered.filter(([at]) => !isShown(at));
  if (left.length === numbered.length) return passage;
  return left.some(([, line]) => line.trim() !== '') ? { ...passage, stretches: stretchesOf(left) } : null;
}

/** Numbered lines in their order as stretches. */
export function stretchesOf(lines: readonly (readonly [number, string])[]): Passage['stretches'] {
  const stretches: { from: number; lines: string[] }[] = [];
  for (const [number, text] of lines) {
    const last = stretches.at(-1);
    if (last !== undefined && last.from + last.lines.length === number) last.lines.push(text);
    else stretches.push({ from: number, lines: [text] });
  }
  const [first = { from: 1, lines: [] }, ...rest] = stretches;
  return [first, ...rest];
}
