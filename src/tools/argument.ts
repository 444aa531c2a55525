// Arguments from the model: read one by name, or refuse with the argument's name and the form it should have.

import type { ToolResult } from '../core/dialog/tool.ts';
import { refuse } from './files/result.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** A value that was read, or the answer to give to the model instead. */
export type ReadArgument<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: ToolResult };

/** A text that must be there; `example` shows the model a good one. The text may be empty. */
export function textArgument(args: Arguments, name: string, example: string): ReadArgument<string> {
  const value = args[name];
  if (typeof value === 'string') return { ok: true, value };
  const fault = value === undefined || value === null ? 'is missing' : 'must be a text';
  return {
    ok: false,
    refusal: refuse(`The argument "${name}" ${fault}; give a text such as ${JSON.stringify(example)}.`),
  };
}

/** A text that may be left out. */
export function readOptionalText(args: Arguments, name: string, example: string): ReadArgument<string | undefined> {
  const value = args[name];
  if (value === undefined || value === null) return { ok: true, value: undefined };
  return textArgument(args, name, example);
}

/** A line number from 1 that may be left out; `12` and `"12"` are the same, and 0 is taken as 1. */
export function readOptionalLine(args: Arguments, name: string): ReadArgument<number | undefined> {
  const value = args[name];
  if (value === undefined || value === null || value === '') return { ok: true, value: undefined };
  const line = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
  if (typeof line === 'number' && Number.isSafeInteger(line) && line >= 0)
    return { ok: true, value: Math.max(1, line) };
  return { ok: false, refusal: refuse(`The argument "${name}" must be a whole number from 1, such as 12.`) };
}
