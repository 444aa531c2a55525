// Left-out code, by comparison with the file: a comment or dots that the file lacks, and in whose place lines of the file are missing. Where
// the line says that it stands for them, they are filled in. Where it does not, the user is asked about the lines that would go.

import { align, bothEnd, isNearlyAll, isSameThing, mayBeVersion } from './align.ts';
import { allDeclarations, columnOf } from './declarations.ts';
import { declaredRegion } from './declaredPart.ts';
import { type Change, linesChange, plainLines } from './placeChange.ts';

/**
 * `doubts`: lines that go beside the gaps, perhaps unmeant. `unclear`: which lines a gap stands for cannot be told; `line` is the gap.
 */
export type Gaps =
  | { readonly is: 'none' }
  | { readonly is: 'filled'; readonly change: Change; readonly doubts: readonly Doubt[] }
  | { readonly is: 'unclear'; readonly line: string };

/** Lines that would give way to a comment which does not say that it stands for them. */
export interface Doubt {
  readonly comment: string;
  readonly gone: readonly string[];
}

const trimmed = (lines: readonly string[]) => new Set(lines.map((line) => line.trim()));
const withoutLast = (lines: readonly string[]) => (lines.at(-1) === '' ? lines.slice(0, -1) : lines);

/** `whole`: the code stands for all of the text, not perhaps for a part of it. */
export function fillGaps(base: string, code: string, path: string, whole = false): Gaps {
  const [file, block] = [withoutLast(plainLines(base)), withoutLast(plainLines(code))];
  const known = trimmed(file);
  const isNew = (line: string) => !known.has(line.trim());
  const inner = block.find((line) => isNew(line) && gapLine(line, path) === null && hasInnerGap(line));
  if (inner !== undefined) return { is: 'unclear', line: inner.trim() };
  const gaps = block.map((line, at) => isNew(line) && gapLine(line, path) === 'said' && !isBody(block, at, path));
  if (!gaps.includes(true)) return { is: 'none' };
  const opening = block.find((line, at) => !gaps[at] && line.trim() !== '');
  const isInside = (line: string) => columnOf(line) > columnOf(opening);
  const [first, last] = [
    gaps.findIndex((gap, at) => !gap && block[at]?.trim() !== ''),
    block.findLastIndex((line, at) => line.trim() !== '' && (!gaps[at] || isInside(line))),
  ];
  const unclear = { is: 'unclear', line: (block[gaps.indexOf(true)] ?? '').trim() } as const;
  if (first < 0) return unclear;
  const region = whole ? null : declaredRegion(block.slice(first, last + 1), file, path);
  const inside = gaps.slice(first, last + 1);
  // A gap at the edge of a part stands for what is around it.
  if (region !== null && !inside.includes(true))
    return { is: 'filled', change: linesChange(base, region.start, region.end, lined(region.block)), doubts: [] };
  const [start, end] = region === null ? [0, file.length - 1] : [region.start, region.end];
  const [lines, marks] = region === null ? [block, gaps] : [region.block, inside];
  const at = new Set(marks.flatMap((gap, i) => (gap ? [i] : [])));
  const filled = filledIn(file.slice(start, end + 1), lines, at, { path, whole: whole || region !== null });
  return filled === null
    ? unclear
    : { is: 'filled', change: linesChange(base, start, end, lined(filled.lines)), doubts: filled.doubts };
}

/** Dots that are all of a function's body are code in Python. */
function isBody(block: readonly string[], at: number, path: string): boolean {
  if (!/\.pyi?$/i.test(path) || block[at]?.trim() !== '...') return false;
  const [before, next] = [
    block.slice(0, at).findLast((line) => line.trim() !== ''),
    block.slice(at + 1).find((line) => line.trim() !== ''),
  ];
  return /:\s*$/.test(before ?? '') && (next === undefined || columnOf(next) < columnOf(block[at]));
}

const lined = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

interface Filled {
  readonly lines: readonly string[];
  readonly doubts: readonly Doubt[];
}

/** Beside a gap a changed line counts where nothing else can be meant: the file's line would be lost. */
function areOthers(
  file: readonly string[],
  block: readonly string[],
  path: string,
): (old: string, now: string) => boolean {
  const nameIn = remembered((line) => allDeclarations([line], path)[0]?.name);
  const once = (isLike: (one: string, other: string) => boolean) => {
    const isOnly = remembered((now) =>
      [file, block].every((lines) => lines.filter((one) => isLike(one, now)).length === 1),
    );
    return (old: string, now: string) => isLike(old, now) && isOnly(now);
  };
  const isVersion = once((one, other) => bothEnd(one, other) && columnOf(one) === columnOf(other));
  const isSame = once(isSameThing);
  return (old, now) => {
    const [was, is] = [nameIn(old), nameIn(now)];
    if (was !== undefined && is !== undefined && was !== is) return true;
    return !(isSame(old, now) || isVersion(old, now) || isNearlyAll(old, now));
  };
}

function remembered<T>(work: (line: string) => T): (line: string) => T {
  const known = new Map<string, T>();
  return (line) => {
    if (!known.has(line)) known.set(line, work(line));
    return known.get(line) as T;
  };
}

/** The block with the file's lines in its gaps; null where it is not clear which lines belong there. */
function filledIn(
  file: readonly string[],
  block: readonly string[],
  gaps: ReadonlySet<number>,
  { path, whole }: { readonly path: string; readonly whole: boolean },
): Filled | null {
  const of = align(file, block, gaps, areOthers(file, block, path));
  const first = of?.findIndex((line) => line >= 0) ?? -1;
  if (of === null || first < 0) return null;
  const last = of.findLastIndex((line) => line >= 0);
  // An excerpt leaves alone what stands in front of it and behind it, and has to begin and end with lines of the file.
  const [head, tail] = [file.slice(0, of[first]), file.slice((of[last] ?? 0) + 1)];
  const isLoose = (lines: readonly string[], from: number, to: number) =>
    lines.some((line) => line.trim() !== '') && block.slice(from, to).some((line) => line.trim() !== '');
  const opens = [...gaps].some((gap) => gap < first);
  const closes = [...gaps].some((gap) => gap > last);
  if (!whole && ((!opens && isLoose(head, 0, first)) || (!closes && isLoose(tail, last + 1, block.length))))
    return null;
  const filled = whole || opens ? [] : [...head];
  for (let at = 0; at < block.length; at++) {
    const taken = gaps.has(at) ? file.slice(...slotOf(of, at, file.length)) : null;
    if (taken === null) filled.push(block[at] ?? '');
    else if (otherIn(gaps, of, at) || mayReplace(taken, block, of, at) || !isContained(file, block, of, at))
      return null;
    else at = fill(filled, taken, { block, of, at });
  }
  if (!whole && !closes) filled.push(...tail);
  const gone = goneFrom(file, filled);
  const comment = (block[[...gaps][0] ?? 0] ?? '').trim();
  return losesNames(file, filled, path)
    ? null
    : { lines: filled, doubts: gone.length === 0 ? [] : [{ comment, gone }] };
}

/** Puts what a gap stands for behind the lines so far, without blank lines around the gap that the file does not have. Gives the block's last line that is done. */
function fill(
  filled: string[],
  taken: readonly string[],
  { block, of, at }: { readonly block: readonly string[]; readonly of: readonly number[]; readonly at: number },
): number {
  if (taken.every((line) => line.trim() === '')) {
    // A gap with nothing missing stays as a line like any other, unless it is our own mark.
    if (isOwnGap(block[at] ?? '')) filled.push(...taken);
    else filled.push(block[at] ?? '');
    return at;
  }
  const isExtra = (near: number) => block[near]?.trim() === '' && of[near] === -1;
  const isPaired = (near: number | undefined) => near !== undefined && near >= 0;
  let before = at - 1;
  while (isExtra(before)) before -= 1;
  if (isPaired(of[before])) filled.splice(filled.length - (at - 1 - before));
  filled.push(...taken);
  let end = at;
  while (isExtra(end + 1)) end += 1;
  return isPaired(of[end + 1]) ? end : at;
}

/** Lines of one text, but for blank ones, that the other has less often. */
function missingIn(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line.trim(), (left.get(line.trim()) ?? 0) + 1);
  return lines.filter((line) => {
    const many = left.get(line.trim()) ?? 0;
    left.set(line.trim(), many - 1);
    return line.trim() !== '' && many <= 0;
  });
}

/** Lines of the file that go where fewer come: some of them have nothing in their place. */
function goneFrom(file: readonly string[], filled: readonly string[]): readonly string[] {
  const gone = missingIn(file, filled);
  return gone.length > missingIn(filled, file).length ? gone : [];
}

/** Lines of the file between the nearest lines of it on both sides of a line of the block. */
function slotOf(of: readonly number[], at: number, length: number): readonly [from: number, to: number] {
  const before = of.slice(0, at).findLast((line) => line >= 0) ?? -1;
  const after = of.slice(at + 1).find((line) => line >= 0) ?? length;
  return [before + 1, after];
}

/** A new line beside the gap may be another version of one that the gap stands for. */
function mayReplace(taken: readonly string[], block: readonly string[], of: readonly number[], at: number): boolean {
  const isNear = (from: number) => from >= 0 && from < of.length && (of[from] === -1 || block[from]?.trim() === '');
  const fresh: string[] = [];
  for (const by of [-1, 1]) for (let near = at + by; isNear(near); near += by) fresh.push(block[near] ?? '');
  return fresh.some((line) => line.trim() !== '' && taken.some((one) => mayBeVersion(one, line)));
}

/** At least one line beside the gap is a line of the file as it is, or the block ends there. */
function isContained(file: readonly string[], block: readonly string[], of: readonly number[], at: number): boolean {
  const near = (by: 1 | -1) => {
    let to = at + by;
    while (block[to]?.trim() === '') to += by;
    return to;
  };
  return [near(-1), near(1)].some((to) => block[to] === undefined || file[of[to] ?? -1]?.trim() === block[to]?.trim());
}

/** Another gap stands in the same slot, so that nobody knows which lines belong to which. */
function otherIn(gaps: ReadonlySet<number>, of: readonly number[], at: number): boolean {
  let next = at + 1;
  while (next < of.length && of[next] === -1 && !gaps.has(next)) next += 1;
  return gaps.has(next);
}

function losesNames(file: readonly string[], lines: readonly string[], path: string): boolean {
  const names = new Set(allDeclarations(lines, path).map(({ name }) => name));
  return allDeclarations(file, path).some(({ name }) => !names.has(name));
}

/** Finds where a comment alone takes the place of code. Both texts are the same part of a file. */
export function doubtsIn(before: string, after: string, path: string): readonly Doubt[] {
  const [file, block] = [withoutLast(plainLines(before)), withoutLast(plainLines(after))];
  const known = trimmed(file);
  const isComment = (line: string) => gapLine(line, path) !== null;
  if (!block.some((line) => !known.has(line.trim()) && isComment(line))) return [];
  const of = align(file, block);
  if (of === null) {
    // Too long to be compared line by line.
    const gone = goneFrom(file, block);
    return gone.length === 0 ? [] : [{ comment: '', gone }];
  }
  // Lines that stand elsewhere in the block have only moved.
  const all = missingIn(
    block,
    of.map((line) => file[line] ?? ''),
  );
  const doubts: Doubt[] = [];
  for (let at = 0; at < block.length; at++) {
    if (of[at] !== -1) continue;
    let end = at;
    while (end < block.length && of[end] === -1) end += 1;
    const fresh = block.slice(at, end).filter((line) => line.trim() !== '');
    const gone = file.slice(...slotOf(of, at, file.length));
    const lost = missingIn(gone, all).filter((line) => !isComment(line));
    const comment = fresh.find((line) => !known.has(line.trim()) && isComment(line));
    const code = fresh.filter((line) => !isComment(line));
    if (comment !== undefined && lost.length > 0 && code.length * 2 < lost.length)
      doubts.push({ comment: comment.trim(), gone: lost });
    at = end;
  }
  return doubts;
}

// Lines that may stand for code which a model left out: comments of any kind, and dots. Whether one does is told by comparing with the file;
// whether it says so by itself is told here, by dots and a short list of words.

/** `said`: by its words it stands for left-out code. `comment`: any other comment. */
type GapLine = 'said' | 'comment';

const hashed =
  /\.(?:py|pyi|rb|sh|bash|zsh|fish|pl|pm|r|jl|ex|exs|nim|ya?ml|toml|tf|cfg|conf|ini|env|properties|mk|cmake|gitignore|dockerignore|ps1|nix|awk|tcl|cr)$|(?:^|[/\\])(?:\.[\w.-]+|(?:GNU)?[Mm]akefile|[Dd]ockerfile[\w.-]*|Gemfile|Rakefile|CMakeLists\.txt|requirements[\w-]*\.txt)$/i;
const dashed = /\.(?:sql|lua|hs|elm|adb|ads|vhdl?|psql|pgsql)$/i;
const markdown = /\.(?:md|mdx|markdown|qmd|rmd)$/i;

/** Marks around a comment that takes a whole line, in front of it and behind it, for files of any kind. */
const anyMarks: readonly (readonly [RegExp, RegExp])[] = [
  [/^\{?\/\*+/, /\*\/\}?$/],
  [/^<!--/, /-->$/],
  [/^\{\{?!--/, /--\}?\}$/],
  [/^<%#/, /%>$/],
  [/^@\*/, /\*@$/],
  [/^\{#/, /#\}$/],
  [/^\(\*/, /\*\)$/],
];
const textMarks: readonly (readonly [RegExp, RegExp])[] = [
  [/^\/\/+!?/, /$/],
  [/^\*(?!\/|\*)/, /(?:\*\/)?$/],
  [/^"""/, /"""$/],
  [/^'''/, /'''$/],
  [/^REM\b/i, /$/],
  [/^'(?=\s)/, /$/],
  [/^%+(?=\s)/, /$/],
  [/^;+(?=\s)/, /$/],
];

/** Recognizes our own mark for left-out lines, which stands in passages of files in prompts. */
function isOwnGap(line: string): boolean {
  return /^\[lines? \d+(?:-\d+)? left out\]$/.test(line.trim());
}

/** Tells whether a line says that code was left out, or is some other comment; null for a line that is neither a comment nor dots. */
export function gapLine(line: string, path: string): GapLine | null {
  const text = line.trim();
  if (text === '') return null;
  if (isOwnGap(text)) return 'said';
  const inner = commentIn(text, path);
  const words = inner ?? bracketed(text) ?? (/^(?:\.{3}|…)/.test(text) && !/^\.{3}[\w$([{]/.test(text) ? text : null);
  if (words !== null && saysLeftOut(words)) return 'said';
  if (inner !== null) return 'comment';
  // A mark of another language counts where its words leave no doubt.
  return /^(?:#|--)\s/.test(text) && !markdown.test(path) && saysLeftOut(text.replace(/^(?:#|--)\s*/, ''))
    ? 'said'
    : null;
}

function commentIn(text: string, path: string): string | null {
  const marks = [...anyMarks, ...(markdown.test(path) ? [] : textMarks)];
  if (hashed.test(path)) marks.push([/^#+(?![!{[])/, /$/]);
  if (dashed.test(path)) marks.push([/^--+(?!>)/, /$/]);
  for (const [open, close] of marks) {
    if (!open.test(text)) continue;
    const rest = text.replace(open, '');
    if (close.test(rest)) return rest.replace(close, '').trim();
  }
  return null;
}

/** A comment that stands beside code, or in its brackets, for left-out code: which lines it stands for cannot be told. */
function hasInnerGap(line: string): boolean {
  const dots = [...line.matchAll(/\/\*(.*?)\*\/|(?:\/\/|#)\s*(.*)$/g)].map(([, block, rest]) =>
    (block ?? rest ?? '').trim(),
  );
  const bodies = [...line.matchAll(/[{([]\s*(?:\/\*(.*?)\*\/)\s*[\])}]/g)].map(([, words = '']) => words.trim());
  const stub = /(?:^|\s)(?:pass|\.\.\.|todo!\(\)|unimplemented!\(\))\s*;?\s*(?:#|\/\/)\s*(.*)$/.exec(line)?.[1] ?? '';
  return (
    dots.some((words) => /^(?:\.{3}|…)/.test(words) && saysLeftOut(words)) ||
    [...bodies, stub].some((words) => words !== '' && saysLeftOut(words))
  );
}

/** Words in brackets, or in emphasis of Markdown, that are all of a line. */
function bracketed(text: string): string | null {
  return (
    /^(?:\[([^[\]]*)\]|\(([^()]*)\)|<([^<>/]*)>|\{([^{}]*)\}|_([^_]*)_|\*([^*]*)\*)$/
      .exec(text)
      ?.slice(1)
      .find((one) => one !== undefined) ?? null
  );
}

const triggers =
  'rest remaining remainder existing unchanged previous same omitted omit elided truncated skipped snip snipped keep kept original other others more continue continues etc'.split(
    ' ',
  );
/** Words that may stand beside one, where there are no dots. */
const beside =
  'code file files function functions method methods class classes implementation implementations logic import imports line lines content contents section sections test tests case cases field fields property properties item items entry entries route routes rule rules style styles config configuration component components handler handlers definition definitions declaration declarations body block part parts loop everything all the of this that your my here goes go as is are was were be before in and for brevity clarity remain remains stay stays like it its with no not change changes changed modified untouched step steps markup template html query queries column columns setting settings option options key keys value values stage stages'.split(
    ' ',
  );
const isTrigger: ReadonlySet<string> = new Set(triggers);
const isKnown: ReadonlySet<string> = new Set([...triggers, ...beside]);

/** Whether words say that code was left out: dots, or nothing but words of the list. */
function saysLeftOut(text: string): boolean {
  const bare = text.trim().replace(/^[([{<*_\-\s]+|[)\]}>*_\-\s]+$/g, '');
  const [leads, ends] = [/^(?:\.{3}|…|\. \. \.)/.test(bare), /(?:\.{3}|…)$/.test(bare)];
  const words = bare.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  if (words.length === 0) return leads;
  if (words.length > 14) return false;
  const isPlain = words.every((word) => isKnown.has(word));
  const triggered = words.some((word) => isTrigger.has(word));
  if (leads) return ends || triggered;
  if (/^(?:and )?so on$/i.test(bare.replace(/\W+$/, ''))) return true;
  return (
    triggered &&
    (isPlain || (ends && words.length < 6 && [words[0], words.at(-1)].some((word) => isTrigger.has(word ?? ''))))
  );
}
