// GBNF for what follows an opened tool call: one of the tools with arguments of its schema, then the closing tag.
// The library's JSON-schema grammar never ends a sequence, so the grammar is written here.
import type { ToolParameter, ToolSchema } from '../../core/tool.ts';
import { callClose, callOpen } from '../../core/toolFormat.ts';

export function callGrammar(tools: readonly ToolSchema[]): string {
  const rules = tools.map(
    (tool, i) =>
      `tool${i} ::= ${literal(`{"name": ${JSON.stringify(tool.name)}, "arguments": {`)} ${argumentsRule(tool)} "}}"`,
  );
  return [
    `root ::= "\\n" (${tools.map((_, i) => `tool${i}`).join(' | ')}) ${literal(`\n${callClose}`)}`,
    ...rules,
    'string ::= "\\"" text',
    ...textRules(),
    'escape ::= "\\\\" (["\\\\/bfnrt] | "u" [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F])',
    'integer ::= "-"? ("0" | [1-9] [0-9]{0,8})',
    'boolean ::= "true" | "false"',
    '',
  ].join('\n');
}

function argumentsRule({ parameters }: ToolSchema): string {
  const entries = Object.entries(parameters.properties);
  const required = entries.filter(([name]) => parameters.required.includes(name)).map(pair);
  const optional = entries.filter(([name]) => !parameters.required.includes(name)).map(pair);
  if (required.length === 0) return firstPresent(optional);
  return [required.join(' ", " '), ...optional.map((rule) => `(", " ${rule})?`)].join(' ');
}

/** Any subset in order, with commas only between: either the first is present and the rest may follow, or it is not. */
function firstPresent(rules: readonly string[]): string {
  const [first, ...rest] = rules;
  if (first === undefined) return '""';
  const following = [first, ...rest.map((rule) => `(", " ${rule})?`)].join(' ');
  return rest.length === 0 ? `(${following})?` : `(${following} | ${firstPresent(rest)})`;
}

function pair([name, parameter]: readonly [string, ToolParameter]): string {
  return `${literal(`${JSON.stringify(name)}: `)} ${parameter.type}`;
}

/**
 * The rest of a JSON string that never spells a tag: the reader would take it for the end of the call or the start of
 * another. One rule per beginning of a tag; both tags have `<` only in front, so any other way out leads back to `text`.
 */
function textRules(): readonly string[] {
  const tags = [callOpen, callClose];
  const beginnings = [...new Set(tags.flatMap((tag) => Array.from(tag, (_, n) => tag.slice(0, n))))];
  const rule = (beginning: string) => (beginning === '' ? 'text' : `tag${beginnings.indexOf(beginning)}`);
  return beginnings.map((beginning) => {
    const next = [
      ...new Set(tags.filter((tag) => tag.startsWith(beginning)).map((tag) => tag.charAt(beginning.length))),
    ];
    const onward = next
      .filter((char) => !tags.includes(beginning + char))
      .map((char) => `"${char}" ${rule(beginning + char)}`);
    const again = beginning === '' ? [] : [`"<" ${rule('<')}`];
    const other = `[^"\\\\\\x00-\\x1F\\x7F<${next.filter((char) => char !== '<').join('')}]`;
    return `${rule(beginning)} ::= ${['"\\""', `${other} text`, 'escape text', ...again, ...onward].join(' | ')}`;
  });
}

function literal(text: string): string {
  return JSON.stringify(text);
}
