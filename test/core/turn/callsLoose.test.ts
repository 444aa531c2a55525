// Reading what nobody should write: long raw text, repeated marks, blanks without end. Time stays bounded, and nothing throws.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readGeneration } from '../../../src/core/calls/read.ts';
import { renderCalls } from '../../../src/core/calls/render.ts';
import { type CallSyntax, harmony, openingOf } from '../../../src/core/calls/syntax.ts';
import { cases } from '../../cases.ts';
import { cpuTime } from '../../harness/cpuTime.ts';
import { syntaxes } from '../scenes/syntaxes.ts';

const rawOf = (syntax: CallSyntax, text: string, values: Readonly<Record<string, unknown>>) =>
  renderCalls(syntax, text, [{ id: 'abc', name: 'search', arguments: values }])
    .map((piece) => piece.text)
    .join('');

/** Parts of the syntax, and what makes careless patterns go back and forth. */
function fillers(syntax: CallSyntax): readonly string[] {
  const tagged = typeof syntax.arguments === 'string' ? [] : [syntax.arguments.open, ...syntax.arguments.string];
  const parts = [...syntax.section, syntax.before, syntax.middle, syntax.after, ...tagged].filter(
    (part) => part !== '',
  );
  const marks = [
    '<',
    '{',
    '[',
    ' ',
    '\n',
    '"',
    'a',
    '.',
    '1',
    '1 ',
    '<tool_call>',
    '<|channel|>',
    '<|channel|>final',
    '{"name": "a", "arguments": {}}',
  ];
  return [...parts, ...marks, `${syntax.before}a`, `${syntax.before}a${syntax.middle}`];
}

for (const [name, syntax] of Object.entries(syntaxes)) {
  test(`${name}: 50 kB of anything behind an opening are read in no time`, async () => {
    const beginnings = [
      '',
      openingOf(syntax).text,
      `${syntax.section[0]}${syntax.before}`,
      rawOf(syntax, '', { q: 1 }),
    ];
    const whole = `${syntax.section[0]}${syntax.before}a${syntax.middle}`;
    for (const beginning of [...beginnings, whole]) {
      for (const filler of fillers(syntax)) {
        const raw = beginning + filler.repeat(50_000 / filler.length) + syntax.before;
        const took = await cpuTime(() => readGeneration(syntax, raw, true));
        assert.ok(took < 400, `${Math.round(took)} ms for ${JSON.stringify(beginning + filler)}...`);
      }
    }
  });

  test(`${name}: 100 kB read at every 40 characters take no seconds`, async () => {
    const long = 'The tide at the harbour < 3 m {"height"}.\n'.repeat(2400);
    const texts = [long, rawOf(syntax, '', { q: long }), rawOf(syntax, '', { q: ' '.repeat(100_000) })];
    for (const raw of texts) {
      const took = await cpuTime(() => {
        for (let n = 40; n <= raw.length; n += 40) readGeneration(syntax, raw.slice(0, n));
      });
      assert.ok(took < 3000, `${Math.round(took)} ms for ${raw.slice(0, 60)}`);
    }
  });

  test(`${name}: whatever stands behind an opening, reading throws nothing and an incomplete call has a problem`, () => {
    const piece = fc.oneof(fc.constantFrom(...fillers(syntax)), fc.string({ maxLength: 8 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (pieces, opened) => {
        const raw = (opened ? syntax.section[0] + syntax.before : '') + pieces.join('');
        const { text, calls, open } = readGeneration(syntax, raw);
        assert.equal(typeof text, 'string');
        if (open) assert.ok(calls.length > 0, raw);
        for (const call of calls)
          assert.ok(call.problem === undefined || Object.keys(call.arguments).length === 0, raw);
      }),
      { numRuns: cases(300) },
    );
  });
}

test('gpt-oss names the recipient on either side of the channel, with and without a format', () => {
  const thought = '<|channel|>analysis<|message|>I use to=functions.f <|message|> now.<|end|><|start|>assistant';
  const headers = [
    '<|channel|>commentary to=functions.f <|constrain|>json',
    ' to=functions.f<|channel|>commentary json',
    ' to=functions.f<|channel|>commentary <|constrain|>json',
    '<|channel|>commentary to=functions.f',
    '<|channel|>analysis to=functions.f code',
  ];
  for (const header of headers) {
    for (const begin of ['', thought]) {
      const raw = `${begin}${header}<|message|>{"a":1}`;
      assert.deepEqual(readGeneration(harmony, raw, true), {
        text: '',
        ...(begin === '' ? {} : { thoughts: 'I use to=functions.f <|message|> now.' }),
        calls: [{ name: 'f', arguments: { a: 1 } }],
        open: false,
      });
    }
  }
});

test('gpt-oss may speak of a recipient in its thoughts and in its answer', () => {
  const raw =
    '<|channel|>analysis<|message|>Maybe to=functions.f<|end|><|start|>assistant<|channel|>final<|message|>A header: to=functions.f it is.';
  assert.deepEqual(readGeneration(harmony, raw, true), {
    text: 'A header: to=functions.f it is.',
    thoughts: 'Maybe to=functions.f',
    calls: [],
    open: false,
  });
});

test('Llama may mark a call with its python tag', () => {
  const llama3 = syntaxes.llama3 as CallSyntax;
  const raw = '<|python_tag|>{"name": "f", "parameters": {"a": 1}}';
  assert.deepEqual(readGeneration(llama3, raw, true), {
    text: '',
    calls: [{ name: 'f', arguments: { a: 1 } }],
    open: false,
  });
  for (let n = '<|python_tag|>'.length; n < raw.length; n++)
    assert.equal(readGeneration(llama3, raw.slice(0, n)).text, '');
  assert.equal(readGeneration(llama3, 'Like this: {"name": "f"}', true).calls.length, 0);
});

test('a first call in another form is a problem in words, and is not passed over for the second', () => {
  const mistral = syntaxes.mistral as CallSyntax;
  const { calls, open } = readGeneration(
    mistral,
    '[TOOL_CALLS]f[ARGS]{"a": 1}[TOOL_CALLS]g[CALL_ID]abcdefghi[ARGS]{}',
    true,
  );
  assert.equal(open, true);
  assert.match(calls[0]?.problem ?? '', /could not be read: \[TOOL_CALLS\]f/);
});
