// Tests how calls are written and read back: whole, streamed in any pieces, several, unclosed and look-alikes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ToolCall } from '../../src/core/dialog.ts';
import { callClose, callOpen, parseCalls, readGeneration, renderCalls, spacedJson } from '../../src/core/toolFormat.ts';

const newIds = () => {
  let n = 0;
  return () => `c${++n}`;
};
const rawOf = (text: string, calls: readonly ToolCall[]) =>
  renderCalls(text, calls)
    .map((piece) => piece.text)
    .join('');

const callsArbitrary = fc.array(
  fc.record({
    name: fc.stringMatching(/^[a-z_]{1,12}$/),
    arguments: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)), {
      noNullPrototype: true,
    }),
  }),
  { maxLength: 3 },
);

test('renders a call as Qwen2.5 does', () => {
  const calls = [
    { id: 'a', name: 'search', arguments: { q: 'x', all: true } },
    { id: 'b', name: 'read', arguments: {} },
  ];
  assert.equal(
    rawOf('I look.', calls),
    'I look.\n<tool_call>\n{"name": "search", "arguments": {"q": "x", "all": true}}\n</tool_call>\n<tool_call>\n{"name": "read", "arguments": {}}\n</tool_call>',
  );
  assert.ok(rawOf('', calls).startsWith(`${callOpen}\n{`));
});

test('only markup is markup: what the model wrote never is', () => {
  const pieces = renderCalls(callOpen, [{ id: 'a', name: callClose, arguments: { q: callOpen } }]);
  const content = pieces.filter(({ markup }) => !markup).map(({ text }) => text);
  assert.deepEqual(content, [callOpen, `{"name": "${callClose}", "arguments": {"q": "${callOpen}"}}`]);
  assert.deepEqual(
    pieces.filter(({ markup }) => markup).map(({ text }) => text),
    ['\n', `${callOpen}\n`, `\n${callClose}`],
  );
});

test('reads back the text and the calls it wrote', () => {
  fc.assert(
    fc.property(fc.string(), callsArbitrary, (text, made) => {
      fc.pre(!text.includes('<') && !JSON.stringify(made).includes('tool_call>'));
      const reading = readGeneration(
        rawOf(
          text,
          made.map((call) => ({ id: '', ...call })),
        ),
      );
      assert.equal(reading.text, made.length === 0 ? text : text.trimEnd());
      assert.equal(reading.open, false);
      const calls = parseCalls(reading.calls, newIds());
      assert.deepEqual(
        calls,
        made.map((call, i) => ({ id: `c${i + 1}`, ...call })),
      );
    }),
    { numRuns: 300 },
  );
});

test('never shows markup, at whichever position the stream stands', () => {
  const raw = `Let me <b>look</b> a < b.\n${callOpen}\n{"name": "x", "arguments": {}}\n${callClose}\n${callOpen}{}${callClose}`;
  for (let n = 0; n <= raw.length; n++) {
    const { text } = readGeneration(raw.slice(0, n));
    assert.ok('Let me <b>look</b> a < b.\n'.startsWith(text), `${n}: ${text}`);
  }
});

test('shows text monotonically until a call opens, and holds back no more than a beginning of markup', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('<', 'tool', '_call', '>', 'a', ' ', '</tool_call>', '<tool'), { maxLength: 12 }),
      (parts) => {
        const raw = parts.join('');
        fc.pre(!raw.includes(callOpen));
        for (let n = 0; n <= raw.length; n++) {
          const { text, calls, open } = readGeneration(raw.slice(0, n));
          assert.ok(raw.slice(0, n).startsWith(text));
          assert.ok(callOpen.startsWith(raw.slice(text.length, n)));
          assert.deepEqual([calls, open], [[], false]);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('text that merely contains the beginning of markup is shown once it goes on otherwise', () => {
  assert.equal(readGeneration('use <tool').text, 'use ');
  assert.equal(readGeneration('use <toolbox> or <tool_call').text, 'use <toolbox> or ');
  assert.equal(readGeneration('use <tool_calls>').text, 'use <tool_calls>');
});

test('an unclosed call is open and has what stands in it so far', () => {
  assert.deepEqual(readGeneration(`a\n${callOpen}\n{"na`), { text: 'a', calls: ['\n{"na'], open: true });
  const two = readGeneration(`${callOpen}1${callClose}${callOpen}2`);
  assert.deepEqual(two, { text: '', calls: ['1', '2'], open: true });
});

test('a call that cannot be read carries its problem in words', () => {
  const problems = parseCalls(
    ['{"name":', '[]', '{"name": 3}', '{"name": "x"}', '{"name": "x", "arguments": []}'],
    newIds(),
  );
  assert.deepEqual(
    problems.map(({ problem }) => problem),
    [
      'The tool call was not valid JSON: {"name":',
      'The tool call has no "name".',
      'The tool call has no "name".',
      'The tool call has no "arguments" object.',
      'The tool call has no "arguments" object.',
    ],
  );
  for (const call of problems) assert.deepEqual([call.name, call.arguments], ['unknown', {}]);
});

test('spaced JSON is JSON with the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(JSON.parse(spacedJson(value)), JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 300 },
  );
  assert.equal(spacedJson({ a: [1, { b: 'x, y: z' }] }), '{"a": [1, {"b": "x, y: z"}]}');
});
