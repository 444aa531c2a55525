// How a model family writes tool calls, as plain data: learned from its chat template in the engine, used on both sides.

export const families = [
  'hermes',
  'llama3',
  'mistral',
  'harmony',
  'deepseek',
  'gemma',
  'qwen3coder',
  'lfm2',
  'other',
  'tidemark',
] as const;

/** `other`: a syntax learned from the template that has no name here. `tidemark`: the template knows no tools, ours is used. */
export type Family = (typeof families)[number];

/**
 * Text around the parts of a call: `before` NAME `middle` ARGUMENTS `after`. Calls of one message stand between
 * `section[0]` and `section[1]` with `between` among them. An id within stands as `idMark`.
 */
export interface CallSyntax {
  readonly family: Family;
  readonly section: readonly [string, string];
  readonly before: string;
  readonly middle: string;
  readonly after: string;
  readonly between: string;
  /** `python`: as keyword arguments. */
  readonly arguments: 'json' | 'python' | Tagged;
  /** Keys of name and arguments when the whole call is one JSON object: then white space and the order of keys are free. */
  readonly wrapped: { readonly name: string; readonly arguments: string } | null;
  /** The model thinks and answers in channels (harmony): only the final one is text. */
  readonly channels: boolean;
}

/** Each argument as `open` KEY, then its value between the marks of `string`, where it stands as it is, or of `other`. */
export interface Tagged {
  readonly open: string;
  readonly string: readonly [string, string];
  /** The type of the value stands in it as `typeMark` where the template writes it. */
  readonly other: readonly [string, string];
  readonly between: string;
  /** Lists and objects are JSON, or have the marks of text again within (Gemma): `{key:<|"|>text<|"|>,list:[1,2]}`. */
  readonly values: 'json' | 'marks';
}

/** Stands for a call's id in the text of a syntax. */
export const idMark = '\uE002';

/** Stands for the JSON type of a value in the text of a syntax. */
export const typeMark = '\uE003';

/** Used where a template has no syntax of its own: the one of Hermes and Qwen2.5, in plain text. */
export const ownSyntax: CallSyntax = {
  family: 'tidemark',
  section: ['', ''],
  before: '<tool_call>\n{"name": "',
  middle: '", "arguments": ',
  after: '}\n</tool_call>',
  between: '\n',
  arguments: 'json',
  wrapped: { name: 'name', arguments: 'arguments' },
  channels: false,
};

export const hermes: CallSyntax = { ...ownSyntax, family: 'hermes' };

/**
 * gpt-oss. Source: OpenAI's description of the harmony response format. What ends a call, `<|call|>`, ends the
 * generation too.
 */
export const harmony: CallSyntax = {
  family: 'harmony',
  section: ['', ''],
  before: '<|channel|>commentary to=functions.',
  middle: ' <|constrain|>json<|message|>',
  after: '',
  between: '',
  arguments: 'json',
  wrapped: null,
  channels: true,
};

/** LFM2 and 2.5. Source: the chat template of LFM2.5-8B-A1B; those of its brothers write no calls. */
export const lfm2: CallSyntax = {
  family: 'lfm2',
  section: ['<|tool_call_start|>[', ']<|tool_call_end|>'],
  before: '',
  middle: '(',
  after: ')',
  between: ', ',
  arguments: 'python',
  wrapped: null,
  channels: false,
};

export interface Opening {
  readonly text: string;
  /** Counts at the very beginning of a message only: bare JSON in an answer is no call. */
  readonly atStart: boolean;
}

/** The string that opens a call when it appears in a generation. */
export function openingOf(syntax: CallSyntax): Opening {
  if (syntax.channels) return { text: ' to=functions.', atStart: false };
  const whole = (syntax.section[0] + syntax.before).trimStart();
  const bare = /^[[{]+\s*"\w+"/.exec(whole)?.[0];
  if (bare !== undefined) return { text: bare, atStart: true };
  const text = /^(?:<[^>]*>|\[[A-Z_]+\]|[^\s{[]+)/.exec(whole)?.[0] ?? whole;
  return { text, atStart: false };
}

/** Whether a call may open behind this text: channels name a recipient in a header only, bare JSON stands at the start. */
export function mayOpenBehind(syntax: CallSyntax, text: string): boolean {
  // Cut short, because a header is short and looking for one in all of a long text takes time.
  if (syntax.channels) return /(?:^|<\|start\|>assistant|<\|channel\|>[a-z]{1,12})\s?$/.test(text.slice(-40));
  return !openingOf(syntax).atStart || /^\s*(?:<\|python_tag\|>\s*)?$/.test(text);
}

/** Index of the first call that opens at or behind `from`, or -1. In channels `names` of tools may be recipients without their prefix. */
export function openingIn(syntax: CallSyntax, raw: string, from = 0, names: readonly string[] = []): number {
  if (syntax.channels) return recipientIn(syntax, raw, from, names);
  const { text } = openingOf(syntax);
  for (let at = raw.indexOf(text, from); at >= 0; at = raw.indexOf(text, at + 1)) {
    if (mayOpenBehind(syntax, raw.slice(0, at))) return at;
  }
  return -1;
}

function recipientIn(syntax: CallSyntax, raw: string, from: number, names: readonly string[]): number {
  const opening = /( to=)(?:(functions\.)|([\w.-]+))/g;
  opening.lastIndex = from;
  for (let found = opening.exec(raw); found !== null; found = opening.exec(raw)) {
    const [, , prefix, name = ''] = found;
    const isCalled = prefix !== undefined || names.includes(name);
    if (isCalled && mayOpenBehind(syntax, raw.slice(0, found.index))) return found.index;
  }
  return -1;
}
