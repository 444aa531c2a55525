// How calls are written and read back in every family's syntax: whole, streamed in any pieces, several, unclosed, look-alikes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { endOfJson, spacedJson } from '../../../src/core/calls/json.ts';
import { placeCalls, shortId } from '../../../src/core/calls/place.ts';
import { readGeneration, saidOf } from '../../../src/core/calls/read.ts';
import { renderCalls } from '../../../src/core/calls/render.ts';
import { type CallSyntax, harmony, hermes, openingOf } from '../../../src/core/calls/syntax.ts';
import type { ToolCall } from '../../../src/core/dialog/dialog.ts';
import type { ToolSchema } from '../../../src/core/dialog/tool.ts';
import { cases } from '../../cases.ts';
import { syntaxes } from '../scenes/syntaxes.ts';

const tool: ToolSchema = {
  name: 'search',
  description: 'Searches.',
  parameters: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'what' },
      first: { type: 'integer', description: 'from' },
      all: { type: 'boolean', description: 'whether all' },
    },
    required: ['query'],
  },
};
const rawOf = (syntax: CallSyntax, text: string, calls: readonly ToolCall[]) =>
  renderCalls(syntax, text, calls)
    .map((piece) => piece.text)
    .join('');

/** Any text but the marks that tagged syntaxes close a value with, and white space at its ends, which marks may own. */
const value = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('a "b"\n\tc', '{"x": [1, "}"]}', 'if (a < b) { c() }', '日本語 🌊'),
  )
  .filter((text) => !/<\/|<\||｜|\]\]/.test(text) && text === text.trim());
const call = fc.record({
  name: fc.constantFrom('search', 'read_file', 'find-it'),
  arguments: fc.record(
    { query: value, first: fc.integer({ min: -9, max: 9999 }), all: fc.boolean() },
    { requiredKeys: ['query'], noNullPrototype: true },
  ),
});

for (const [name, syntax] of Object.entries(syntaxes)) {
  const most = syntax.channels ? 1 : 3;
  test(`${name}: reads back the text and the calls it wrote`, () => {
    const text =
      openingOf(syntax).atStart || syntax.channels ? fc.constant('') : fc.constantFrom('', 'I look.', 'a < b: [x]');
    const made = fc.array(call, { minLength: 1, maxLength: most });
    const property = fc.property(text, made, (words, calls) => {
      const raw = rawOf(
        syntax,
        words,
        calls.map((one) => ({ id: 'abc', ...one })),
      );
      const { text: shown, calls: read, open } = readGeneration(syntax, raw);
      assert.equal(shown, words);
      assert.equal(open, false, raw);
      const schemas = calls.map((one) => ({ ...tool, name: one.name }));
      const placed = placeCalls(read, schemas, () => 'id');
      assert.deepEqual(
        placed,
        calls.map((one) => ({ ...one, id: 'id' })),
        raw,
      );
    });
    fc.assert(property, { numRuns: cases(200) });
  });

  test(`${name}: shows no markup and no half call, wherever the stream stands`, () => {
    const words = openingOf(syntax).atStart || syntax.channels ? '' : 'Let me <b>look</b> a < b.';
    const calls = [{ id: 'abc', name: 'search', arguments: { query: 'x' } }];
    const raw = rawOf(syntax, words, calls);
    for (let n = 0; n <= raw.length; n++) {
      const { text, calls: read, open } = readGeneration(syntax, raw.slice(0, n));
      assert.ok(`${words}\n\n`.startsWith(text), `${n}: ${text}`);
      if (open) assert.notEqual(read.at(-1)?.problem, undefined);
    }
  });

  if (syntax.channels) continue;
  test(`${name}: text without its opening stays text`, () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('<', 'tool', '{', '"', 'a', ' ', '\n', '[', '>')), (parts) => {
        const raw = parts.join('');
        fc.pre(!raw.includes(openingOf(syntax).text.trim()));
        const { text, calls } = readGeneration(syntax, raw);
        const pruned = raw.slice(text.length).trim();
        // A mark of thoughts may begin so.
        const mayThink = text === '' && (pruned === '<' || pruned === '[');
        assert.ok(raw.startsWith(text) && (mayThink || openingOf(syntax).text.startsWith(pruned)));
        assert.deepEqual(calls, []);
      }),
      { numRuns: cases(200) },
    );
  });
}

test('only markup is markup: what the model wrote never is', () => {
  const pieces = renderCalls(hermes, '<tool_call>', [
    { id: 'a', name: '</tool_call>', arguments: { q: '<tool_call>' } },
  ]);
  const content = pieces.filter(({ markup }) => !markup).map(({ text }) => text);
  assert.deepEqual(content, ['<tool_call>', '</tool_call>', '{"q": "<tool_call>"}']);
});

test('renders a call as Qwen2.5 does', () => {
  const calls = [
    { id: 'a', name: 'search', arguments: { q: 'x', all: true } },
    { id: 'b', name: 'read', arguments: {} },
  ];
  assert.equal(
    rawOf(hermes, 'I look.', calls),
    'I look.\n<tool_call>\n{"name": "search", "arguments": {"q": "x", "all": true}}\n</tool_call>\n<tool_call>\n{"name": "read", "arguments": {}}\n</tool_call>',
  );
});

test('reads what models write beside their template: other white space, another order, arguments as a string', () => {
  const read = (raw: string, syntax: CallSyntax = hermes) => readGeneration(syntax, raw).calls[0];
  const expected = { name: 'f', arguments: { a: 1 } };
  assert.deepEqual(read('<tool_call>{"name":"f","arguments":{"a":1}}</tool_call>'), expected);
  assert.deepEqual(read('<tool_call>\n\n{ "arguments": {"a": 1}, "name": "f" }'), expected);
  assert.deepEqual(read('<tool_call>{"name": "f", "parameters": {"a": 1}}</tool_call>'), expected);
  assert.deepEqual(read('<tool_call>{"name": "f", "arguments": "{\\"a\\": 1}"}</tool_call>'), expected);
  const coder = syntaxes.qwen3coder as CallSyntax;
  const loose = '<tool_call><function=f><parameter=a>1</parameter></function></tool_call>';
  assert.deepEqual(read(loose, coder), { name: 'f', arguments: { a: '1' } });
});

test('a closing tag inside a JSON string does not end the call', () => {
  const calls = [{ id: 'x', name: 'f', arguments: { a: '</tool_call>{"' } }];
  assert.deepEqual(readGeneration(hermes, rawOf(hermes, '', calls)).calls, [
    { name: 'f', arguments: calls[0]?.arguments },
  ]);
});

test('an unclosed call is open, and says what stands in it so far', () => {
  const { text, calls, open } = readGeneration(hermes, 'a\n<tool_call>\n{"na');
  assert.deepEqual([text, open], ['a', true]);
  assert.match(calls[0]?.problem ?? '', /not valid JSON: \{"na/);
});

test('a call that cannot be read carries its problem in words', () => {
  const problems = ['{"name": }', '{"x": []}', '{"name": 3}', '{"name": "x"}', '{"name": "x", "arguments": []}'].map(
    (json) => readGeneration(hermes, `<tool_call>${json}</tool_call>`).calls[0]?.problem,
  );
  assert.deepEqual(problems, [
    'The tool call was not valid JSON: {"name": }',
    'The tool call has no "name".',
    'The tool call has no "name".',
    'The tool call has no "arguments" object.',
    'The tool call has no "arguments" object.',
  ]);
});

test('harmony: only the final channel is text, analysis is thoughts', () => {
  const raw = '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>It is 14.';
  assert.deepEqual(saidOf(readGeneration(harmony, raw)), { text: 'It is 14.', thoughts: 'Hm.' });
  for (let n = 1; n < raw.length; n++) {
    const { text, thoughts = '' } = readGeneration(harmony, raw.slice(0, n));
    assert.ok('It is 14.'.startsWith(text) && 'Hm.'.startsWith(thoughts), `${n} ${text} ${thoughts}`);
  }
  assert.equal(readGeneration(harmony, raw.slice(0, 40)).text, '');
  const call =
    '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": 1}';
  assert.deepEqual(readGeneration(harmony, call), {
    text: '',
    thoughts: 'Hm.',
    calls: [{ name: 'f', arguments: { a: 1 } }],
    open: false,
  });
});

test('harmony: a turn that thinks twice has both thoughts, and none for a header alone', () => {
  const thought = (words: string) => `<|channel|>analysis<|message|>${words}<|end|><|start|>assistant`;
  const raw = `${thought('One < two.')}${thought('Then.')}<|channel|>final<|message|>Yes.`;
  assert.equal(readGeneration(harmony, raw, true).thoughts, 'One < two.\n\nThen.');
  assert.equal(readGeneration(harmony, '<|channel|>analysis').thoughts, undefined);
  assert.equal(readGeneration(hermes, raw, true).thoughts, undefined);
});

test('values of tagged calls get the types their schema has', () => {
  const read = { name: 'search', arguments: { query: '7', first: '12', all: 'False', other: '3' } };
  const [placed] = placeCalls([read], [tool], () => 'id');
  assert.deepEqual(placed?.arguments, { query: '7', first: 12, all: false, other: '3' });
});

test('a short id is nine letters and digits, the same for the same id', () => {
  for (const id of ['t1', 'b7c3-4f-1e2d-99', 'x']) assert.match(shortId(id), /^[a-zA-Z0-9]{9}$/);
  assert.notEqual(shortId('t1'), shortId('t10'));
});

test('the end of a JSON value is found, whatever its strings hold', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
      fc.string(),
      (object, behind) => {
        const json = spacedJson(object);
        assert.equal(endOfJson(json + behind, 0), json.length);
        assert.equal(endOfJson(json.slice(0, -1), 0), -1);
        assert.deepEqual(JSON.parse(json), JSON.parse(JSON.stringify(object)));
      },
    ),
    { numRuns: cases(300) },
  );
});
