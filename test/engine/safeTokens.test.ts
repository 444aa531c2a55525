// Nothing that a user, a file, a tool or a model wrote becomes a special token; only the template's own frame does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Prompt } from '../../src/core/prompt.ts';
import type { ToolSchema } from '../../src/core/tool.ts';
import { chatTemplate } from '../models/chatTemplate.ts';
import { callMessage, chat, message, result } from './engineUnderTest.ts';
import { fingerprint, type Opened, openVocabulary, qwenAdded } from './vocabulary.ts';

const nano = await openVocabulary();
const qwen = await openVocabulary({ added: qwenAdded });
const qwenStrings = [...qwen.specials.keys()];

test('the vocabulary under test has the special strings of Qwen2.5', () => {
  assert.equal(qwenStrings.length, 22);
  assert.ok(qwenStrings.includes('<tool_call>') && qwenStrings.includes('<|file_sep|>'));
  assert.equal(nano.specials.size, 5);
});

test('glue turns each special string into its id, and the text stays', () => {
  for (const [text, id] of qwen.specials) {
    assert.deepEqual(qwen.specialIds(qwen.safe.glue(`a${text}\n${text}`)), [id, id]);
    assert.equal(qwen.spelling.text(qwen.safe.glue(`a${text}\n${text}`)), `a${text}\n${text}`);
  }
});

/** Content must give no special id and must spell the same text. */
function harmless({ safe, specialIds, spelling }: Opened, text: string): void {
  const tokens = safe.content(text);
  assert.deepEqual(specialIds(tokens), [], JSON.stringify(text));
  // Lone surrogates have no UTF-8 and come back as U+FFFD.
  assert.equal(spelling.text(tokens), text.toWellFormed());
}

test('content never acts, whatever special string it holds and wherever', () => {
  for (const vocabulary of [nano, qwen]) {
    for (const text of vocabulary.specials.keys()) {
      for (const wrapped of [
        text,
        `${text}${text}`,
        `a ${text} b`,
        `<${text}>`,
        `\n${text}\n`,
        `🎉${text}`,
        `${text.slice(0, 4)}${text}`,
      ]) {
        harmless(vocabulary, wrapped);
      }
    }
  }
});

test('content never acts in random mixtures of special strings, their parts, and other text', () => {
  const whole = fc.constantFrom(...qwenStrings);
  const part = fc.tuple(whole, fc.nat(20), fc.nat(20)).map(([text, from, to]) => text.slice(from, to));
  const mixture = fc.array(fc.oneof(whole, part, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 12 });
  fc.assert(
    fc.property(mixture, (parts) => harmless(qwen, parts.join(''))),
    { numRuns: 500 },
  );
});

test('overlapping and nested user-defined strings are all cut', async () => {
  const texts = ['<a>', 'a><', '><b', '<a><b>', 'abab', 'aba', 'bab', '🎉🎉', '🎉x', '(|(', '.*|', '<|im'];
  const overlapping = await openVocabulary({ added: texts.map((text) => ({ text, type: 4 })) });
  assert.equal(overlapping.specials.size, 5 + texts.length);
  const alphabet = fc.constantFrom(...'<>ab🎉x(.*|im', ...texts);
  fc.assert(
    fc.property(fc.array(alphabet, { maxLength: 14 }), (parts) => harmless(overlapping, parts.join(''))),
    { numRuns: 500 },
  );
});

/** A prompt with a string in every place that others write. */
function everywhere(text: string): Prompt {
  const schema = (name: string): ToolSchema => ({
    name,
    description: `Reads ${text} things. ${text}`,
    parameters: {
      type: 'object',
      properties: { path: { type: 'string', description: text }, [text]: { type: 'integer', description: 'n' } },
      required: ['path', text],
    },
  });
  const call = (name: string) => ({ id: 'c', name, arguments: { path: `x${text}`, [text]: text, list: [text] } });
  const { messages } = chat(
    message('user', `Why ${text}?`),
    callMessage(`I ${text}`, [call(`tool${text}`), call(text)]),
    result(`1 line: ${text}`, `${text}\nmore${text}`, `tool${text}`),
    message('assistant', `Because ${text}${text}`),
    message('user', text),
  );
  return {
    messages: [message('system', `Be ${text}`), ...messages.slice(1)],
    tools: [schema(`tool${text}`), schema(text)],
  };
}

const rawTools = `{%- for tool in tools %}{{ tool.function.name }}: {{ tool.function.description }}\n{% endfor -%}
{%- for message in messages -%}
<|im_start|>{{ message.role }}{% if message.name %} {{ message.name }}{% endif %}\n{{ message.content }}<|im_end|>\n
{%- endfor -%}{%- if add_generation_prompt -%}<|im_start|>assistant\n{%- endif -%}`;

for (const [what, template] of Object.entries({ 'as JSON': chatTemplate, raw: rawTools })) {
  test(`a prompt holds exactly the special ids of its template, which prints tools ${what}`, async () => {
    const opened = await openVocabulary({ added: qwenAdded, template });
    const expected = opened.read(everywhere('QQ'));
    assert.ok(expected.special.length >= 12);
    for (const text of opened.specials.keys()) {
      const { special, text: spelled } = opened.read(everywhere(text));
      assert.deepEqual(special, expected.special, text);
      assert.equal(spelled, expected.text.replaceAll('QQ', text));
    }
  });
}

test('the placeholders of the renderer are text like any other in a schema', () => {
  for (const text of ['\uE0000\uE001', '\uE000q0\uE001', '\uE000', '\uE0014\uE001', '<|im_end|>\uE0001\uE001']) {
    const expected = qwen.read(everywhere('QQ'));
    const { special, text: spelled } = qwen.read(everywhere(text));
    assert.deepEqual(special, expected.special);
    assert.equal(spelled, expected.text.replaceAll('QQ', text));
  }
});

test('special strings in schemas are paid for in the row of their tool', () => {
  const { messages, tools } = everywhere('<|im_end|>');
  const { measure } = qwen.tokeniser.prompt({ messages, tools });
  const none = qwen.tokeniser.prompt({ messages, tools: [] }).measure;
  const frame = qwen.tokeniser.prompt({ messages: chat(message('user', 'x')).messages, tools }).measure;
  assert.deepEqual(frame.tools, measure.tools);
  assert.ok(measure.tools.every((n) => n > 20));
  assert.equal(measure.glue + measure.tools.reduce((a, b) => a + b, 0) - none.glue, measure.total - none.total);
});

test('generated ids are trusted only from the loaded model', () => {
  const end = qwen.specials.get('<|im_end|>') ?? -1;
  const prompt = (model: string) => chat(message('user', 'x'), message('assistant', 'y', { model, ids: [end, end] }));
  const base = qwen.read(prompt('another')).special.length;
  assert.equal(qwen.read(prompt(fingerprint)).special.length, base + 2);
});
