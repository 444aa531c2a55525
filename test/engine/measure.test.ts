// Measures: exact counts of every part, equal to what a generation then decodes.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { Prompt } from '../../src/core/prompt/prompt.ts';
import { segmentsOf } from '../../src/core/prompt/prompt.ts';
import {
  callMessage,
  chat,
  loadParams,
  message,
  probeTool,
  result,
  say,
  startEngine,
  words,
} from './scenes/engineUnderTest.ts';

const engine = startEngine();
const measure = (prompt: Prompt) => engine.client.request('measure', { prompt });
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
const call = { id: 'c1', name: 'probe', arguments: { path: 'src/a.ts', line: 3 } };
const tools = [probeTool, { ...probeTool, name: 'search', description: words(30) }];

const dialogs: Readonly<Record<string, Prompt>> = {
  'of one question': chat(message('user', 'Hello')),
  'with an empty question': chat(message('user', '')),
  'of three turns': chat(
    message('user', words(20)),
    message('assistant', words(40)),
    message('user', '\n\n  \tspaces \n'),
    message('assistant', ''),
    message('user', '日本語 🎉 ok'),
  ),
  'with tools, calls and results': {
    ...chat(
      message('user', 'Look'),
      callMessage('I look.', [call, { ...call, id: 'c2', name: 'search' }]),
      result('1 line:', words(50)),
      result('nothing', ''),
      message('user', 'And now?'),
    ),
    tools,
  },
};

before(async () => {
  await engine.client.request('load', loadParams());
});

for (const [what, prompt] of Object.entries(dialogs)) {
  test(`the pieces of a dialog ${what} are its exact text, and each segment has the tokens that were measured`, async () => {
    const pieces = await engine.client.request('spellPieces', { prompt });
    assert.equal(pieces.map(({ text }) => text).join(''), await engine.client.request('spell', { prompt }));
    const { total, segments, glue, tools: rows } = await measure(prompt);
    const named = pieces.filter(({ segment }) => segment !== null);
    assert.deepEqual(
      named.map(({ segment, tokens }) => [segment, tokens]),
      segments.map((tokens, i) => [i, tokens]),
    );
    assert.equal(sum(pieces.map(({ tokens }) => tokens)), total);
    assert.equal(sum(pieces.filter(({ segment }) => segment === null).map(({ tokens }) => tokens)), glue + sum(rows));
  });

  test(`the parts of a dialog ${what} add up to what a generation decodes`, async () => {
    const { total, segments, starts, tools: rows, glue } = await measure(prompt);
    assert.equal(sum(segments) + sum(rows) + glue, total);
    assert.equal(segments.length, segmentsOf(prompt).length);
    assert.equal(rows.length, prompt.tools.length);
    assert.equal(starts.length, segments.length);
    assert.ok([...segments, ...rows, glue].every((n) => n >= 0));
    const { prefill } = await say(engine, prompt, { maxTokens: 1 });
    assert.equal(prefill.reused + prefill.shifted + prefill.decoded, total);
  });
}

test('segments begin where they say: a changed one is reused exactly up to its start', async () => {
  const texts = ['Alpha beta', 'Gamma delta', 'Epsilon zeta', 'Eta theta'];
  const dialog = (changed: number) =>
    chat(...texts.map((text, i) => message(i % 2 === 0 ? 'user' : 'assistant', i === changed ? `#${text}` : text)));
  const { starts, total } = await measure(dialog(-1));
  for (let i = 0; i < texts.length; i++) {
    await say(engine, dialog(-1), { maxTokens: 1 });
    const { prefill } = await say(engine, dialog(i), { maxTokens: 1 });
    assert.equal(prefill.reused, starts[i + 1]);
    assert.ok(prefill.slotTokens >= total);
  }
});

test('a tool result of two segments is reused up to its body when only the body goes', async () => {
  const dialog = (body: string) => chat(message('user', 'Look'), result('1 line:', body), message('user', 'And now?'));
  const { starts } = await measure(dialog('the body'));
  await say(engine, dialog('the body'), { maxTokens: 1 });
  const { prefill } = await say(engine, dialog(''), { maxTokens: 1 });
  assert.equal(prefill.reused, starts[3]);
});

test('a tool costs what leaving it out saves', async () => {
  const withTools = (some: typeof tools): Prompt => ({ ...chat(message('user', 'Look')), tools: some });
  const both = await measure(withTools(tools));
  for (const [i, tool] of tools.entries()) {
    const without = await measure(withTools(tools.filter((other) => other !== tool)));
    assert.equal(both.total - without.total, both.tools[i]);
  }
});

test('measuring is pure: any dialog measures the same twice, and its parts add up', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 });
  const roles = fc.constantFrom('user', 'assistant', 'tool') as fc.Arbitrary<'user' | 'assistant' | 'tool'>;
  const messages = fc.array(fc.tuple(roles, text), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(messages, async (list) => {
      const prompt = chat(...list.map(([role, content]) => message(role, content)));
      const first = await measure(prompt);
      assert.equal(sum(first.segments) + first.glue, first.total);
      for (const [i, start] of first.starts.entries()) {
        assert.ok(start + (first.segments[i] ?? 0) <= (first.starts[i + 1] ?? first.total));
      }
      assert.deepEqual(await measure(prompt), first);
    }),
    { numRuns: 50 },
  );
});
