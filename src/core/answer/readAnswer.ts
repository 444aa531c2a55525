// The one reader of the code blocks of answers, whose thoughts stand apart. The view draws by it, Edit and Apply change files by it.
import { type Fence, fencesIn } from './fences.ts';
import { type CodePlace, endingOf, fencePlace, placeAbove, placeAlone, placeInLine } from './fileNames.ts';

export interface AnswerBlock extends CodePlace {
  /** Lines of the answer, from 0: the opening fence, and behind the closing one. */
  readonly from: number;
  readonly to: number;
  /** The text before the opening fence. */
  readonly before: string;
  /** Each line ends with a line feed; a line that only names the file is left out. */
  readonly code: string;
  /** Whole: its own fence ends it. */
  readonly closed: boolean;
}

/** `earlier` is the last line with words in front of the text. */
export function blocksIn(text: string, earlier = ''): readonly AnswerBlock[] {
  const lines = text.split(/\r?\n/);
  const fences = fencesIn(lines);
  return fences.map((fence, i) => {
    const start = fences[i - 1]?.to ?? 0;
    const above = lines
      .slice(start, fence.from)
      .map((line) => line.replace(/<\/?[\w-]+>/g, ''))
      .findLast((line) => /[^\s>]/.test(line));
    return blockOf(fence, above ?? (i === 0 ? earlier : ''));
  });
}

function blockOf({ from, to, before, info, lines, closed }: Fence, above: string): AnswerBlock {
  const { language, path } = fencePlace(info);
  const isMarkdown = /^(?:markdown|md|mdx)$/i.test(language);
  const first = lines.findIndex((line) => line.trim() !== '');
  const head = headIn(lines[first] ?? '', path, isMarkdown);
  const named = path ?? head ?? placeInLine(above.replace(/^[ \t>]+/, ''));
  const code = head === null ? lines : lines.slice(first + 1);
  return {
    from,
    to,
    before,
    language: language === '' && named !== null ? endingOf(named) : language,
    path: named,
    code: code.map((line) => `${line}\n`).join(''),
    closed,
  };
}

/** The path that the first line of a block only names. A list of names, as of files to ignore, begins with one that has no stem. */
function headIn(line: string, path: string | null, isMarkdown: boolean): string | null {
  if (/^\s*\./.test(line)) return null;
  const named = isMarkdown ? placeAlone(line, true) : (placeAbove(line) ?? placeAlone(line));
  return path === null || named === path ? named : null;
}
