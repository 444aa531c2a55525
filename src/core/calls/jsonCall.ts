// Calls in a JSON value of any of the usual shapes: an object, an array of them, OpenAI's `function`, arguments as a string or flat.
import type { ToolSchema } from '../dialog/tool.ts';
import { isRecord } from '../record.ts';
import { fitting } from './fitting.ts';
import { looseJson } from './json.ts';
import type { ReadCall } from './readCall.ts';

const nameKeys = ['name', 'tool', 'tool_name', 'function'] as const;
const argumentKeys = ['arguments', 'parameters', 'args', 'input'] as const;

/** Returns null when the text is anything else, or when one of several entries is no call. */
export function callsInJson(text: string, tools: readonly ToolSchema[]): readonly ReadCall[] | null {
  const value = looseJson(text);
  const listed = isRecord(value) && Array.isArray(value.tool_calls) ? value.tool_calls : value;
  const all: readonly unknown[] = Array.isArray(listed) ? listed : [listed];
  const calls = all.map((one) => callOf(one, tools));
  return calls.length > 0 && calls.every((call) => call !== null) ? calls : null;
}

function callOf(value: unknown, tools: readonly ToolSchema[]): ReadCall | null {
  if (!isRecord(value)) return null;
  if (isRecord(value.function)) return callOf(value.function, tools);
  const key = nameKeys.find((one) => typeof value[one] === 'string');
  if (key === undefined) return null;
  const { [key]: name, type: _type, id: _id, ...rest } = value;
  const wrapper = argumentKeys.find((one) => one in rest);
  if (wrapper !== undefined && Object.keys(rest).length > 1) return null;
  const given = wrapper === undefined ? rest : rest[wrapper];
  const read = typeof given === 'string' ? looseJson(given) : (given ?? {});
  return isRecord(read) ? fitting({ name: String(name).replace(/^functions\./, ''), arguments: read }, tools) : null;
}
