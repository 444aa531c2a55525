// A call in another dress, as far as it is written: from its first argument on it can be nothing else, and its rest is known.

import { type JsonSchema, takesAnyText } from '../dialog/jsonSchema.ts';
import type { ToolSchema } from '../dialog/tool.ts';
import { opensIn } from './dressed.ts';

export interface BegunCall {
  readonly tool: ToolSchema;
  /** The argument whose value is next. */
  readonly key: string;
  readonly parameter: JsonSchema;
  /** The value is a text whose quotation mark stands already. */
  readonly quoted: boolean;
}

const begun =
  /^\{\s*"(?:name|tool|tool_name)"\s*:\s*"(?:functions\.)?(?<tool>[\w-]+)"\s*,\s*"(?:arguments|parameters|args|input)"\s*:\s*\{\s*"(?<key>[^"\\]+)"\s*:\s*(?<quoted>"[^"\\]*)?$/;

/**
 * Returns null unless the message stops just before the value of the call's first argument. The other calls of an array are left to the
 * model.
 */
export function begunCall(raw: string, tools: readonly ToolSchema[]): BegunCall | null {
  const from = opensIn(raw, tools)?.from;
  const groups = from === undefined ? undefined : begun.exec(raw.slice(from))?.groups;
  if (groups === undefined) return null;
  const { tool: name, key = '', quoted } = groups;
  const tool = tools.find((one) => one.name === name);
  const parameter = tool?.parameters.properties[key];
  if (tool === undefined || parameter === undefined) return null;
  if (quoted !== undefined && !takesAnyText(parameter)) return null;
  return { tool, key, parameter, quoted: quoted !== undefined };
}
