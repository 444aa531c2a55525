// Calls with the marks of another family than the model's own: Qwen3-Coder leaves out its outer mark, chat servers pass on XML as text.
import type { ToolSchema } from '../dialog/tool.ts';
import { quoted } from './loose.ts';
import { readKeywords } from './pythonic.ts';
import { readObject, readPython, readTagged } from './readArguments.ts';
import type { ReadCall, ReadStep } from './readCall.ts';
import type { CallSyntax } from './syntax.ts';

export interface Dressed {
  /** Index where the call opens: the text in front of it is shown to the user. */
  readonly at: number;
  /** Empty while it is not complete. */
  readonly calls: readonly ReadCall[];
}

/** Words that announce an example of a call. */
export const tells =
  /\b(?:examples?|e\.g\.|for instance|such as|formats?|schemas?|syntax|looks? like|written|writes?|emits?|outputs?|documentation|snippet|you (?:can|could|would|may|might|should|need)|the (?:model|assistant|agent)|would be|could be|alternatives?|either|instead of)\b/i;

/** A mark around calls: every family has its own, and models mix them up. */
export const outerMark =
  '(?: ?to=[\\w.-]+<\\|message\\|>|<[|｜]?(?:\\w+:|｜DSML｜|DSML｜)?(?:tools?|function|call|(?:tool|function)[_▁]calls?(?:[_▁](?:section|start|begin))*)[|｜]?>|\\[(?:tool_calls?|TOOL_CALLS)\\])\\s*';

interface Head {
  /** Patterns for what stands in front of a tool's name, and between it and the arguments. */
  readonly before: string;
  readonly behind: string;
  /** Without a mark around it, it is no call. */
  readonly needsMark?: true;
  readonly syntax: Pick<CallSyntax, 'arguments' | 'after'>;
}

function tagged(open: string, before: string, close: string, after: string): Head['syntax'] {
  const marks = [before, close] as const;
  return { after, arguments: { open, string: marks, other: marks, between: '', values: 'json' } };
}

function invoked(space: string): Head {
  const syntax = tagged(`<${space}parameter name="`, '">', `</${space}parameter>`, `</${space}invoke>`);
  return { before: `<${space}invoke name="`, behind: '">', syntax };
}

const object = { after: '', arguments: 'json' } as const;
/** The mark between name and object: of Mistral, Kimi, DeepSeek. */
const separator = '(?:\\[CALL_ID\\]\\w+)?(?:\\[ARGS\\]|<\\|tool_call_argument_begin\\|>|<｜tool▁sep｜>)?';

const heads: readonly Head[] = [
  { before: '<function=', behind: '>', syntax: tagged('<parameter=', '>\n', '\n</parameter>', '</function>') },
  invoked(''),
  invoked('atem:'),
  {
    before: '',
    behind: '(?=\\s*<(?:arg_key|/tool_call)>)',
    needsMark: true,
    syntax: tagged('<arg_key>', '</arg_key>\n<arg_value>', '</arg_value>', '</tool_call>'),
  },
  { before: 'function<｜tool▁sep｜>', behind: '\\s*```json\\s*(?=\\{)', needsMark: true, syntax: object },
  { before: '(?:functions[._])?', behind: `(?:[:_]\\d+)?${separator}\\s*(?=\\{)`, needsMark: true, syntax: object },
  { before: '(?:\\[\\s{0,8})?', behind: '\\s*\\(', needsMark: true, syntax: { after: '', arguments: 'python' } },
];

/** Marks and signs that stand between two calls, also of two messages. */
const gap = '(?:[\\s,;\\]]|<\\|start\\|>assistant|<[/|｜][^<>\\n]{1,40}>|\\[/\\w{1,20}\\])*';

function openings(tools: readonly ToolSchema[], front: string, flags: 'g' | 'y'): RegExp {
  const names = tools.map(({ name }) => quoted(name)).join('|');
  const ways = heads.map(({ before, behind }, i) => `${before}(?<name${i}>${names})${behind}`);
  return new RegExp(`${front}(?<marks>(?:${outerMark}){0,4})(?:${ways.join('|')})`, flags);
}

/** The first place where calls open on a line of their own, in no fence and behind no words that announce an example. */
export function foreignIn(
  raw: string,
  tools: readonly ToolSchema[],
  ended: boolean,
  before = raw.length,
): Dressed | null {
  let [isTalk, fences, seen] = [false, 0, 0];
  for (const found of raw.matchAll(openings(tools, '(?:^|\\n)[ \\t]*', 'g'))) {
    const at = found.index + (found[0].startsWith('\n') ? 1 : 0);
    if (at >= before) return null;
    fences += raw.slice(seen, at).match(/^[ \t]*(?:```|~~~)/gm)?.length ?? 0;
    seen = at;
    const line = lastLine(raw, at);
    // A call straight behind an example belongs to it.
    isTalk = fences % 2 === 1 || tells.test(line) || (isTalk && /<[/|｜][^<>]*>$/.test(line));
    const calls = isTalk ? null : readEach(raw, found, tools, ended);
    if (calls !== null) return { at, calls };
  }
  return null;
}

/** The same for calls that open just here. */
export function foreignAt(raw: string, at: number, tools: readonly ToolSchema[], ended: boolean): Dressed | null {
  const opening = openings(tools, '', 'y');
  opening.lastIndex = at;
  const found = opening.exec(raw);
  const calls = found === null ? null : readEach(raw, found, tools, ended);
  return calls === null ? null : { at, calls };
}

/** The last line with words in front of an index, cut short where it is long. */
function lastLine(raw: string, at: number): string {
  const lead = raw.slice(Math.max(0, at - 400), at).trimEnd();
  return lead.slice(lead.lastIndexOf('\n') + 1);
}

/** Returns null where it is no call, and an empty list while the first is not complete. */
function readEach(
  raw: string,
  first: RegExpExecArray,
  tools: readonly ToolSchema[],
  ended: boolean,
): readonly ReadCall[] | null {
  const next = openings(tools, gap, 'y');
  const calls: ReadCall[] = [];
  for (let found: RegExpExecArray | null = first; found !== null; found = next.exec(raw)) {
    const step = readHead(raw, found, calls.length > 0, tools);
    if (step === null) break;
    if (step.end < 0) return ended ? [...calls, step.call] : calls;
    calls.push(step.call);
    next.lastIndex = step.end;
    // A list of calls goes on up to its bracket.
    const isListed = first[0].endsWith('(') && first[0].includes('[');
    if (isListed && !ended && !/^\s*[,\]]/.test(raw.slice(step.end, step.end + 40))) return [];
  }
  return calls.length === 0 ? null : calls;
}

function readHead(
  raw: string,
  { index, 0: whole, groups = {} }: RegExpExecArray,
  isFurther: boolean,
  tools: readonly ToolSchema[],
): ReadStep | null {
  const which = heads.findIndex((_, i) => groups[`name${i}`] !== undefined);
  const head = heads[which];
  const tool = tools.find(({ name }) => name === groups[`name${which}`]);
  if (head === undefined || tool === undefined) return null;
  if (head.needsMark && !isFurther && groups.marks === '') return null;
  const from = index + whole.length;
  const { syntax } = head;
  if (syntax.arguments === 'json') return readObject(tool.name, raw, from);
  if (syntax.arguments === 'python') return readKeywords(raw, from) === null ? null : readPython(tool.name, raw, from);
  const goesOn = takesArgument(raw.slice(from, from + 200), syntax.arguments.open, syntax.after, tool);
  return goesOn ? readTagged(syntax, syntax.arguments, raw, from, tool.name) : null;
}

/** Whether an argument that the tool has stands next, or the call's end: anything else talks about calls. */
function takesArgument(rest: string, open: string, after: string, { parameters }: ToolSchema): boolean {
  const next = rest.trimStart();
  if (open.startsWith(next) || after.startsWith(next) || next.startsWith(after)) return true;
  if (!next.startsWith(open)) return false;
  const key = /^\s*([\w.-]*)/.exec(next.slice(open.length))?.[1] ?? '';
  const isWhole = next.length > open.length + key.length;
  return Object.keys(parameters.properties).some((one) => (isWhole ? one === key : one.startsWith(key)));
}

/** Whether the end of a message may become a call: it is a mark, or a head as far as it is written. */
export function isBegunForeign(end: string, tools: readonly ToolSchema[]): boolean {
  const [marks = ''] = new RegExp(`^(?:${outerMark}){0,4}`).exec(end) ?? [];
  const rest = end.slice(marks.length);
  if (rest === '') return marks !== '';
  if (/^(?:<[|｜]?[\w:▁|｜]{0,40}|\[\w{0,12}|to?=?|to=[\w.-]*(?:<\|?\w*\|?)?)$/.test(rest)) return true;
  const words = [
    '<function=',
    '<invoke name="',
    '<atem:invoke name="',
    '[',
    '',
    'functions.',
    'functions_',
    'function<｜tool▁sep｜>',
  ];
  return tools.some(({ name }) => words.some((word) => isBegun(`${word}${name}`, rest)));
}

/** The text is a part of the head, or the head with the beginning of what stands behind a name. */
function isBegun(head: string, text: string): boolean {
  if (!text.startsWith(head)) return head.startsWith(text);
  return /^(?:[:_]\d*)?"?\s*(?:[<[][^<>\]\s]{0,40}[>\]]?\w*){0,2}(?:`{1,3}\w*)?\s*$/.test(text.slice(head.length));
}
