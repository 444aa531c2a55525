// GBNF for what follows the opening of a tool call: calls of the given tools in the model's syntax, then the end.
// The library's JSON-schema grammar never ends a sequence, so the grammar is written here.
import type { BegunCall } from '../../../core/calls/begun.ts';
import { type CallSyntax, idMark, type Tagged } from '../../../core/calls/syntax.ts';
import type { ToolParameter, ToolSchema } from '../../../core/dialog/tool.ts';

/** Calls in one message at most: a model that repeats itself comes to an end. */
const mostCalls = 4;

/** What opens a call and stands in front of its name. */
export function beginningOf(syntax: CallSyntax): string {
  return (syntax.section[0] + syntax.before).trimStart();
}

/** What follows `written`, a part of the beginning; behind nothing, a whole message: calls or the one word that declines. */
export function callGrammar(syntax: CallSyntax, tools: readonly ToolSchema[], written = '', decline = ''): string {
  const whole = beginningOf(syntax);
  const first = whole.slice(whole.indexOf(written) + written.length);
  const more =
    syntax.between === '' && syntax.before === ''
      ? ''
      : ` (${literal(syntax.between + syntax.before)} call){0,${mostCalls - 1}}`;
  const close = literal(syntax.section[1].trimEnd());
  const calls = `${literal(first)} call${more} ${close}`;
  return [
    `root ::= ${written === '' ? `${calls} | ${literal(decline)}` : calls}`,
    `call ::= ${tools.map((_, i) => `tool${i}`).join(' | ')}`,
    ...tools.map((tool, i) => `tool${i} ::= ${callRule(syntax, tool)}`),
    ...(syntax.arguments === 'json' ? jsonRules : taggedRules(syntax.arguments)),
    ...valueRules,
    'id ::= [a-zA-Z0-9]{9}',
    '',
  ].join('\n');
}

/** The rest of a call that a model writes as JSON in a dress of its own, from the value of an argument on. */
export function restOfCall({ tool, key, parameter, quoted }: BegunCall): string {
  const { properties, required } = tool.parameters;
  const entries = Object.entries(properties).filter(([name]) => name !== key);
  const pair = ([name, { type }]: Pair) => `space "," space ${literal(JSON.stringify(name))} space ":" space ${type}`;
  const needed = entries.filter(([name]) => required.includes(name)).map(pair);
  const others = entries.filter(([name]) => !required.includes(name)).map((one) => `(${pair(one)})?`);
  const value = quoted ? 'text "\\""' : `space ${parameter.type}`;
  return [
    `root ::= ${[value, ...needed, ...others].join(' ')} space "}" space "}"`,
    'space ::= [ \\t\\n]{0,20}',
    ...jsonRules,
    ...valueRules,
    '',
  ].join('\n');
}

function callRule(syntax: CallSyntax, tool: ToolSchema): string {
  const values =
    syntax.arguments === 'json'
      ? `"{" ${argumentsRule(tool, jsonPair, '", "')} "}"`
      : argumentsRule(tool, (pair) => taggedPair(syntax.arguments as Tagged, pair), literal(syntax.arguments.between));
  const name = syntax.wrapped === null ? tool.name : JSON.stringify(tool.name).slice(1, -1);
  return `${literal(name + syntax.middle)} ${values} ${literal(syntax.after)}`;
}

type Pair = readonly [string, ToolParameter];

/** The required arguments in order, then any of the others in order, separated. */
function argumentsRule({ parameters }: ToolSchema, rule: (pair: Pair) => string, separator: string): string {
  const entries = Object.entries(parameters.properties);
  const required = entries.filter(([name]) => parameters.required.includes(name)).map(rule);
  const optional = entries.filter(([name]) => !parameters.required.includes(name)).map(rule);
  if (required.length === 0) return firstPresent(optional, separator);
  return [required.join(` ${separator} `), ...optional.map((one) => `(${separator} ${one})?`)].join(' ');
}

/** Any subset in order, with separators only between: either the first is present and the rest may follow, or it is not. */
function firstPresent(rules: readonly string[], separator: string): string {
  const [first, ...rest] = rules;
  if (first === undefined) return '""';
  const following = [first, ...rest.map((rule) => `(${separator} ${rule})?`)].join(' ');
  return rest.length === 0 ? `(${following})?` : `(${following} | ${firstPresent(rest, separator)})`;
}

function jsonPair([name, parameter]: Pair): string {
  return `${literal(`${JSON.stringify(name)}: `)} ${parameter.type}`;
}

function taggedPair(style: Tagged, [name, { type }]: Pair): string {
  const [before, after] = type === 'string' ? style.string : style.other;
  return type === 'string'
    ? `${literal(style.open + name + before)} text0`
    : `${literal(style.open + name + before)} ${type} ${literal(after)}`;
}

const valueRules: readonly string[] = ['integer ::= "-"? ("0" | [1-9] [0-9]{0,8})', 'boolean ::= "true" | "false"'];

const jsonRules: readonly string[] = [
  'string ::= "\\"" text "\\""',
  'text ::= ([^"\\\\\\x00-\\x1F\\x7F] | escape)*',
  'escape ::= "\\\\" (["\\\\/bfnrt] | "u" [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F])',
];

/**
 * A string value up to and with its closing mark: one rule per beginning of the mark that has been written, after the
 * failure function of Knuth, Morris and Pratt, so that the first mark ends the value.
 */
function taggedRules({ string: [, close] }: Tagged): readonly string[] {
  const mark = [...close];
  const letters = [...new Set(mark)];
  const other = `[^${letters.map(inClass).join('')}] text0`;
  return mark.map((_, state) => {
    const ways = letters.map((letter) => {
      const next = step(mark, state, letter);
      return next === mark.length ? literal(letter) : `${literal(letter)} text${next}`;
    });
    return `text${state} ::= ${[other, ...ways].join(' | ')}`;
  });
}

/** The longest beginning of the mark that ends the text of `state` letters of it and one more. */
function step(mark: readonly string[], state: number, letter: string): number {
  const text = [...mark.slice(0, state), letter].join('');
  for (let n = state + 1; n > 0; n--) if (text.endsWith(mark.slice(0, n).join(''))) return n;
  return 0;
}

function inClass(letter: string): string {
  if (letter === '\n') return '\\n';
  return /[\]\\^-]/.test(letter) ? `\\${letter}` : letter;
}

/** A quoted text, with a rule for ids where their mark stands. */
function literal(text: string): string {
  return text
    .split(idMark)
    .map((part) => JSON.stringify(part))
    .join(' id ');
}
