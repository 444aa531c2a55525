// Real vocabularies with their real templates: what others write cannot act, prefixes hold token by token, and the grammar finds its opening.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownSyntax } from '../../../src/core/calls/syntax.ts';
import type { ToolCall } from '../../../src/core/dialog/dialog.ts';
import type { ToolSchema } from '../../../src/core/dialog/tool.ts';
import type { Message, Prompt } from '../../../src/core/prompt/prompt.ts';
import { beginningOf, callGrammar } from '../../../src/engine/grammar/callGrammar.ts';
import { triggerOf } from '../../../src/engine/grammar/callWatch.ts';
import { callMessage, chat, message, probeTool, result } from '../scenes/engineUnderTest.ts';
import { openReal, realFingerprint, realVocabularies } from '../scenes/realVocabularies.ts';

const call = (id: string, name = 'probe', path = 'a.ts'): ToolCall => ({ id, name, arguments: { path, line: 3 } });

/** A prompt with `text` wherever others write. */
function everywhere(text: string): Prompt {
  const tool = (name: string): ToolSchema => ({
    ...probeTool,
    name,
    description: `Reads ${text}.`,
    parameters: {
      type: 'object',
      properties: { [`path${text}`]: { type: 'string', description: `At ${text}` } },
      required: [],
    },
  });
  const one = { id: 'call00001', name: `tool${text}`, arguments: { [`k${text}`]: `v ${text}`, n: text } };
  const made = chat(
    message('user', `before ${text} after`),
    callMessage(`I ${text}`, [one, { ...one, id: 'call00002' }]),
    result(`${text}:`, `${text}\nmore${text}`, `tool${text}`),
    result(`${text}:`, `more ${text}`, `tool${text}`),
    message('assistant', `Because ${text}`),
    message('user', text),
  );
  const system = message('system', `Be ${text}`);
  return { messages: [system, ...made.messages.slice(1)], tools: [tool(`tool${text}`), tool(`x${text}`)] };
}

for (const [name, vocabulary] of Object.entries(realVocabularies)) {
  test(name, { timeout: 120_000 }, async (t) => {
    const opened = await openReal(vocabulary);
    const { tokeniser, specials, plan, model, safe, spelling } = opened;
    const acting = (prompt: Prompt) => tokeniser.prompt(prompt).tokens.filter((id) => specials.has(id));

    await t.test('no special string acts, wherever others write it', () => {
      const plain = acting(everywhere('QQ'));
      assert.ok(plain.length > 4);
      const texts = [...specials.values()].filter(
        // A string of one character is left out: the character is itself, whoever writes it.
        (text, i) => text.length > 1 && (!/PAD|reserved|unused/.test(text) || i % 200 === 0),
      );
      for (const text of texts) {
        const prompt = everywhere(text);
        assert.deepEqual(acting(prompt), plain, text);
        const spelled = spelling.text(tokeniser.prompt(prompt).tokens);
        // SentencePiece vocabularies of Llama's kind put a blank before every stretch.
        const [all, part] = [spelled, `before ${text} after`].map((one) => one.replaceAll(' ', ''));
        assert.ok(part !== undefined && all?.includes(part), text);
      }
    });

    await t.test('a measure adds up, and every segment stands where it says', () => {
      const prompt = everywhere('QQ');
      const { tokens, measure } = tokeniser.prompt(prompt);
      const sum = [...measure.segments, ...measure.tools].reduce((a, b) => a + b, 0);
      assert.equal(measure.total, tokens.length);
      assert.equal(sum + measure.glue, tokens.length);
      assert.ok(
        measure.glue > 0 && measure.tools.every((n) => n > 10 || plan.schemas === 'text'),
        JSON.stringify(measure),
      );
      const segments = prompt.messages.flatMap((one) => one.segments);
      segments.forEach((segment, i) => {
        const at = measure.starts[i] ?? 0;
        const ids = tokens.slice(at, at + (measure.segments[i] ?? 0));
        const escaped = JSON.stringify(segment.text).slice(1, -1);
        const spelled = spelling.text(ids);
        assert.ok(
          [segment.text, escaped].some((text) => spelled.trimStart().startsWith(text.trimStart())),
          `${segment.text} / ${spelled}`,
        );
      });
    });

    await t.test('every prompt and what was generated behind it begin the next prompt, token by token', () => {
      const messages: Message[] = [message('system', 'Be brief.')];
      let before: readonly number[] = [];
      let place = '';
      const generated = (ids: readonly number[]) => ({ model: realFingerprint, ids });
      const grow = (ids: readonly number[]) => {
        const { tokens } = tokeniser.prompt({ messages, tools: [probeTool] });
        assert.deepEqual(tokens.slice(0, before.length), before, `${name}: ${place}`);
        before = [...tokens, ...ids];
      };
      const words = (text: string): readonly number[] => model.tokenize(text);
      for (let turn = 0; turn < 5; turn++) {
        messages.push(message('user', `question ${turn}`));
        for (let round = 0; round < turn; round++) {
          const calls = [call(`c${turn}${round}a`), call(`c${turn}${round}b`)].slice(0, 1 + (round % 2));
          const said = round % 3 === 0 ? '' : 'Let me look. \n';
          const ids = [...words('thought'), ...tokeniser.message(said, calls)];
          place = `call ${turn}.${round}`;
          grow(ids);
          const [made] = callMessage(said, calls).segments;
          if (made !== undefined)
            messages.push({ role: 'assistant', segments: [{ ...made, generated: generated(ids) }] });
          for (const one of calls)
            messages.push({ ...result('a.ts:', `body ${round}`), call: { id: one.id, tool: one.name } });
        }
        const ids = words(` The answer < ${turn}.\n`);
        place = `answer ${turn}`;
        grow(ids);
        messages.push(message('assistant', spelling.text(ids), generated(ids)));
      }
    });

    await t.test('as a model writes a call, a token ends where the grammar takes over', () => {
      for (const syntax of [plan.syntax ?? ownSyntax, ownSyntax]) {
        const trigger = triggerOf(syntax, opened);
        const grammar = callGrammar(syntax, [probeTool], trigger, 'answer');
        for (const end of safe.endings) assert.ok(!grammar.includes(JSON.stringify(end).slice(1, -1)), end);
        for (const tool of ['read_file', 'search', '_x', 'Tide']) {
          let written = '';
          const stream = spelling.stream();
          const ids = safe.glue(beginningOf(syntax) + tool);
          const at = ids.findIndex((id) => {
            written = (written + stream.push(id)).trimStart();
            return written.endsWith(trigger);
          });
          assert.ok(at >= 0, `${trigger} of ${JSON.stringify(beginningOf(syntax))}`);
        }
      }
    });
    await model.dispose();
  });
}
