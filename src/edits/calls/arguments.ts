// The edit calls with their arguments, as they were meant.
import type { BatchedCall } from '../../core/dialog/tool.ts';
import { blockCall } from '../blocks/readBlocks.ts';

export type EditCall =
  | {
      readonly name: 'edit_file';
      readonly path: string;
      readonly old: string;
      readonly new: string;
      readonly all: boolean;
    }
  | { readonly name: 'write_file'; readonly path: string; readonly content: string }
  | { readonly name: typeof blockCall; readonly path: string; readonly content: string }
  | { readonly name: 'delete_file'; readonly path: string }
  | { readonly name: 'move_file'; readonly path: string; readonly to: string }
  | { readonly name: 'rename_symbol'; readonly path: string; readonly symbol: string; readonly to: string };

export const editNames = ['edit_file', 'write_file', 'delete_file', 'move_file', 'rename_symbol'] as const;

type ReadEdit = { readonly ok: true; readonly value: EditCall } | { readonly ok: false; readonly words: string };

export function readEdit({ name, arguments: given, problem }: BatchedCall): ReadEdit {
  if (problem !== undefined) return { ok: false, words: problem };
  const text = (key: string) => (typeof given[key] === 'string' ? given[key] : null);
  const missing = (key: string): ReadEdit => ({ ok: false, words: `The argument "${key}" is missing; give a text.` });
  const path = text('path');
  if (path === null || path.trim() === '') return missing('path');
  switch (name) {
    case 'edit_file': {
      const [old, wanted] = [text('old'), text('new')];
      if (old === null) return missing('old');
      if (wanted === null) return missing('new');
      return { ok: true, value: { name, path, ...withoutNumbers(old, wanted), all: given.all === true } };
    }
    case blockCall:
    case 'write_file': {
      const content = text('content');
      return content === null ? missing('content') : { ok: true, value: { name, path, content } };
    }
    case 'delete_file':
      return { ok: true, value: { name, path } };
    case 'move_file': {
      const to = text('to');
      return to === null || to.trim() === '' ? missing('to') : { ok: true, value: { name, path, to } };
    }
    case 'rename_symbol': {
      const [symbol, to] = [text('name'), text('to')];
      if (symbol === null || symbol.trim() === '') return missing('name');
      return to === null || to.trim() === ''
        ? missing('to')
        : { ok: true, value: { name, path, symbol: symbol.trim(), to: to.trim() } };
    }
    default:
      return { ok: false, words: `There is no edit "${name}". Edits: ${editNames.join(', ')}.` };
  }
}

const numbered = /^(\d+): ?/;

/** Models copy lines with the numbers that `read_file` puts in front: where all of them have one, and each is the next, these are no text. */
function withoutNumbers(old: string, wanted: string): { readonly old: string; readonly new: string } {
  const lines = old.split('\n').filter((line) => line.trim() !== '');
  const numbers = lines.map((line) => Number(numbered.exec(line)?.[1] ?? Number.NaN));
  const isNext = numbers.every((number, i) => i === 0 || number > (numbers[i - 1] ?? 0));
  if (lines.length === 0 || numbers.some(Number.isNaN) || !isNext || lines.length < 2) return { old, new: wanted };
  const bare = (text: string) => text.replace(/^\d+: ?/gm, '');
  return { old: bare(old), new: bare(wanted) };
}
