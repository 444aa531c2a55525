// GBNF for a value of a JSON schema, in the style in which a model writes it: JSON, JSON with free white space, or with marks for text.

import { spacedJson } from '../../core/calls/json.ts';
import { idMark } from '../../core/calls/syntax.ts';
import { type Json, type JsonSchema, type JsonType, namedValues, unionOf } from '../../core/dialog/jsonSchema.ts';

/** How the parts of a value are written, as expressions of GBNF. */
export interface ValueStyle {
  readonly colon: string;
  readonly comma: string;
  /** White space behind what opens a list or an object and in front of what closes it; '' for none. */
  readonly space: string;
  readonly key: (name: string) => string;
  readonly anyKey: string;
  readonly anyText: string;
  readonly named: (value: Json) => string;
}

/** The style of Python's json.dumps, and so of most training data. */
export const spacedStyle: ValueStyle = {
  colon: '": "',
  comma: '", "',
  space: '',
  key: (name) => terminal(JSON.stringify(name)),
  anyKey: 'string',
  anyText: 'string',
  named: (value) => terminal(spacedJson(value)),
};

export const freeStyle: ValueStyle = {
  ...spacedStyle,
  colon: 'space ":" space',
  comma: 'space "," space',
  space: 'space',
};

/** An expression for a value of the schema. What the schema leaves open is any value. */
export function valueRule(schema: JsonSchema, style: ValueStyle): string {
  const union = unionOf(schema);
  if (union !== null) return anyOf(union.map((one) => valueRule(one, style)));
  const named = namedValues(schema);
  if (named !== null) return anyOf(named.map(style.named));
  const type = schema.type as JsonType | undefined;
  if (type === 'array') return listRule(schema, style);
  if (type === 'object') return `"{" ${inner(style, membersRule(schema, style))} "}"`;
  if (type === 'string') return style.anyText;
  return type ?? 'value';
}

function anyOf(rules: readonly string[]): string {
  return rules.length === 1 ? (rules[0] ?? '') : `(${rules.join(' | ')})`;
}

function listRule({ items = {}, minItems = 0, maxItems }: JsonSchema, style: ValueStyle): string {
  const item = valueRule(items, style);
  if (maxItems === 0) return `"[" ${inner(style, '""')} "]"`;
  const more = `(${style.comma} ${item}){${Math.max(0, minItems - 1)},${maxItems === undefined ? '' : maxItems - 1}}`;
  const all = `${item} ${more}`;
  return `"[" ${inner(style, minItems > 0 ? all : `(${all})?`)} "]"`;
}

/** The members between the braces: the required ones in order, then any of the others in order; any members when none is named. */
function membersRule(
  { properties = {}, required = [], additionalProperties: others = true }: JsonSchema,
  style: ValueStyle,
): string {
  if (Object.keys(properties).length > 0) {
    const member = (name: string, one: JsonSchema) => `${style.key(name)} ${style.colon} ${valueRule(one, style)}`;
    return inOrder(properties, required, member, style.comma);
  }
  if (others === false) return '""';
  const one = `${style.anyKey} ${style.colon} ${valueRule(others === true ? {} : others, style)}`;
  return `(${one} (${style.comma} ${one})*)?`;
}

/** The required ones in order, then any of the others in order, separated. */
export function inOrder(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
  rule: (name: string, schema: JsonSchema) => string,
  separator: string,
): string {
  const entries = Object.entries(properties);
  const rules = (wanted: boolean) =>
    entries.filter(([name]) => required.includes(name) === wanted).map(([name, schema]) => rule(name, schema));
  const needed = rules(true);
  const optional = rules(false);
  if (needed.length === 0) return firstPresent(optional, separator);
  return [needed.join(` ${separator} `), ...optional.map((one) => `(${separator} ${one})?`)].join(' ');
}

/** Any subset in order, with separators only between: either the first is present and the rest may follow, or it is not. */
function firstPresent(rules: readonly string[], separator: string): string {
  const [first, ...rest] = rules;
  if (first === undefined) return '""';
  const following = [first, ...rest.map((rule) => `(${separator} ${rule})?`)].join(' ');
  return rest.length === 0 ? `(${following})?` : `(${following} | ${firstPresent(rest, separator)})`;
}

function inner({ space }: ValueStyle, rule: string): string {
  return space === '' ? rule : `${space} ${rule} ${space}`;
}

/** The rules that the expressions name. */
export function valueRules(style: ValueStyle): readonly string[] {
  const { anyKey, anyText, colon, comma, named } = style;
  const member = `${anyKey} ${colon} value`;
  return [
    'integer ::= "-"? ("0" | [1-9] [0-9]{0,8})',
    'number ::= integer ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,2})?',
    `boolean ::= ${named(true)} | ${named(false)}`,
    `null ::= ${named(null)}`,
    `value ::= ${anyText} | number | boolean | null | list | object`,
    `list ::= "[" ${inner(style, `(value (${comma} value)*)?`)} "]"`,
    `object ::= "{" ${inner(style, `(${member} (${comma} ${member})*)?`)} "}"`,
  ];
}

export const jsonTextRules: readonly string[] = [
  'string ::= "\\"" text "\\""',
  'text ::= ([^"\\\\\\x00-\\x1F\\x7F] | escape)*',
  'escape ::= "\\\\" (["\\\\/bfnrt] | "u" [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F])',
];

/** A quoted text, with a rule for ids where their mark stands. */
export function terminal(text: string): string {
  return text
    .split(idMark)
    .map((part) => JSON.stringify(part))
    .join(' id ');
}
