// Arguments of any JSON schema: what is written in a model's syntax reads back the same, and what models write beside it is understood.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fittedValue } from '../../../src/core/calls/fitting.ts';
import { looseJson } from '../../../src/core/calls/json.ts';
import { placeCalls } from '../../../src/core/calls/place.ts';
import { readGeneration } from '../../../src/core/calls/read.ts';
import { renderCalls } from '../../../src/core/calls/render.ts';
import type { JsonSchema } from '../../../src/core/dialog/jsonSchema.ts';
import type { ToolSchema } from '../../../src/core/dialog/tool.ts';
import { cases } from '../../cases.ts';
import { problemOf, randomSchemas, valuesOf } from '../scenes/schemas.ts';
import { syntaxes } from '../scenes/syntaxes.ts';

/** A schema with a value of it. */
const withValues = randomSchemas.chain((schema) => valuesOf(schema).map((value) => ({ schema, value })));

for (const [name, syntax] of Object.entries(syntaxes))
  test(`${name}: nested arguments read back as they were written`, () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }),
        fc.array(withValues, { minLength: 3, maxLength: 3 }),
        (keys, given) => {
          const entries = keys.map((key, i) => [key, given[i]] as const);
          const properties = Object.fromEntries(entries.map(([key, one]) => [key, one?.schema ?? {}]));
          const tool: ToolSchema = {
            name: 'probe',
            description: '',
            parameters: { type: 'object', properties, required: [] },
          };
          const values = Object.fromEntries(entries.map(([key, one]) => [key, one?.value]));
          const text = renderCalls(syntax, '', [{ id: 'abcdefghi', name: 'probe', arguments: values }])
            .map((piece) => piece.text)
            .join('');
          const [call] = placeCalls(readGeneration(syntax, text).calls, [tool], () => 'id');
          assert.equal(call?.problem, undefined, text);
          for (const [key, one] of entries)
            assert.equal(problemOf(one?.schema ?? {}, call?.arguments[key]), null, text);
          // A syntax of JSON tells every value from a text, so each comes back exactly as it was.
          if (syntax.arguments === 'json') assert.deepEqual(call?.arguments, values, text);
        },
      ),
      { numRuns: cases(300) },
    );
  });

test('a value that meets its schema stays as it is', () => {
  fc.assert(fc.property(withValues, ({ schema, value }) => assert.deepEqual(fittedValue(schema, value), value)));
});

test('a value that models write in its place is understood, and one of another kind is not', () => {
  const list: JsonSchema = { type: 'array', items: { type: 'string' } };
  const edit: JsonSchema = { type: 'object', properties: { line: { type: 'integer' } }, required: ['line'] };
  const cases: readonly (readonly [JsonSchema, unknown, unknown])[] = [
    [list, 'a.ts', ['a.ts']],
    [list, '["a.ts", "b.ts"]', ['a.ts', 'b.ts']],
    [list, "['a.ts', 'b.ts',]", ['a.ts', 'b.ts']],
    [list, [1, 'b'], ['1', 'b']],
    [list, null, undefined],
    [edit, '{"line": "3"}', { line: 3 }],
    [edit, { line: '3', more: true }, { line: 3, more: true }],
    [edit, { line: 3.5 }, undefined],
    [edit, {}, undefined],
    [{ ...edit, additionalProperties: false }, { line: 3, more: true }, undefined],
    [{ type: 'array', items: edit }, { line: 3 }, [{ line: 3 }]],
    [{ enum: ['fast', 'slow'] }, 'Fast', 'fast'],
    [{ enum: [1, 2] }, '2', 2],
    [{ enum: ['fast', 'slow'] }, 'medium', undefined],
    [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, '12', '12'],
    [{ type: ['integer', 'null'] }, '12', 12],
    [{ type: ['integer', 'null'] }, null, null],
    [{ type: 'number' }, '-1.5e3', -1500],
    [{ type: 'boolean' }, 'True', true],
    [{ type: 'boolean' }, 1, undefined],
  ];
  for (const [schema, value, wanted] of cases)
    assert.deepEqual(fittedValue(schema, value), wanted, JSON.stringify([schema, value]));
});

test('the literals of Python are read as JSON, and their names within texts stay', () => {
  assert.deepEqual(looseJson(`{'a': True, 'b': [None, "True", 'it\\'s "so"'], "c": 'x\\n'}`), {
    a: true,
    b: [null, 'True', 'it\'s "so"'],
    c: 'x\n',
  });
  assert.equal(looseJson('nothing'), undefined);
});
