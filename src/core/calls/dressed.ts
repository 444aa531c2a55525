// Reads calls that a model writes in another dress than its template's: JSON in a fence or bare, in the tags of another family, or as
// name(key=value). So Qwen2.5-Coder writes them, whatever its template says (seen of 0.5B and 1.5B, reported of 7B and 14B).
import type { ToolSchema } from '../dialog/tool.ts';
import { fitting } from './fitting.ts';
import { endOfJson } from './json.ts';
import { callsInJson } from './jsonCall.ts';
import type { ReadCall } from './readCall.ts';

export interface Dressed {
  /** Index where the call opens: the text in front of it is shown to the user. */
  readonly at: number;
  /** Empty while it is not complete. */
  readonly calls: readonly ReadCall[];
}

/** Characters in front of a call: a sentence or two that say what will be looked for. */
const longestLead = 280;
/** Words that announce an example or a quotation instead of a call. */
const explains =
  /\b(?:examples?|e\.g\.|for instance|such as|formats?|schemas?|syntax|json|looks? like|written|writes?|emits?|outputs?|documentation|snippet|payload|request body|respon(?:se|ds?)|package\.json|config(?:uration)?|you (?:can|could|would|may|might|should|need)|the (?:model|assistant|agent|user|client)|would be|could be|alternatives?|either|instead of)\b/i;

/** Behind a line break or nothing: a fence, a tag of another family, or both, then what a call may begin with. */
const fenceOpening = '```[\\w-]*[ \\t]*\\n\\s*';
const tagOpening = '<\\|?(?:tools?|tool_calls?|function_calls?|function|call)\\|?>\\s*';

/** Only the first place that may be one is looked at: a call behind other code is part of an answer. Null where there is none. */
export function dressedIn(raw: string, tools: readonly ToolSchema[]): Dressed | null {
  const opened = opensIn(raw, tools);
  if (opened === null) return null;
  const { at, from } = opened;
  const read = /[[{]/.test(raw[from] ?? '') ? readJson(raw, from, tools) : readSpoken(raw, from, tools);
  return read === null ? null : { at, calls: read };
}

/** Finds where a call may open (`at`), and where its own text begins behind fence and tag (`from`). */
export function opensIn(
  raw: string,
  tools: readonly ToolSchema[],
): { readonly at: number; readonly from: number } | null {
  if (tools.length === 0) return null;
  const names = tools.map(({ name }) => name).join('|');
  const opening = new RegExp(`(?:^|\\n)[ \\t]*(?:${fenceOpening})?(?:${tagOpening})?(?=[[{]|(?:${names})\\s*\\()`).exec(
    raw,
  );
  if (opening === null) return null;
  const at = opening.index + (opening[0].startsWith('\n') ? 1 : 0);
  const lead = raw.slice(0, at);
  if (lead.length > longestLead || lead.includes('```') || explains.test(lead)) return null;
  return { at, from: opening.index + opening[0].length };
}

/** A fence, or a tag, that has only just opened: nothing tells yet what it will hold. */
export function begunFence(raw: string): Dressed | null {
  const found = /(?:^|\n)[ \t]*(?:`{1,2}|```[\w-]*[ \t]*\n?\s*|<\|?[a-z_]{0,14}\|?>?\s*)$/.exec(raw);
  return found === null || found.index > longestLead ? null : { at: found.index, calls: [] };
}

/** Returns null for JSON that is no call, and an empty list while it may still become one. */
function readJson(raw: string, from: number, tools: readonly ToolSchema[]): readonly ReadCall[] | null {
  const end = endOfJson(raw, from);
  if (end < 0) return mayBecomeCall(raw.slice(from), tools) ? [] : null;
  return callsInJson(raw.slice(from, end), tools);
}

const keyPattern = /^\s*(?:\[\s*)?\{\s*"(?<key>[^"]*)(?<closed>"\s*:\s*(?:"(?<value>[^"]*)(?<ended>")?)?)?/;

/** Judges unfinished JSON by its first key: a call starts with an offered tool's name or with a key that calls have. */
function mayBecomeCall(begun: string, tools: readonly ToolSchema[]): boolean {
  const groups = keyPattern.exec(begun)?.groups;
  if (groups === undefined) return /^\s*(?:\[\s*)?(?:\{\s*)?$/.test(begun);
  const { key = '', closed, value, ended } = groups;
  if (closed === undefined) return [...nameKeys, ...otherKeys].some((one) => one.startsWith(key));
  if (otherKeys.includes(key)) return true;
  if (!nameKeys.includes(key)) return false;
  if (value === undefined) return true;
  return tools.some(({ name }) => (ended === undefined ? name.startsWith(value) : name === value));
}

const nameKeys = ['name', 'tool', 'tool_name', 'function'];
const otherKeys = ['arguments', 'parameters', 'args', 'input', 'type', 'tool_calls', 'function', 'id'];

const argument =
  /\s*(?<key>\w+)\s*[=:]\s*(?:"(?<double>(?:[^"\\]|\\.)*)"|'(?<single>(?:[^'\\]|\\.)*)'|(?<bare>[\w.+-]+))\s*(?:,|(?=\)))/y;

/** `search_code(query="where", path='src')` on a line of its own. */
function readSpoken(raw: string, from: number, tools: readonly ToolSchema[]): readonly ReadCall[] | null {
  const open = raw.indexOf('(', from);
  const name = raw.slice(from, open).trim();
  const values: Record<string, unknown> = {};
  let at = open + 1;
  for (;;) {
    argument.lastIndex = at;
    const groups = argument.exec(raw)?.groups;
    if (groups?.key === undefined) break;
    values[groups.key] = groups.bare ?? unescaped(groups.double ?? groups.single ?? '');
    at = argument.lastIndex;
  }
  const rest = raw.slice(at);
  if (!/^\s*\)/.test(rest)) return rest.includes('\n') || rest.length > longestLead ? null : [];
  // More text on the line makes the call a part of code or of a sentence.
  if (!/^\s*\)[ \t;]*(?:\n|$|<\|?\/)/.test(rest)) return null;
  const call = fitting({ name, arguments: values }, tools);
  return call === null ? null : [call];
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char === 't' ? '\t' : char));
}
