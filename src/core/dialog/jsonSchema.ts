// JSON Schema of a tool's arguments, as far as it changes how a call is written. Other parts of a schema (a pattern, a range, a reference)
// are not enforced while a call is generated; the tool that gets the value reports the problem.

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'array' | 'object';

export interface JsonSchema {
  /** Absent is any. */
  readonly type?: JsonType | readonly JsonType[];
  readonly description?: string;
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** Schema of keys that `properties` does not name. */
  readonly additionalProperties?: boolean | JsonSchema;
  /** Schema of each element of an array; absent allows any. */
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** The schemas of which a value must meet one; null where it is not a union. */
export function unionOf({ anyOf, oneOf, type, ...rest }: JsonSchema): readonly JsonSchema[] | null {
  const options = anyOf ?? oneOf;
  if (options !== undefined) return options;
  return Array.isArray(type) ? type.map((one: JsonType) => ({ ...rest, type: one })) : null;
}

/** The values that it names one by one; null where it names none. */
export function namedValues({ enum: values, const: only }: JsonSchema): readonly Json[] | null {
  return only === undefined ? (values ?? null) : [only];
}

/** Whether a text, whatever it says, may stand there. */
export function takesAnyText(schema: JsonSchema): boolean {
  const union = unionOf(schema);
  if (union !== null) return union.some(takesAnyText);
  return namedValues(schema) === null && (schema.type === undefined || schema.type === 'string');
}
