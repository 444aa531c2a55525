// An answer in which each code block, as our reader finds it, stands in fences that Markdown reads the same way. What the reader knows of a
// block travels in the words of its fence.
import { type AnswerBlock, blocksIn } from '../../src/core/answer/readAnswer.ts';

/** The facts about a block that its fence carries. */
export type FenceWords = Pick<AnswerBlock, 'language' | 'path' | 'closed'>;

/** `live`: more of the text is still to come, so the last block may have no end yet. */
export function ownFences(text: string, live: boolean): string {
  const blocks = blocksIn(text);
  if (blocks.length === 0) return text;
  const lines = text.split(/\r?\n/);
  const out: string[] = [];
  let done = 0;
  for (const block of blocks) {
    out.push(
      ...lines.slice(done, block.from),
      ...fenced(block, marginOf(lines, block), live && block.to === lines.length),
    );
    done = block.to;
  }
  return [...out, ...lines.slice(done)].join('\n');
}

/** Reads the words of a fence; `null` where `ownFences` did not write them. */
export function fenceWords(info: string): FenceWords | null {
  if (!info.startsWith('{')) return null;
  try {
    return JSON.parse(info) as FenceWords;
  } catch {
    return null;
  }
}

function fenced(
  { language, path, code, closed }: AnswerBlock,
  [first, rest]: Margin,
  open: boolean,
): readonly string[] {
  const lines = code === '' ? [] : code.slice(0, -1).split('\n');
  const runs = lines.map((line) => /^\s*(~{3,})/.exec(line)?.[1]?.length ?? 0);
  const mark = '~'.repeat(Math.max(4, ...runs.map((length) => length + 1)));
  const isOpen = open && !closed;
  const words: FenceWords = { language, path, closed: closed || isOpen };
  return [
    `${first}${mark} ${JSON.stringify(words)}`,
    ...lines.map((line) => (line === '' && rest.trim() === '' ? '' : rest + line)),
    ...(isOpen ? [] : [rest + mark]),
  ];
}

type Margin = readonly [first: string, rest: string];

/** In a list a block stands as far in as the list's words; elsewhere at the edge, where four blanks would make it code of another kind. */
function marginOf(lines: readonly string[], { from, before }: AnswerBlock): Margin {
  if (/[^\s]/.test(before)) return [before, before.replace(/[^\s>]/g, ' ')];
  const width = before.replace(/\t/g, '    ').length;
  for (let at = from - 1; at >= 0; at--) {
    const line = lines[at] ?? '';
    const mark = /^(\s*)(?:[-*+]|\d{1,9}[.)])(\s+)/.exec(line)?.[0];
    if (mark !== undefined && mark.length <= width) return [' '.repeat(mark.length), ' '.repeat(mark.length)];
    if (/^\S/.test(line) && mark === undefined) break;
  }
  return ['', ''];
}
