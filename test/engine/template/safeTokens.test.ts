// Nothing that a user, a file, a tool or a model wrote becomes a special token; only the template's own frame does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ToolSchema } from '../../../src/core/dialog/tool.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { cases } from '../../cases.ts';
import { chatTemplate } from '../../models/scenes/chatTemplate.ts';
import type { Added } from '../../models/scenes/vocabulary.ts';
import { callMessage, chat, message, result } from '../scenes/engineUnderTest.ts';
import { fingerprint, type Opened, openVocabulary, qwenAdded } from '../scenes/vocabulary.ts';

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
    { numRuns: cases(500) },
  );
});

test('overlapping and nested user-defined strings are all cut', async () => {
  const texts = ['<k>', 'k><', '><b', '<k><b>', 'abab', 'aba', 'bab', '🎉🎉', '🎉x', '(|(', '.*|', '<|im'];
  const overlapping = await openVocabulary({ added: texts.map((text) => ({ text, type: 4 })) });
  assert.equal(overlapping.specials.size, 5 + texts.length);
  const alphabet = fc.constantFrom(...'<>kab🎉x(.*|im', ...texts);
  fc.assert(
    fc.property(fc.array(alphabet, { maxLength: 14 }), (parts) => harmless(overlapping, parts.join(''))),
    { numRuns: cases(500) },
  );
});

/** Added tokens as in Gemma 3: runs of white space and tags of HTML stand in the vocabulary beside the strings that act. */
const gemmaAdded: readonly Added[] = [
  ...['\n', '\n\n', '\n\n\n', '  ', '   ', '    ', '        ', '\t', '\t\t', '<table>', '</td>', '<s>', '<think>'].map(
    (text) => ({ text, type: 4 }) as const,
  ),
];

test('white space and tags of HTML in contents keep the tokens that the model was trained with', async () => {
  const { model, safe, specials, spelling } = await openVocabulary({ added: gemmaAdded });
  const textLike = ['\n\n', '    ', '\t\t', '<table>', '</td>'];
  for (const text of textLike) assert.deepEqual(safe.content(`a${text}b`)[1], specials.get(text), JSON.stringify(text));
  const word = fc.constantFrom('a', 'if', ' (', '<', '>', '/td>', '🎉', ' ', '\r\n', '\t', ...textLike);
  fc.assert(
    fc.property(fc.array(word, { maxLength: 20 }), (words) => {
      const text = words.join('');
      assert.deepEqual(safe.content(text), model.tokenize(text, false));
      assert.deepEqual(safe.glue(text), model.tokenize(text, false));
      assert.equal(spelling.text(safe.content(text)), text);
    }),
  );
});

test('white space beside a string that is cut stays whole, and the string cannot act', async () => {
  const { model, safe, specials, spelling } = await openVocabulary({ added: gemmaAdded });
  const text = '        <tool_call>\n\n    <s>\t\tx';
  const runs = ['        <', 'tool_call>\n\n    <', 's>\t\tx'];
  assert.deepEqual(
    safe.content(text),
    runs.flatMap((run) => model.tokenize(run, false)),
  );
  const acting = new Set<number>([...specials].filter(([one]) => safe.special(one) !== undefined).map(([, id]) => id));
  assert.equal(acting.size, specials.size - gemmaAdded.length + 2);
  const part = fc.constantFrom(...specials.keys(), ' ', '<', '>', 'x');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
      const tokens = safe.content(parts.join(''));
      assert.ok(!tokens.some((id) => acting.has(id)));
      assert.equal(spelling.text(tokens), parts.join(''));
    }),
    { numRuns: cases(500) },
  );
});

test('white space is not special: a schema with it is one piece, and a tag of the template’s own frame is cut', async () => {
  const { safe } = await openVocabulary({ added: gemmaAdded, template: `<table>${chatTemplate}` });
  assert.ok(!'\n\n    \t'.match(safe.anySpecial));
  assert.equal(safe.special('\n\n'), undefined);
  assert.equal(safe.special('</td>'), undefined);
  const table = safe.special('<table>');
  assert.ok(table !== undefined && !safe.content('<table>').includes(table));
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
