// Code blocks of an answer that name their file: what a model writes that does not call tools, and what small models write better than calls.
import { fencePlace, placeAbove, placeAlone, placeInLine } from '../../core/codePlace.ts';
import type { BatchedCall } from '../../core/dialog/tool.ts';

/** The name of such a call; no model is offered it. */
export const blockCall = 'apply_block';

/** One call for each block, or part of one, whose fence, first line, or the line before it names a file. Shell scripts and diffs are none. */
export function blockCalls(answer: string, newId: () => string): readonly BatchedCall[] {
  return fences(answer).flatMap(({ info, before, lines }) => {
    const { language, path } = fencePlace(info);
    if (/^(?:diff|patch)$/i.test(language)) return [];
    return (path === null ? parts(lines) : [lines]).flatMap((part, i) => {
      const [first = ''] = part;
      const headed = path === null ? headIn(first) : placeOf(path, first);
      const named = headed ?? path ?? (i === 0 ? placeInLine(before) : null);
      const code = (headed === null ? part : part.slice(1)).map((line) => `${line}\n`).join('');
      if (named === null || code.trim() === '') return [];
      return [{ id: newId(), name: blockCall, arguments: { path: named, content: code } }];
    });
  });
}

/** Some models put parts of several places into one fence, each below the line that names it, with its lines. */
function parts(lines: readonly string[]): readonly (readonly string[])[] {
  const starts = lines.flatMap((line, i) => (i === 0 || isPlaceWithLines(line) ? [i] : []));
  return starts.map((start, i) => lines.slice(start, starts[i + 1]));
}

function isPlaceWithLines(line: string): boolean {
  return /^[^\s:]+\/[^\s:]+:\d+(?:-\d+)?:?$/.test(line.trim()) && placeAbove(line) !== null;
}

/** A list of names, as of files to ignore, begins with one that has no stem. */
function headIn(line: string): string | null {
  return /^\s*\./.test(line) ? null : (placeAbove(line) ?? placeAlone(line));
}

/** The fence's own path once more. */
function placeOf(path: string, line: string): string | null {
  return placeAbove(line) === path && isPlaceWithLines(line) ? path : null;
}

interface Fence {
  readonly info: string;
  /** The last line above it that is not blank. */
  readonly before: string;
  readonly lines: readonly string[];
}

function fences(text: string): readonly Fence[] {
  const found: Fence[] = [];
  let before = '';
  let open: { readonly mark: string; readonly info: string; readonly above: string; readonly lines: string[] } | null =
    null;
  for (const line of text.split(/\r?\n/)) {
    const [, mark = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open === null) {
      if (mark !== '') open = { mark, info: info.trim(), above: before, lines: [] };
      else if (line.trim() !== '') before = line;
    } else if (mark.startsWith(open.mark) && info.trim() === '') {
      found.push({ info: open.info, before: open.above, lines: open.lines });
      [open, before] = [null, ''];
    } else open.lines.push(line);
  }
  return found;
}
