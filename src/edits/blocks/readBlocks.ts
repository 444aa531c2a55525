// Code blocks of an answer that name their file: what a model writes that does not call tools, and what small models write better than calls.
import { fencePlace, placeAlone, placeInLine } from '../../core/codePlace.ts';
import type { BatchedCall } from '../../core/dialog/tool.ts';

/** The name of such a call; no model is offered it. */
export const blockCall = 'apply_block';

/** One call for each block whose fence, first line, or the line before it names a file. Shell scripts and diffs are none. */
export function blockCalls(answer: string, newId: () => string): readonly BatchedCall[] {
  return fences(answer).flatMap(({ info, before, lines }) => {
    const { language, path } = fencePlace(info);
    const headed = path === null ? placeAlone(lines[0] ?? '') : null;
    const named = path ?? headed ?? placeInLine(before);
    const code = (headed === null ? lines : lines.slice(1)).map((line) => `${line}\n`).join('');
    if (named === null || code.trim() === '' || /^(?:diff|patch)$/i.test(language)) return [];
    return [{ id: newId(), name: blockCall, arguments: { path: named, content: code } }];
  });
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
