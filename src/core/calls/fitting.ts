// Whether a call that was read outside a model's own syntax is one: of a tool that is offered, with arguments that fit its schema.
import type { ToolParameter, ToolSchema } from '../dialog/tool.ts';
import type { ReadCall } from './readCall.ts';

/** The call with values of the types the tool declares; null where it is none. */
export function fitting({ name, arguments: given }: ReadCall, tools: readonly ToolSchema[]): ReadCall | null {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return null;
  const { properties, required } = tool.parameters;
  const values = Object.entries(given).filter(([, value]) => value !== null);
  const placed: Record<string, unknown> = {};
  for (const [key, value] of values) {
    const parameter = properties[key];
    const fitted = parameter === undefined ? undefined : valueFor(parameter, value);
    if (fitted === undefined) return null;
    placed[key] = fitted;
  }
  return required.every((key) => key in placed) ? { name, arguments: placed } : null;
}

/** Undefined where it does not fit: a number may stand for a text, and a text for what it spells. */
function valueFor({ type }: ToolParameter, value: unknown): unknown {
  if (type === 'string') return ['string', 'number'].includes(typeof value) ? String(value) : undefined;
  const spelled = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (type === 'boolean') {
    if (typeof spelled === 'boolean') return spelled;
    return spelled === 'true' || spelled === 'false' ? spelled === 'true' : undefined;
  }
  const number = typeof spelled === 'string' && /^-?\d+$/.test(spelled) ? Number(spelled) : spelled;
  return Number.isInteger(number) ? number : undefined;
}
