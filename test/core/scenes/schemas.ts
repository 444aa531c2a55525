// Random JSON schemas of tools, values that meet them, and Ajv as the judge of whether a value does.
import { Ajv } from 'ajv';
import fc from 'fast-check';
import type { Json, JsonSchema } from '../../../src/core/dialog/jsonSchema.ts';

const plainTypes = ['string', 'integer', 'number', 'boolean', 'null'] as const;
const names = ['path', 'line', 'deep', 'kind', 'edits'];

export const randomSchemas: fc.Arbitrary<JsonSchema> = fc.letrec<{ any: JsonSchema; plain: JsonSchema }>((tie) => ({
  plain: fc.oneof(
    fc.constantFrom(...plainTypes).map((type): JsonSchema => ({ type })),
    fc.constantFrom<JsonSchema>(
      { enum: ['one', 'two words', 'say "it"'] },
      { enum: [1, true, null, 'x'] },
      { const: 'only' },
      {},
    ),
    fc.constantFrom<JsonSchema>({ type: ['string', 'null'] }, { type: ['integer', 'boolean'] }),
  ),
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    tie('plain'),
    fc
      .tuple(tie('any'), fc.constantFrom({}, { minItems: 1 }, { maxItems: 2 }))
      .map(([items, bounds]): JsonSchema => ({ type: 'array', items, ...bounds })),
    fc.tuple(tie('any'), tie('any')).map(([a, b]): JsonSchema => ({ anyOf: [a, b] })),
    fc
      .tuple(fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 3, noNullPrototype: true }), fc.nat(7))
      .map(
        ([properties, needed]): JsonSchema => ({
          type: 'object',
          properties,
          required: Object.keys(properties).filter((_, i) => needed & (1 << i)),
          additionalProperties: false,
        }),
      ),
  ),
})).any;

/** A value of the schema. */
export function valuesOf(schema: JsonSchema): fc.Arbitrary<Json> {
  const { enum: named, const: only, anyOf, items = {}, properties = {}, required = [] } = schema;
  if (only !== undefined) return fc.constant(only);
  if (named !== undefined) return fc.constantFrom(...named);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(valuesOf));
  const type = fc.constantFrom(...[schema.type ?? 'string'].flat());
  return type.chain((one): fc.Arbitrary<Json> => {
    if (one === 'array')
      return fc.array(valuesOf(items), { minLength: schema.minItems ?? 0, maxLength: schema.maxItems ?? 3 });
    if (one === 'object')
      return fc.record(Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, valuesOf(value)])), {
        requiredKeys: required as string[],
        noNullPrototype: true,
      });
    if (one === 'string') return fc.string({ unit: fc.constantFrom(...'ab "\'\\{}[],:<>|\n/é') });
    if (one === 'integer') return fc.integer({ min: -999, max: 999_999 });
    if (one === 'number') return fc.integer({ min: -99_999, max: 99_999 }).map((n) => n / 100);
    return one === 'boolean' ? fc.boolean() : fc.constant(null);
  });
}

const ajv = new Ajv({ strict: false });

/** Returns what is wrong with a value; `null` where it meets the schema. */
export function problemOf(schema: JsonSchema, value: unknown): string | null {
  return ajv.validate(schema, value) ? null : ajv.errorsText();
}
