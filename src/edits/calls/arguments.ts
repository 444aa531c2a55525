// The edit calls with their arguments, as they were meant.
import type { BatchedCall } from '../../core/dialog/tool.ts';
import type { PatchHunk } from '../blocks/patches.ts';
import type { AnswerEdit } from '../blocks/readBlocks.ts';

/** The name of a call that stands for a code block; no model is offered it. */
export const blockCall = 'apply_block';

export type EditCall =
  | {
      readonly name: 'edit_file';
      readonly path: string;
      readonly old: string;
      readonly new: string;
      readonly all: boolean;
    }
  | { readonly name: 'write_file'; readonly path: string; readonly content: string }
  | { readonly name: typeof blockCall; readonly path: string; readonly edit: AnswerEdit }
  | { readonly name: 'delete_file'; readonly path: string }
  | { readonly name: 'move_file'; readonly path: string; readonly to: string }
  | { readonly name: 'rename_symbol'; readonly path: string; readonly symbol: string; readonly to: string };

const editNames = ['edit_file', 'write_file', 'delete_file', 'move_file', 'rename_symbol'] as const;

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
      return { ok: true, value: { name, path, old, new: wanted, all: given.all === true } };
    }
    case blockCall: {
      const edit = blockIn(given, path);
      return edit === null ? missing('code') : { ok: true, value: { name, path, edit } };
    }
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

function blockIn(given: Readonly<Record<string, unknown>>, path: string): AnswerEdit | null {
  const { is, code, words, hunks } = given;
  if ((is === 'code' || is === 'new') && typeof code === 'string') return { path, is, code };
  if (is === 'unreadable' && typeof words === 'string') return { path, is, words };
  if (is === 'deleted') return { path, is };
  return is === 'hunks' && Array.isArray(hunks) && hunks.every(isHunk) ? { path, is, hunks } : null;
}

function isHunk(value: unknown): value is PatchHunk {
  if (typeof value !== 'object' || value === null) return false;
  const { old, new: wanted, line } = value as Partial<PatchHunk>;
  return typeof old === 'string' && typeof wanted === 'string' && (line === null || typeof line === 'number');
}
