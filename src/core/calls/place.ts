// Turns calls as they were read into calls of a dialog: with ids, and with values of the types the tools declare.
import type { ToolCall } from '../dialog/dialog.ts';
import type { ToolSchema } from '../dialog/tool.ts';
import type { ReadCall } from './readCall.ts';

/** Tagged syntaxes write every value as text: a number or a boolean becomes one where the schema asks for it. */
export function placeCalls(
  calls: readonly ReadCall[],
  tools: readonly ToolSchema[],
  newId: () => string,
): readonly ToolCall[] {
  return calls.map((call) => {
    const properties = tools.find(({ name }) => name === call.name)?.parameters.properties ?? {};
    const values = Object.entries(call.arguments).map(([key, value]) => {
      const type = properties[key]?.type;
      return [
        key,
        typeof value === 'string' && type !== undefined && type !== 'string' ? typed(value) : value,
      ] as const;
    });
    return { ...call, id: newId(), arguments: Object.fromEntries(values) };
  });
}

function typed(text: string): unknown {
  if (/^\s*-?\d+(\.\d+)?\s*$/.test(text)) return Number(text);
  const word = text.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : text;
}

/** Nine letters and digits, as Mistral's templates demand: the same for the same id. */
export function shortId(id: string): string {
  return id
    .replace(/[^a-zA-Z0-9]/g, '')
    .slice(0, 9)
    .padEnd(9, 'x');
}
