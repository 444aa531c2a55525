// How a typed command is taken apart: `/name what rest`.
import { oneLine } from '../../core/memory/line.ts';

/** Null for a line that is not this command; `/name` alone has no `what`. */
export function commandOf(line: string, name: string): { readonly what: string; readonly rest: string } | null {
  const [whole, what = '', rest = ''] = /^\/\S+(?:\s+(\S+)\s*([\s\S]*))?$/.exec(line.trim()) ?? [];
  return whole !== undefined && whole.split(/\s/, 1)[0] === name ? { what, rest: rest.trim() } : null;
}

/** A number, with or without #, and what follows it; null where there is none. */
export function numbered(rest: string): { readonly number: number; readonly text: string } | null {
  const [, digits, text = ''] = /^#?(\d+)(?:\s+([\s\S]*))?$/.exec(rest) ?? [];
  return digits === undefined ? null : { number: Number(digits), text: oneLine(text) };
}
