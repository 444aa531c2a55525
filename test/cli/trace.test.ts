// Tests readTrace: a good trace is read as it is, and every kind of bad one is named with its line and the reason.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTrace } from '../../lab/bench/traces.ts';
import { readTrace, TraceError } from '../../lab/cli/trace/trace.ts';
import { cases } from '../cases.ts';

const user = '{"role": "user", "content": "a"}';
const answer = '{"role": "assistant", "content": "b"}';
const callOf = (id: string, args = '"{}"') =>
  `{"role": "assistant", "content": null, "tool_calls": [{"id": "${id}", "type": "function", "function": {"name": "search", "arguments": ${args}}}]}`;
const resultOf = (id: string) => `{"role": "tool", "tool_call_id": "${id}", "content": "found"}`;

/** Writes an array with one message per line, the first on line 2. */
const lines = (...messages: readonly string[]) => `[\n${messages.join(',\n')}\n]`;

const bad: readonly (readonly [string, number, RegExp])[] = [
  ['', 1, /not JSON: Unexpected end/],
  ['\n\n[\n', 3, /not JSON/],
  [`[\n${user},\n${answer}\n{"role": "user"}\n]`, 4, /not JSON: Expected/],
  [`[\n${user},\n{"role": "user", "content": x},\n${answer}\n]\n\n\n`, 3, /not JSON: Unexpected token/],
  [`[\n${user},\n${user},\n]\n\n`, 4, /not JSON: Unexpected token/],
  ['[\n"a\nb"]', 2, /not JSON: Bad control character/],
  ['<!DOCTYPE html>\n<html>', 1, /not JSON/],
  ['3', 1, /expected an array of messages/],
  ['null', 1, /expected an array of messages/],
  ['{}', 1, /expected an array of messages/],
  ['{"messages": {}}', 1, /expected an array of messages/],
  ['[]', 1, /no user message/],
  [lines('{"role": "system", "content": "x"}'), 1, /no user message/],
  [lines(user, '3'), 3, /a message must be an object/],
  [lines(user, 'null', user), 3, /a message must be an object/],
  [lines(user, '[]', user), 3, /a message must be an object/],
  [lines(user, '{"content": "x"}', user), 3, /role must be .* not undefined/],
  [lines(user, answer, '{"role": "robot", "content": "x"}'), 4, /role must be .* not "robot"/],
  [lines(user, '{"role": "assistant", "content": [{"type": "image"}]}'), 3, /content must be text/],
  [lines(user, '{"role": "assistant", "content": 3}'), 3, /content must be text/],
  [lines(user, '{"role": "assistant", "tool_calls": {}}'), 3, /tool_calls must be an array/],
  [lines(user, '{"role": "assistant", "tool_calls": [{"id": "a"}]}'), 3, /a tool call needs an id and a function/],
  [lines(user, callOf('a', '"{"'), resultOf('a')), 3, /the arguments of search are not a JSON object/],
  [lines(user, callOf('a', '"[]"'), resultOf('a')), 3, /the arguments of search are not a JSON object/],
  [lines(user, callOf('a', '3'), resultOf('a')), 3, /the arguments of search are not a JSON object/],
  [lines(user, callOf('a'), answer), 3, /tool call a has no result right after it/],
  [lines(user, callOf('a'), resultOf('b')), 3, /tool call a has no result right after it/],
  [lines(user, callOf('a'), user, resultOf('a')), 3, /tool call a has no result right after it/],
  [lines(user, resultOf('a')), 3, /a tool message without a tool call/],
  [lines(user, callOf('a'), resultOf('a'), resultOf('a')), 5, /a tool message without a tool call/],
  [lines(user, answer, answer), 4, /a second answer without a user message/],
  [lines(user, '{"role": "system", "content": "x"}'), 3, /a system message must come first/],
  [lines(answer, user), 2, /assistant before the first user message/],
  [lines(resultOf('a')), 2, /tool before the first user message/],
  [`{"messages": [${user}], "tools": {}}`, 1, /tools must be an array/],
  [`{"messages": [${user}], "tools": [{"type": "function"}]}`, 1, /a tool needs a name/],
];

function refusal(text: string): TraceError {
  try {
    readTrace(text);
  } catch (error) {
    assert.ok(error instanceof TraceError, String(error));
    return error;
  }
  return assert.fail(`accepted: ${text}`);
}

for (const [text, line, reason] of bad) {
  test(`refuses ${JSON.stringify(text.length > 90 ? `${text.slice(0, 90)}...` : text)}`, () => {
    const error = refusal(text);
    assert.match(error.message, reason);
    assert.equal(error.line, line);
    assert.ok(error.message.startsWith(`line ${line}: `));
  });
}

test('finds the line of a bad message however the file is laid out', () => {
  const trap = '{"name": "t", "parameters": {"properties": {"role": {"type": "string"}, "messages": [1, 2]}}}';
  const text = `{"tools": [${trap}],\n"note": ["messages", 1],\n"messages": [\n  {\n    "content": "\\"role\\": [{",\n    "role": "user"\n  },\n\n  {\n    "role": "robot" } ] }`;
  assert.equal(refusal(text).line, 9);
});

test('two calls with the same id in one message are refused', () => {
  const call = '{"id": "a", "function": {"name": "search", "arguments": "{}"}}';
  const twice = `{"role": "assistant", "tool_calls": [${call}, ${call}]}`;
  const error = refusal(lines(user, twice, resultOf('a'), user));
  assert.deepEqual([error.line, /a has no result|id a/.test(error.message)], [3, true]);
});

test('reads a system message, calls with their results and answers', () => {
  const system = '{"role": "system", "content": "be brief"}';
  const trace = readTrace(lines(system, user, callOf('a', '{"q": 1}'), resultOf('a'), answer, user));
  assert.deepEqual(trace, {
    system: 'be brief',
    tools: [],
    turns: [
      {
        user: 'a',
        steps: [
          { text: '', calls: [{ id: 'a', name: 'search', arguments: { q: 1 } }], results: ['found'] },
          { text: 'b', calls: [], results: [] },
        ],
      },
      { user: 'a', steps: [] },
    ],
  });
});

test('reads what createTrace makes, pretty-printed or not', () => {
  const made = createTrace({ turns: 5, callsPerTurn: 2, resultLines: 10, seed: 3 });
  const trace = readTrace(JSON.stringify(made, null, 2));
  assert.deepEqual(readTrace(JSON.stringify(made)), trace);
  assert.deepEqual([trace.turns.length, trace.tools.length], [5, 3]);
  for (const { steps } of trace.turns)
    assert.deepEqual(
      steps.map(({ results }) => results.length),
      [1, 1, 0],
    );
});

test('a cut or altered trace is read or refused with a line of the file, never anything else', () => {
  const text = JSON.stringify(createTrace({ turns: 2, callsPerTurn: 1, resultLines: 3, seed: 1 }), null, 1);
  const last = text.split('\n').length;
  fc.assert(
    fc.property(
      fc.nat({ max: text.length }),
      fc.nat({ max: 6 }),
      fc.constantFrom('', 'x', ',', '}', ']', '"', '\n', '1'),
      (at, cut, put) => {
        try {
          readTrace(text.slice(0, at) + put + text.slice(at + cut));
        } catch (error) {
          assert.ok(error instanceof TraceError, String(error));
          assert.ok(error.line >= 1 && error.line <= last + 1);
        }
      },
    ),
    { numRuns: cases(500) },
  );
});

test('a stray token is found on its very line', () => {
  const text = JSON.stringify(createTrace({ turns: 2, callsPerTurn: 1, resultLines: 3, seed: 1 }), null, 1);
  const rows = text.split('\n');
  fc.assert(
    fc.property(fc.integer({ min: 1, max: rows.length - 1 }), (row) => {
      const broken = rows.with(row, `%${rows[row]}`).join('\n');
      assert.equal(refusal(broken).line, row + 1);
    }),
    { numRuns: cases(200) },
  );
});
