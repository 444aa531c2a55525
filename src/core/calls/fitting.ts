// Values of the types that a tool declares, from what a model wrote: a number may stand for a text, and a text for what it spells.

import { type JsonSchema, type JsonType, namedValues, unionOf } from '../dialog/jsonSchema.ts';
import type { ToolSchema } from '../dialog/tool.ts';
import { isRecord } from '../record.ts';
import { looseJson } from './json.ts';
import type { ReadCall } from './readCall.ts';

/** The call with values of the types the tool declares; null where it is none: of no tool that is offered, or with arguments that do not fit. */
export function fitting({ name, arguments: given }: ReadCall, tools: readonly ToolSchema[]): ReadCall | null {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return null;
  const { properties, required } = tool.parameters;
  const placed: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    const schema = properties[key];
    const fitted = schema === undefined ? undefined : fittedValue(schema, value);
    // Models write null for what they leave out.
    if (fitted === undefined && value === null) continue;
    if (fitted === undefined) return null;
    placed[key] = fitted;
  }
  return required.every((key) => key in placed) ? { name, arguments: placed } : null;
}

/** Undefined where it does not fit. What fits as it is stays as it is. */
export function fittedValue(schema: JsonSchema, value: unknown): unknown {
  const fitted = fitAs(schema, value, false);
  if (fitted !== undefined) return fitted;
  // A text that spells a value of the schema is that value, before anything is bent.
  const spelled = typeof value === 'string' ? looseJson(value) : undefined;
  const exact = spelled === undefined ? undefined : fitAs(schema, spelled, false);
  return exact === undefined ? fitAs(schema, value, true) : exact;
}

function within(schema: JsonSchema, value: unknown, spelled: boolean): unknown {
  return spelled ? fittedValue(schema, value) : fitAs(schema, value, false);
}

/** `spelled`: a value may stand for another of its kind. */
function fitAs(schema: JsonSchema, value: unknown, spelled: boolean): unknown {
  const union = unionOf(schema);
  if (union !== null) {
    for (const one of union) {
      const fitted = fitAs(one, value, spelled);
      if (fitted !== undefined) return fitted;
    }
    return undefined;
  }
  const named = namedValues(schema);
  if (named !== null) {
    const key = (one: unknown) => (spelled ? String(one).trim().toLowerCase() : JSON.stringify(one));
    return named.find((one) => key(one) === key(value));
  }
  const { type } = schema;
  if (type === undefined) return value;
  const kind = type as JsonType;
  if (kind === 'array') return fitArray(schema, value, spelled);
  if (kind === 'object') return fitObject(schema, value, spelled);
  return spelled ? spelledOut[kind](value) : isOf[kind](value) ? value : undefined;
}

type Plain = Exclude<JsonType, 'array' | 'object'>;

const isOf: Readonly<Record<Plain, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

const spelledOut: Readonly<Record<Plain, (value: unknown) => unknown>> = {
  string: (value) => (typeof value === 'number' ? String(value) : undefined),
  integer: (value) => numberIn(value, /^\s*-?\d+\s*$/),
  number: (value) => numberIn(value, /^\s*-?\d+(?:\.\d+)?(?:e[-+]?\d+)?\s*$/i),
  boolean: (value) => {
    const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
    return word === 'true' || word === 'false' ? word === 'true' : undefined;
  },
  null: (value) => (typeof value === 'string' && /^\s*(?:null|none)\s*$/i.test(value) ? null : undefined),
};

function numberIn(value: unknown, pattern: RegExp): number | undefined {
  return typeof value === 'string' && pattern.test(value) ? Number(value) : undefined;
}

function fitArray({ items = {}, minItems = 0, maxItems }: JsonSchema, value: unknown, spelled: boolean): unknown {
  const listed = spelled && typeof value === 'string' ? looseJson(value) : value;
  // Models write a single value bare where a list may stand.
  const all: readonly unknown[] | null = Array.isArray(listed) ? listed : spelled && value !== null ? [value] : null;
  if (all === null || all.length < minItems || all.length > (maxItems ?? all.length)) return undefined;
  const fitted = all.map((one) => within(items, one, spelled));
  return fitted.every((one) => one !== undefined) ? fitted : undefined;
}

function fitObject(schema: JsonSchema, value: unknown, spelled: boolean): unknown {
  const given = spelled && typeof value === 'string' ? looseJson(value) : value;
  if (!isRecord(given)) return undefined;
  const { properties = {}, required = [], additionalProperties: others = true } = schema;
  const fitted: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(given)) {
    const own = properties[key] ?? (others === true ? {} : others);
    const placed = own === false ? undefined : within(own, one, spelled);
    if (placed === undefined) return undefined;
    fitted[key] = placed;
  }
  return required.every((key) => key in fitted) ? fitted : undefined;
}
