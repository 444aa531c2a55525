// GBNF for what follows the opening of a tool call: calls of the given tools in the model's syntax, then the end.
// The library's JSON-schema grammar never ends a sequence, so the grammar is written here.
import type { BegunCall } from '../../core/calls/begun.ts';
import { textMarks } from '../../core/calls/marked.ts';
import { pythonText } from '../../core/calls/pythonic.ts';
import { type CallSyntax, type Tagged, typeMark } from '../../core/calls/syntax.ts';
import { type JsonSchema, namedValues, takesAnyText, unionOf } from '../../core/dialog/jsonSchema.ts';
import type { ToolSchema } from '../../core/dialog/tool.ts';
import {
  freeStyle,
  inOrder,
  jsonTextRules,
  spacedStyle,
  terminal,
  type ValueStyle,
  valueRule,
  valueRules,
} from './valueGrammar.ts';

/** Calls in one message at most: a model that repeats itself comes to an end. */
const mostCalls = 4;

/** The text that opens a call, up to its name. */
export function beginningOf(syntax: CallSyntax): string {
  return (syntax.section[0] + syntax.before).trimStart();
}

/**
 * GBNF for the text after `written`, a part of the beginning; when `written` is empty, for a whole message: calls or the one word that
 * declines.
 */
export function callGrammar(syntax: CallSyntax, tools: readonly ToolSchema[], written = '', decline = ''): string {
  const whole = beginningOf(syntax);
  const first = whole.slice(whole.indexOf(written) + written.length);
  const calls = `${terminal(first)} call ${moreCalls(syntax)}`;
  return [
    `root ::= ${written === '' ? `${calls} | ${terminal(decline)}` : calls}`,
    ...callRules(syntax, tools),
    '',
  ].join('\n');
}

/** GBNF for the text after so many calls, to the end of the message. */
export function moreCalls(syntax: CallSyntax, calls = 1): string {
  const { between, before, section } = syntax;
  const close = terminal(section[1].trimEnd());
  return between === '' && before === ''
    ? close
    : `(${terminal(between + before)} call){0,${Math.max(0, mostCalls - calls)}} ${close}`;
}

/** The rule `call`, and those that it names. */
export function callRules(syntax: CallSyntax, tools: readonly ToolSchema[]): readonly string[] {
  return [
    `call ::= ${tools.map((_, i) => `tool${i}`).join(' | ')}`,
    ...tools.map((tool, i) => `tool${i} ::= ${callRule(syntax, tool)}`),
    ...(syntax.arguments === 'python' ? pythonTextRules : []),
    ...(typeof syntax.arguments === 'string' ? [] : markedTextRules(syntax, syntax.arguments)),
    ...jsonTextRules,
    ...valueRules(styleOf(syntax)),
    'id ::= [a-zA-Z0-9]{9}',
  ];
}

/** The rest of a call that a model writes as JSON in a dress of its own, from the value of an argument on. */
export function restOfCall({ tool, key, parameter, quoted }: BegunCall): string {
  const { [key]: _begun, ...others } = tool.parameters.properties;
  const pair = (name: string, schema: JsonSchema) =>
    `${freeStyle.comma} ${freeStyle.key(name)} ${freeStyle.colon} ${valueRule(schema, freeStyle)}`;
  const value = quoted ? 'text "\\""' : `space ${valueRule(parameter, freeStyle)}`;
  const needed = tool.parameters.required.filter((name) => name !== key);
  const members = Object.entries(others).toSorted(
    ([a], [b]) => Number(needed.includes(b)) - Number(needed.includes(a)),
  );
  const rest = members.map(([name, schema]) =>
    needed.includes(name) ? pair(name, schema) : `(${pair(name, schema)})?`,
  );
  return [
    `root ::= ${[value, ...rest].join(' ')} space "}" space "}"`,
    'space ::= [ \\t\\n]{0,20}',
    ...jsonTextRules,
    ...valueRules(freeStyle),
    '',
  ].join('\n');
}

function callRule(syntax: CallSyntax, { name, parameters }: ToolSchema): string {
  const { arguments: written } = syntax;
  const named = syntax.wrapped === null ? name : JSON.stringify(name).slice(1, -1);
  const values =
    written === 'json'
      ? valueRule({ ...parameters, additionalProperties: false }, spacedStyle)
      : inOrder(
          parameters.properties,
          parameters.required,
          (key, schema) =>
            written === 'python'
              ? `${terminal(`${key}=`)} ${valueRule(schema, pythonStyle)}`
              : taggedRule(syntax, written, key, schema),
          terminal(written === 'python' ? ', ' : written.between),
        );
  return `${terminal(named + syntax.middle)} ${values} ${terminal(syntax.after)}`;
}

function taggedRule(syntax: CallSyntax, style: Tagged, name: string, schema: JsonSchema): string {
  const key = terminal(style.open + name);
  if (style.values === 'marks') return `${key} ${terminal(style.other[0])} ${valueRule(schema, styleOf(syntax))}`;
  const ways = unionOf(schema) ?? [schema];
  return ways.length === 1
    ? `${key} ${oneWay(style, schema)}`
    : `${key} (${ways.map((one) => oneWay(style, one)).join(' | ')})`;
}

/** A value between its marks: a text as it is, any other as JSON. */
function oneWay(style: Tagged, schema: JsonSchema): string {
  if (takesAnyText(schema)) return `${terminal(style.string[0])} text0`;
  const texts = namedValues(schema)?.filter((value) => typeof value === 'string') ?? [];
  const [before, after] = texts.length > 0 ? style.string : style.other;
  const value =
    texts.length > 0 ? `(${texts.map((text) => terminal(String(text))).join(' | ')})` : valueRule(schema, spacedStyle);
  const type = Array.isArray(schema.type) ? 'string' : (schema.type ?? 'string');
  return `${terminal(before.replace(typeMark, String(type === 'integer' ? 'number' : type)))} ${value} ${terminal(after)}`;
}

const pythonStyle: ValueStyle = {
  ...spacedStyle,
  key: (name) => terminal(pythonText(name)),
  anyKey: 'python',
  anyText: 'python',
  named: (value) => terminal(pythonText(value)),
};

/** A text in quotation marks of either kind. */
const pythonTextRules = [
  'python ::= "\'" ([^\'\\\\\\x00-\\x1F\\x7F] | pythonEscape)* "\'" | "\\"" ([^"\\\\\\x00-\\x1F\\x7F] | pythonEscape)* "\\""',
  'pythonEscape ::= "\\\\" [\\\\nrt\'"]',
];

export function styleOf({ arguments: style }: CallSyntax): ValueStyle {
  if (style === 'python') return pythonStyle;
  if (style === 'json' || style.values === 'json') return spacedStyle;
  const [open, close] = textMarks(style);
  return {
    ...spacedStyle,
    colon: terminal(style.other[0]),
    comma: terminal(style.between),
    key: terminal,
    anyKey: '[a-zA-Z_] [a-zA-Z0-9_]{0,40}',
    anyText: `${terminal(open)} text0`,
    named: (value) => terminal(typeof value === 'string' ? open + value + close : JSON.stringify(value)),
  };
}

/**
 * A text up to and with its closing mark: one rule per text that what was written last may go on from, after the automaton of Aho and
 * Corasick. A text may hold its mark where neither an argument nor the call's end comes behind it: what does ends the value.
 */
function markedTextRules(syntax: CallSyntax, style: Tagged): readonly string[] {
  const [, close] = style.string;
  const ends = style.values === 'marks' ? [close] : endsBehind(syntax, style).map((end) => close + end);
  const letters = [...new Set(ends.join(''))];
  const begun = [...new Set(ends.flatMap((end) => [...end].map((_, n) => end.slice(0, n))))];
  const other = `[^${letters.map(inClass).join('')}] text0`;
  return begun.map((written, state) => {
    const ways = letters.flatMap((letter) => {
      const all = written + letter;
      if (ends.some((end) => all.endsWith(end))) return all.endsWith(close) ? [terminal(letter)] : [];
      const [longest = ''] = begun.filter((one) => all.endsWith(one)).toSorted((a, b) => b.length - a.length);
      return [`${terminal(letter)} text${begun.indexOf(longest)}`];
    });
    const isClosed = written !== '' && written.endsWith(close);
    return `text${state} ::= ${[...(isClosed ? ['""'] : []), other, ...ways].join(' | ')}`;
  });
}

/**
 * The texts behind a closing mark that end a value. With other white space in between they would be taken for an end, so a text has those
 * neither.
 */
function endsBehind({ after }: CallSyntax, { between, open }: Tagged): readonly string[] {
  const own = [between + open, /^\s*(?:<[^<>]*>|\S+)/.exec(after)?.[0] ?? after].filter((end) => end.trim() !== '');
  const bare = own
    .map((end) => (/^\s/.test(end) ? end.trimStart() : `\n${end}`))
    .map((end) => end.slice(0, end.search(/\S/) + 1));
  return [...new Set([...own, ...bare.filter((end) => own.every((one) => !one.startsWith(end)))])];
}

function inClass(letter: string): string {
  if (letter === '\n') return '\\n';
  return /[\]\\^-]/.test(letter) ? `\\${letter}` : letter;
}
