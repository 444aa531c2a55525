// GBNF for what follows an opened tool call: one of the tools with arguments of its schema, then the closing tag.
// The library's JSON-schema grammar never ends a sequence, so the grammar is written here.
import type { ToolParameter, ToolSchema } from '../../core/tool.ts';
import { callClose } from '../../core/toolFormat.ts';

export function callGrammar(tools: readonly ToolSchema[]): string {
  const rules = tools.map(
    (tool, i) =>
      `tool${i} ::= ${literal(`{"name": ${JSON.stringify(tool.name)}, "arguments": {`)} ${argumentsRule(tool)} "}}"`,
  );
  return [
    `root ::= "\\n" (${tools.map((_, i) => `tool${i}`).join(' | ')}) ${literal(`\n${callClose}`)}`,
    ...rules,
    'string ::= "\\"" character* "\\""',
    'character ::= [^"\\\\\\x00-\\x1F\\x7F] | "\\\\" (["\\\\/bfnrt] | "u" [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F])',
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

function literal(text: string): string {
  return JSON.stringify(text);
}
