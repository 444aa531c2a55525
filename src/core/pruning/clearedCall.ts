// Long arguments of a call, such as the text of a file to write: cleared like the body of a result, down to how they begin. What is left is
// written anew, so a slot that erases decodes all behind it again: there they go only where the current turn would not fit.
import type { CallItem, ToolCall } from '../dialog/dialog.ts';

/** Characters up to which a text in an argument stays whole. */
const longest = 200;
/** Characters that stay of one that is cleared. */
const kept = 60;

/** The same call with each long text cut to its beginning, however deep it stands. */
export function clearedCall(call: ToolCall): ToolCall {
  return { ...call, arguments: cleared(call.arguments) as ToolCall['arguments'] };
}

/** The share of an item's characters that clearing its calls would free; 0 where no argument is long. */
export function clearableShare({ text, calls }: CallItem): number {
  const size = (all: readonly ToolCall[]) => JSON.stringify(all.map((call) => call.arguments)).length;
  const whole = size(calls);
  const left = size(calls.map(clearedCall));
  return (whole - left) / (text.length + whole);
}

function cleared(value: unknown): unknown {
  if (typeof value === 'string') return value.length > longest ? beginning(value) : value;
  if (Array.isArray(value)) return value.map(cleared);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cleared(one)]));
}

function beginning(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  const head = line.slice(0, kept).toWellFormed();
  return `${head} [${text.length - head.length} characters cleared here]`;
}
