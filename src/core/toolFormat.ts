// How a model family writes tool calls: rendered into a prompt, and read back from a stream. Hermes (Qwen2.5) for now.
// Source: the chat template of Qwen2.5-Instruct: <tool_call>\n{"name": ..., "arguments": {...}}\n</tool_call>.

import type { ToolCall } from './dialog.ts';
import { isRecord } from './record.ts';

/** Text of a rendered call. Markup is the template's and may be special tokens; the rest is content and must not act. */
export interface Piece {
  readonly text: string;
  readonly markup: boolean;
}

export const callOpen = '<tool_call>';
export const callClose = '</tool_call>';

export function renderCalls(text: string, calls: readonly ToolCall[]): readonly Piece[] {
  const pieces = calls.flatMap((call, i): readonly Piece[] => [
    { text: i === 0 && text === '' ? '' : '\n', markup: true },
    { text: `${callOpen}\n`, markup: true },
    { text: `{"name": ${JSON.stringify(call.name)}, "arguments": ${spacedJson(call.arguments)}}`, markup: false },
    { text: `\n${callClose}`, markup: true },
  ]);
  return [{ text, markup: false }, ...pieces];
}

/** JSON with a space after colons and commas, as Python's json.dumps and so most training data writes it. */
export function spacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`;
  if (value !== null && typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, entry]) => `${JSON.stringify(key)}: ${spacedJson(entry)}`)
      .join(', ')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** What a generation said so far: text to show, and the raw JSON of each call that has opened. */
export interface Reading {
  readonly text: string;
  readonly calls: readonly string[];
  /** A call has opened and not closed. */
  readonly open: boolean;
}

/** Reads a generation, complete or so far. A beginning of `<tool_call>` at the end is held back from the text. */
export function readGeneration(raw: string): Reading {
  const parts = raw.split(callOpen);
  const text = parts[0] ?? '';
  const calls = parts.slice(1).map((part) => part.split(callClose)[0] ?? '');
  const open = parts.length > 1 && !(parts.at(-1) ?? '').includes(callClose);
  return { text: calls.length > 0 ? text.trimEnd() : withoutOpening(text), calls, open };
}

function withoutOpening(text: string): string {
  for (let n = Math.min(callOpen.length - 1, text.length); n > 0; n--) {
    if (callOpen.startsWith(text.slice(-n))) return text.slice(0, -n);
  }
  return text;
}

/** The calls of a finished generation. A call that is no JSON, or has no name, carries its problem in words for the model. */
export function parseCalls(raw: readonly string[], newId: () => string): readonly ToolCall[] {
  return raw.map((text) => {
    const id = newId();
    const bad = (problem: string): ToolCall => ({ id, name: 'unknown', arguments: {}, problem });
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return bad(`The tool call was not valid JSON: ${text.trim().slice(0, 120)}`);
    }
    if (!isRecord(value) || typeof value.name !== 'string') return bad('The tool call has no "name".');
    if (!isRecord(value.arguments)) return bad('The tool call has no "arguments" object.');
    return { id, name: value.name, arguments: value.arguments };
  });
}
