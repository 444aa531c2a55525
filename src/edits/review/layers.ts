// A changed text in its layers: what it was, what an agent made of it, and what code blocks put over that. Where changes touch they are one,
// and what lies on top goes first.
import { type Hunk, type HunkLines, hunksOf, textLines } from './hunks.ts';

export interface Layers {
  readonly base: string;
  /** Without the code blocks. */
  readonly under: string;
  readonly now: string;
}

/** A run of lines that waits for the user's word. */
export interface ReviewHunk extends Hunk {
  /** Who wrote it last. */
  readonly author: 'agent' | 'block';
  /** The lines that stand there without the code blocks. */
  readonly under: HunkLines;
}

export function hunksIn(layers: Layers): readonly ReviewHunk[] {
  const [old, middle, lines] = [textLines(layers.base), textLines(layers.under), textLines(layers.now)];
  const edits = editsOf(layers);
  const hunks: ReviewHunk[] = [];
  let [toBase, toNow] = [0, 0];
  for (let i = 0; i < edits.length; ) {
    const start = edits[i]?.start ?? 0;
    let [end, inBase, inNow] = [start, toBase, toNow];
    let author: ReviewHunk['author'] = 'agent';
    for (let edit = edits[i]; edit !== undefined && edit.start <= end; edit = edits[++i]) {
      end = Math.max(end, edit.start + edit.lines.length);
      if (edit.author === 'block') author = 'block';
      inBase += edit.inBase;
      inNow += edit.inNow;
    }
    const before = cut(old, start + toBase, end + inBase);
    const after = cut(lines, start + toNow, end + inNow);
    [toBase, toNow] = [inBase, inNow];
    // A block may have made what was there first again.
    if (before.lines.join('') !== after.lines.join(''))
      hunks.push({ before, under: cut(middle, start, end), after, author });
  }
  return hunks;
}

/** The layers once these changes are kept. */
export function keepHunks({ base, under, now }: Layers, hunks: readonly ReviewHunk[]): Layers {
  return {
    base: replaced(base, hunks, 'before', ({ after }) => after),
    under: replaced(under, hunks, 'under', ({ after }) => after),
    now,
  };
}

/** The layers without these changes: of one that lies over another, the other stays. */
export function undoHunks({ base, under, now }: Layers, hunks: readonly ReviewHunk[]): Layers {
  const agents = hunks.filter(({ author }) => author === 'agent');
  return {
    base,
    under: replaced(under, agents, 'under', ({ before }) => before),
    now: replaced(now, hunks, 'after', (hunk) => (hunk.author === 'block' ? hunk.under : hunk.before)),
  };
}

/** Runs of the middle text that an agent wrote, or a block takes away, each with the lines that the other texts have more there. */
function editsOf({ base, under, now }: Layers) {
  const more = ({ before, after }: Hunk) => after.lines.length - before.lines.length;
  const below = hunksOf(base, under).map((hunk) => ({ ...hunk.after, author: 'agent', inBase: -more(hunk), inNow: 0 }));
  const above = hunksOf(under, now).map((hunk) => ({ ...hunk.before, author: 'block', inBase: 0, inNow: more(hunk) }));
  return [...below, ...above].toSorted((a, b) => a.start - b.start);
}

function cut(lines: readonly string[], start: number, end: number): HunkLines {
  return { start, lines: lines.slice(start, end) };
}

function replaced(
  text: string,
  hunks: readonly ReviewHunk[],
  from: 'before' | 'under' | 'after',
  to: (hunk: ReviewHunk) => HunkLines,
): string {
  const lines = [...textLines(text)];
  // From the end, so that places in front stay where they are.
  for (const hunk of hunks.toReversed()) lines.splice(hunk[from].start, hunk[from].lines.length, ...to(hunk).lines);
  return lines.join('');
}
