// Reads calls that a model writes in another dress than its template's: JSON in a fence or bare, in the tags of another family, or as
// name(key=value). So Qwen2.5-Coder writes them, whatever its template says (seen of 0.5B and 1.5B, reported of 7B and 14B).
import type { ToolSchema } from '../dialog/tool.ts';
import { fitting } from './fitting.ts';
import { type Dressed, foreignAt, foreignIn, isBegunForeign, outerMark } from './foreign.ts';
import { endOfJson } from './json.ts';
import { callsInJson } from './jsonCall.ts';
import { type Keywords, readKeywords } from './pythonic.ts';
import type { ReadCall } from './readCall.ts';

/** Characters in front of a call: a sentence or two that say what will be looked for. */
const longestLead = 280;
/** Words that announce an example or a quotation instead of a call. */
const explains =
  /\b(?:examples?|e\.g\.|for instance|such as|formats?|schemas?|syntax|json|looks? like|written|writes?|emits?|outputs?|documentation|snippet|payload|request body|respon(?:se|ds?)|package\.json|config(?:uration)?|you (?:can|could|would|may|might|should|need)|the (?:model|assistant|agent|user|client)|would be|could be|alternatives?|either|instead of)\b/i;

/** Behind a line break or nothing: a fence, marks of another family, or both, then what a call may begin with. */
const fenceOpening = '```[\\w-]*[ \\t]*\\n\\s*';

/** The first call in another dress; null where there is none. */
export function dressedIn(raw: string, tools: readonly ToolSchema[], ended = false): Dressed | null {
  if (tools.length === 0) return null;
  const [foreign, plain] = [foreignIn(raw, tools, ended), plainIn(raw, tools)];
  if (foreign === null || plain === null) return foreign ?? plain;
  return plain.at < foreign.at ? plain : foreign;
}

/** Calls that open just here, where the model's own syntax reads none. */
export function dressedAt(raw: string, at: number, tools: readonly ToolSchema[], ended: boolean): Dressed | null {
  if (tools.length === 0) return null;
  const foreign = foreignAt(raw, at, tools, ended);
  if (foreign !== null) return foreign;
  const opening = new RegExp(`(?:${outerMark}){1,4}(?=[[{])`, 'y');
  opening.lastIndex = at;
  const read = opening.test(raw) ? readJson(raw, opening.lastIndex, tools) : null;
  return read === null ? null : { at, calls: read };
}

/** Only the first place that may be one is looked at: a call behind other code is part of an answer. */
function plainIn(raw: string, tools: readonly ToolSchema[]): Dressed | null {
  const opened = opensIn(raw, tools);
  if (opened === null) return null;
  const { at, from } = opened;
  const isFenced = raw.slice(at, from).includes('```');
  const read =
    (isFenced ? null : readListed(raw, from, tools)) ??
    (/[[{]/.test(raw[from] ?? '') ? readJson : readSpoken)(raw, from, tools);
  return read === null ? null : { at, calls: read };
}

/** Finds where a call may open (`at`), and where its own text begins behind fence and tag (`from`). */
export function opensIn(
  raw: string,
  tools: readonly ToolSchema[],
): { readonly at: number; readonly from: number } | null {
  if (tools.length === 0) return null;
  const names = tools.map(({ name }) => name).join('|');
  const opening = new RegExp(
    `(?:^|\\n)[ \\t]*(?:${fenceOpening})?(?:${outerMark}){0,4}(?=[[{]|(?:${names})\\s*\\()`,
  ).exec(raw);
  if (opening === null) return null;
  const at = opening.index + (opening[0].startsWith('\n') ? 1 : 0);
  const lead = raw.slice(0, at);
  if (lead.length > longestLead || lead.includes('```') || explains.test(lead)) return null;
  return { at, from: opening.index + opening[0].length };
}

/** A fence, a mark or the head of a call that has only just begun: nothing tells yet what it will be. */
export function begunDress(raw: string, tools: readonly ToolSchema[]): Dressed | null {
  // A head is short, and looking for one in all of a long text takes time.
  const from = Math.max(0, raw.length - 240);
  const line = from === 0 ? -1 : raw.indexOf('\n', from);
  if (from > 0 && line < 0) return null;
  const tail = raw.slice(line + 1);
  const starts = [...tail.matchAll(/(?<=^|\n)[ \t]*/g)].map(({ index, 0: start }) => index + start.length);
  const begun = starts.find((start) => {
    const end = tail.slice(start);
    const isFence = /^(?:`{1,2}|```[\w-]*[ \t]*(?:\n\s*)?)$/.test(end);
    return isFence ? raw.length - end.length <= longestLead : isBegunForeign(end, tools);
  });
  return begun === undefined ? null : { at: raw.length - tail.length + begun, calls: [] };
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

/** `search_code(query="where", path='src')` on a line of its own. */
function readSpoken(raw: string, from: number, tools: readonly ToolSchema[]): readonly ReadCall[] | null {
  const open = raw.indexOf('(', from);
  const read = readKeywords(raw, open + 1);
  if (read === null) return null;
  const rest = raw.slice(open);
  if (read === 'begun') return rest.includes('\n') || rest.length > longestLead ? null : [];
  // More text on the line makes the call a part of code or of a sentence.
  if (!isAlone(raw.slice(read.end, read.end + longestLead))) return null;
  return called(raw.slice(from, open), read, tools);
}

/** `[read_file(path='src/a.ts'), get_problems()]`, as LFM2 writes them without its marks. */
function readListed(raw: string, from: number, tools: readonly ToolSchema[]): readonly ReadCall[] | null {
  const name = /[[,]\s*([\w.-]+)\s*\(/y;
  const calls: ReadCall[] = [];
  for (let at = from; ; ) {
    name.lastIndex = at;
    const found = name.exec(raw);
    if (found === null && calls.length > 0 && /^,\s*[\w.-]*\s*$/.test(raw.slice(at, at + 80))) return [];
    const read = found === null ? null : readKeywords(raw, name.lastIndex);
    if (read === 'begun') return [];
    const [call] = read === null ? [] : (called(found?.[1] ?? '', read, tools) ?? []);
    if (read === null || call === undefined) return null;
    calls.push(call);
    at = read.end + (/^\s*/.exec(raw.slice(read.end, read.end + 40))?.[0].length ?? 0);
    if (at >= raw.length) return [];
    if (raw[at] === ']') return isAlone(raw.slice(at + 1, at + 1 + longestLead)) ? calls : null;
  }
}

function isAlone(rest: string): boolean {
  return /^[ \t;]*(?:\n|$|<[|｜]?\/|<[|｜])/.test(rest);
}

function called(name: string, { values }: Keywords, tools: readonly ToolSchema[]): readonly ReadCall[] | null {
  const call = fitting({ name: name.trim(), arguments: values }, tools);
  return call === null ? null : [call];
}
