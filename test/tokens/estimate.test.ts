// Tests the estimator: equal to js-tiktoken where that is quick, near it where it is not, and prompts that add up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/cl100k_base';
import type { ToolSchema } from '../../src/core/dialog/tool.ts';
import type { Message, Prompt } from '../../src/core/prompt/prompt.ts';
import { segmentsOf } from '../../src/core/prompt/prompt.ts';
import { createEstimator, estimateText, glueOfMessage, roughTokens } from '../../src/tokens/estimate.ts';
import { cases } from '../cases.ts';

const lazy = createEstimator();
const estimator = await lazy();
const tiktoken = new Tiktoken(ranks);
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
const near = (count: number, other: number, share: number) =>
  assert.ok(Math.abs(count - other) <= other * share, `${count} is not near ${other}`);

test('the ranks are loaded once', async () => {
  assert.equal(await lazy(), estimator);
});

test('what looks like a special token is plain text', () => {
  assert.equal(estimator.text('<|endoftext|>'), 7);
  for (const text of ['<|im_start|>user', 'a<|fim_prefix|>b<|endofprompt|>', '<|endoftext|>'.repeat(1000)]) {
    assert.ok(estimator.text(text) > 3);
  }
});

test('a text of at most 2,000 characters without long runs counts as js-tiktoken counts it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.lorem({ maxCount: 30 }), (odd, words) => {
      const text = `${words} ${odd}\n  ${words}`;
      assert.equal(estimator.text(text), tiktoken.encode(text, [], []).length);
    }),
    { numRuns: cases(100) },
  );
});

test('a long text counts nearly as js-tiktoken counts it', () => {
  const text = Array.from({ length: 2000 }, (_, i) => `export const tide${i} = moon(${i * 7}); // 潮`).join('\n');
  near(estimator.text(text), tiktoken.encode(text, [], []).length, 0.01);
});

test('a long run between words counts nearly as js-tiktoken counts it', () => {
  for (const run of ['xy'.repeat(400), '=-'.repeat(400), '潮汐'.repeat(400), 'qzkv'.repeat(30)]) {
    const text = `${'The tide. '.repeat(20)}${run} ${'The moon. '.repeat(20)}`;
    near(estimator.text(text), tiktoken.encode(text, [], []).length, 0.05);
  }
});

test('of a megabyte without a blank, of one letter or of any, the tokenizer gets a fifth at most', () => {
  const letters = Array.from({ length: 1000 }, (_, i) => String.fromCharCode(97 + ((i * i * 31 + i * 7) % 26))).join(
    '',
  );
  for (const text of ['a'.repeat(1_000_000), letters.repeat(1000)]) {
    let seen = 0;
    const tokens = estimateText((piece) => {
      seen += piece.length;
      return piece.length;
    })(text);
    assert.ok(tokens > 100_000);
    assert.ok(seen < 200_000, `${seen} characters`);
  }
});

test('the tokenizer never gets more than 2,000 characters, 64 of a run, nor half a character', () => {
  const runs = fc.tuple(
    fc.constantFrom('a', '潮', '🌊', ' ', '=', '7', 'a ', '🌊x'),
    fc.integer({ min: 1, max: 2500 }),
  );
  fc.assert(
    fc.property(fc.array(runs, { maxLength: 6 }), (parts) => {
      const seen: string[] = [];
      const count = estimateText((piece) => {
        seen.push(piece);
        return piece.length;
      });
      const text = parts.map(([unit, times]) => unit.repeat(times)).join('');
      assert.equal(count(text), text.length);
      for (const piece of seen) {
        assert.ok(piece.length <= 2000 && piece.isWellFormed());
        assert.ok(!/\p{L}{65}|\s{65}|[^\s\p{L}\p{N}]{65}/u.test(piece));
      }
    }),
    { numRuns: cases(100) },
  );
});

const texts = fc.oneof(fc.constant(''), fc.string({ unit: 'binary' }), fc.lorem({ maxCount: 20 }));
const messages: fc.Arbitrary<Message> = fc.record({
  role: fc.constantFrom('user', 'assistant', 'tool'),
  segments: fc.array(
    fc.record({
      layer: fc.constant('history' as const),
      item: fc.constant('i'),
      part: fc.constant('text' as const),
      text: texts,
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
const tool: ToolSchema = {
  name: 'probe',
  description: 'Probes <|endoftext|>.',
  parameters: { type: 'object', properties: { path: { type: 'string', description: 'where' } }, required: ['path'] },
};
const system: Message = {
  role: 'system',
  segments: [{ layer: 'system', item: null, part: 'text', text: 'Be brief.' }],
};
const prompts: fc.Arbitrary<Prompt> = fc
  .tuple(fc.boolean(), fc.array(messages, { maxLength: 6 }), fc.nat({ max: 3 }))
  .map(([headed, rest, tools]) => ({
    messages: headed ? [system, ...rest] : rest,
    tools: Array.from({ length: tools }, (_, i) => ({ ...tool, name: `probe${i}` })),
  }));

test('the frame of each message is counted: a message more takes as many tokens as templates write around one', () => {
  const told = (text: string) => ({ layer: 'turn', item: null, part: 'text', text }) as const;
  const [a, b] = [told('When is high tide?'), told('At noon.')];
  const prompt = (...messages: Prompt['messages']) => estimator.prompt({ messages, tools: [] }).total;
  const one = prompt({ role: 'user', segments: [a, b] });
  const two = prompt({ role: 'user', segments: [a] }, { role: 'assistant', segments: [b] });
  assert.ok(two - one >= 4 && two - one <= 12, `${two - one}`);
});

test('the estimate of a prompt adds up, segments do not overlap, and it is never exact', () => {
  fc.assert(
    fc.property(prompts, (prompt) => {
      const { total, segments, starts, tools, glue, exact } = estimator.prompt(prompt);
      assert.equal(exact, false);
      assert.equal(glue, glueOfMessage * prompt.messages.length);
      assert.equal(sum(segments) + sum(tools) + glue, total);
      assert.deepEqual(
        segments,
        segmentsOf(prompt).map(({ text }) => estimator.text(text)),
      );
      assert.equal(tools.length, prompt.tools.length);
      assert.ok(tools.every((tokens) => tokens > 20));
      assert.equal(starts.length, segments.length);
      for (const [i, start] of starts.entries()) {
        assert.ok(start + (segments[i] ?? 0) <= (starts[i + 1] ?? total));
      }
    }),
    { numRuns: cases(100) },
  );
});

test('tools stand behind a leading system message, and before everything where there is none', () => {
  const question: Message = { role: 'user', segments: [{ layer: 'turn', item: 'a', part: 'text', text: 'Where?' }] };
  const headed = estimator.prompt({ messages: [system, question], tools: [tool] });
  assert.deepEqual(headed.starts, [8, 8 + headed.segments[0]! + headed.tools[0]! + 8]);
  const bare = estimator.prompt({ messages: [question], tools: [tool] });
  assert.deepEqual(bare.starts, [bare.tools[0]! + 8]);
});

test('a message that was generated counts its ids, and calls count as they are written', () => {
  const calls = [{ id: 'c1', name: 'probe', arguments: { path: 'src/a.ts' } }];
  const segment = { layer: 'turn', item: 'a', part: 'text', text: 'I look.' } as const;
  const tokensOf = (more: object) => {
    const message: Message = { role: 'assistant', segments: [{ ...segment, ...more }] };
    return estimator.prompt({ messages: [message], tools: [] }).segments[0]!;
  };
  assert.equal(tokensOf({ calls, generated: { model: 'm', ids: [1, 2, 3] } }), 3);
  assert.ok(tokensOf({ calls }) > tokensOf({}) + 10);
});

test('a rough count is a quarter of the bytes', () => {
  assert.deepEqual(['', 'abc', 'abcde', '潮汐'].map(roughTokens), [0, 1, 2, 2]);
});
