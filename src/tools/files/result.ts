// Tool results: heads held to one line of at most 200 characters, and texts cut to fit into them.

import type { ToolResult } from '../../core/dialog/tool.ts';

const headLimit = 200;

/** The text on one line: control characters and line breaks become single spaces. */
export function headLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** The start of a text, at most `limit` UTF-16 units long, with `…` where it was cut. */
export function cutEnd(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).toWellFormed()}…`;
}

/** The end of a path, at most 100 UTF-16 units long, on one line, so that a head has space for the rest. */
export function shortPath(shown: string): string {
  const flat = headLine(shown);
  return flat.length <= 100 ? flat : `…${flat.slice(-99).toWellFormed()}`;
}

/** A query between double quotes, on one line and at most 80 characters long. */
export function quote(query: string): string {
  return `"${cutEnd(headLine(query), 80)}"`;
}

export function accept(head: string, body: readonly string[] = []): ToolResult {
  return { ok: true, head: cutEnd(headLine(head), headLimit), body: body.join('\n') };
}

export function refuse(head: string): ToolResult {
  return { ok: false, head: cutEnd(headLine(head), headLimit), body: '' };
}

/** The words of a thrown value. */
export function systemReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
