// Turns calls as they were read into calls of a dialog: with ids, and with values of the types the tools declare.
import type { ToolCall } from '../dialog/dialog.ts';
import { type JsonSchema, takesAnyText } from '../dialog/jsonSchema.ts';
import type { ToolSchema } from '../dialog/tool.ts';
import { fittedValue } from './fitting.ts';
import type { ReadCall } from './readCall.ts';

/** Tagged syntaxes write every value as text: it becomes what it spells where the schema asks for something else. */
export function placeCalls(
  calls: readonly ReadCall[],
  tools: readonly ToolSchema[],
  newId: () => string,
): readonly ToolCall[] {
  return calls.map((call) => {
    const properties = tools.find(({ name }) => name === call.name)?.parameters.properties ?? {};
    const values = Object.entries(call.arguments).map(([key, value]) => [key, placed(properties[key], value)] as const);
    return { ...call, id: newId(), arguments: Object.fromEntries(values) };
  });
}

function placed(schema: JsonSchema | undefined, value: unknown): unknown {
  if (schema === undefined || typeof value !== 'string' || takesAnyText(schema)) return value;
  const fitted = fittedValue(schema, value);
  return fitted === undefined ? value : fitted;
}

/** Nine letters and digits, as Mistral's templates demand: the same for the same id. */
export function shortId(id: string): string {
  return id
    .replace(/[^a-zA-Z0-9]/g, '')
    .slice(0, 9)
    .padEnd(9, 'x');
}
