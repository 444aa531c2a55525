// Tool schemas in words, for templates that have no place for them: what a model must know to call a tool in its syntax.

import { spacedJson } from '../core/calls/json.ts';
import { renderedText } from '../core/calls/render.ts';
import { type CallSyntax, ownSyntax } from '../core/calls/syntax.ts';
import type { ToolSchema } from '../core/dialog/tool.ts';

export function schemaText(tools: readonly ToolSchema[], syntax: CallSyntax | null): string {
  const example = { id: 'abcdefghi', name: 'TOOL_NAME', arguments: { ARGUMENT: 'value' } };
  const call = renderedText(syntax ?? ownSyntax, '', [example]);
  return [
    'Tools, as JSON schemas:',
    ...tools.map((tool) => spacedJson(tool)),
    `To call a tool, write exactly this and nothing after it:\n${call.trim()}`,
  ].join('\n');
}
