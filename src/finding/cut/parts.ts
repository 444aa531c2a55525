// Cuts a passage into parts: a few lines that belong together, which is what is ranked and found where the whole is long.

/** Lines of a file, from 1, both ends included. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/** Characters without indentation: what a part has about, and up to which a rest is not cut again. */
const partSize = 420;
const whole = partSize * 1.25;
/** The share of the size behind which a part may end. */
const earliest = 0.45;
const opensPattern = /^\s*(?:\/\/|\/\*|#|\*\s*@|(?:if|for|switch|return|case|def|fn|func|function)\b)/;

/** The parts of a passage that begins in line `start` of its file: they cover it once, in order. */
export function partsOf(lines: readonly string[], start: number): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  let left = sizeOf(lines);
  while (left > whole) {
    const to = endOf(lines, from);
    parts.push({ from: start + from, to: start + to });
    left -= sizeOf(lines.slice(from, to + 1));
    from = to + 1;
    if (from >= lines.length) return parts;
  }
  return [...parts, { from: start + from, to: start + lines.length - 1 }];
}

/** Characters without indentation. */
export function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.trim().length + 1, 0);
}

/** The last line of the part that begins at an index: where a thought ends, the later the better. */
function endOf(lines: readonly string[], from: number): number {
  let size = 0;
  let least = Number.POSITIVE_INFINITY;
  let best = -1;
  let bestScore = -1;
  let at = from;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? '';
    size += line.trim().length + 1;
    if (line.trim() !== '') least = Math.min(least, indentOf(line));
    if (size > partSize && at > from) break;
    const score =
      size < partSize * earliest ? -1 : endScore(line, lines[at + 1] ?? '', least) + (0.9 * size) / partSize;
    if (score >= bestScore && score >= 0) [best, bestScore] = [at, score];
  }
  return best >= 0 ? best : Math.max(from, at - 1);
}

/** How well a part ends between two lines: behind a blank one or a closing bracket, before what opens something. */
function endScore(line: string, next: string, least: number): number {
  const blank = line.trim() === '' ? 3 : 0;
  const outer = next.trim() !== '' && indentOf(next) <= least ? 2 : 0;
  return blank + outer + (/^\s*[}\])]/.test(line) ? 1 : 0) + (opensPattern.test(next) ? 1 : 0);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
