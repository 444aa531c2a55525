// Which lines around a caret stand in the prompt. The window begins at a line that stays while the caret moves on, so that what is typed is all that is decoded.
import { secretMark } from '../core/prompt/leftOut.ts';
import { secretLines } from '../secrets/lines.ts';
import type { Caret, OpenText } from './caret.ts';
import { atCaret, indentWidth, isBlank } from './caret.ts';

/** The text in front of the caret and behind it, as the prompt has them. */
export interface FillText {
  readonly prefix: string;
  readonly suffix: string;
}

/** The first line of the window of a file, and whether it was taken in a hurry, after a jump. */
export interface Pinned {
  readonly path: string;
  readonly start: number;
  readonly isShort: boolean;
}

/** How much of a file is taken, in characters: about four are a token of code. */
export interface WindowSize {
  readonly before: number;
  readonly behind: number;
}

const charactersPerToken = 4;
/** About 64 lines before the caret when the window is pinned anew: a model fills in more holes exactly with them than with 40. */
const full: WindowSize = { before: 2800, behind: 240 };
/** Characters of a window whose start moves: about 64 lines more than it begins with. */
const grown = 5000;
/** Lines behind that of the caret: two told as much as six, and each key decodes them again where the prefix stands first. */
const mostBehind = 2;

/** `budget`: tokens that may be decoded at once; null takes a full window. */
export function sizeFor(budget: number | null): WindowSize {
  if (budget === null || budget * charactersPerToken >= full.before + full.behind) return full;
  const all = budget * charactersPerToken;
  const behind = Math.min(full.behind, Math.floor(all / 5));
  return { before: all - behind, behind };
}

/** The pinned start where it still serves, else another one. `size`: of a window that is pinned anew. */
export function pin(text: OpenText, caret: Caret, former: Pinned | null, size: WindowSize): Pinned {
  if (former !== null && former.path === text.path && serves(text, caret, former)) return former;
  return { path: text.path, start: startFor(text, caret, size.before), isShort: size.before < full.before };
}

function serves({ lines }: OpenText, caret: Caret, { start }: Pinned): boolean {
  if (start > caret.line) return false;
  const length = lines.slice(start, caret.line + 1).reduce((sum, line) => sum + line.length + 1, 0);
  // A caret that went up has little in front of it that the window shows.
  const isNear = start === 0 || caret.line - start >= 8;
  return isNear && length <= grown;
}

/** A start at which a declaration or a paragraph begins, where there is one near. */
function startFor({ lines }: OpenText, caret: Caret, characters: number): number {
  let [start, taken] = [caret.line, 0];
  while (start > 0 && taken + (lines[start - 1]?.length ?? 0) + 1 <= characters && caret.line - start < 160) {
    start -= 1;
    taken += (lines[start]?.length ?? 0) + 1;
  }
  if (start === 0) return 0;
  for (let at = start; at < Math.min(start + 8, caret.line - 8); at++)
    if (isBlank(lines[at - 1] ?? '') && !isBlank(lines[at] ?? '')) return at;
  return start;
}

/**
 * Lines that hold a secret stand as marks. The blanks of an empty line are left out, so that the model writes them itself: behind blanks that end the
 * prompt it begins with blanks of its own.
 */
export function fillText(text: OpenText, caret: Caret, pinned: Pinned, size: WindowSize): FillText {
  const { before, behind } = atCaret(text, caret);
  const end = behindEnd(text, caret, size.behind);
  const shown = text.lines.slice(pinned.start, end);
  const secrets = secretLines(shown, text.path);
  const seen = shown.map((line, at) => {
    const kind = secrets.get(at);
    return kind === undefined ? line : `${line.slice(0, indentWidth(line))}${secretMark(kind)}`;
  });
  const at = caret.line - pinned.start;
  return {
    prefix: [...seen.slice(0, at), isBlank(before) ? '' : before].join('\n'),
    suffix: [behind, ...seen.slice(at + 1)].join('\n'),
  };
}

/** The line behind the last one of the suffix. */
function behindEnd({ lines }: OpenText, { line }: Caret, characters: number): number {
  let [end, taken] = [line + 1, 0];
  while (end < lines.length && end <= line + mostBehind) {
    taken += (lines[end]?.length ?? 0) + 1;
    if (taken > characters) break;
    end += 1;
  }
  return end;
}

/** Whether a secret stands in the line of the caret. */
export function holdsSecret({ lines, path }: OpenText, { line }: Caret): boolean {
  return secretLines(lines.slice(line, line + 1), path).size > 0;
}
