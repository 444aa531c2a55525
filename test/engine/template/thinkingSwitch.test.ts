// Templates reveal two things of thoughts: the marks around them, and the variable that switches them. Templates are those of llama.cpp's bundle.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ThinkingMode } from '../../../src/core/dialog/dialog.ts';
import type { Message } from '../../../src/core/prompt/prompt.ts';
import { probeTemplate } from '../../../src/templates/probeTemplate.ts';
import { bundleFile } from '../../models/scenes/bundle.ts';

const special = { bos: '<s>', eos: '</s>', any: /(?!)/g, ends: ['<|im_end|>', '<|return|>', '<|call|>', '<turn|>'] };
const probed = (name: string) => probeTemplate(bundleFile(`models/templates/${name}.jinja`).toString('utf8'), special);

function say(role: Message['role'], text: string, thinking?: ThinkingMode): Message {
  const generated = thinking === undefined ? {} : { generated: { model: 'm', ids: [1], thinking } };
  return { role, segments: [{ layer: 'history', item: text, part: 'text', text, ...generated }] };
}

/** The prompt as text, contents in angle quotes. */
function shown({ template }: ReturnType<typeof probed>, messages: readonly Message[], thinking?: ThinkingMode): string {
  const prompt = { messages, tools: [], ...(thinking === undefined ? {} : { thinking }) };
  const texts = messages.flatMap(({ segments }) => segments.map(({ text }) => text));
  return template
    .render(prompt, true, ({ generated }) => generated !== undefined)
    .map((part) => ('glue' in part ? part.glue : 'quoted' in part ? part.quoted : `«${texts[part.segment]}»`))
    .join('');
}

const asked = [say('system', 's'), say('user', 'a')];

test('a template shows the variable that switches thoughts, whatever its name is', () => {
  const off = (name: string) => probed(name).thinking.switch?.off;
  assert.deepEqual(off('Qwen3.5-4B'), { enable_thinking: false });
  assert.deepEqual(off('Kimi-K3'), { thinking: false });
  assert.deepEqual(off('MiniMax-M3'), { thinking_mode: 'disabled' });
  assert.deepEqual(off('ByteDance-Seed-OSS'), { thinking_budget: 0 });
  assert.deepEqual(off('Cohere2MoE'), { reasoning_effort: 'none' });
  assert.deepEqual(probed('deepseek-ai-DeepSeek-V3.1').thinking.switch?.on, { enable_thinking: true });
  assert.deepEqual(probed('openai-gpt-oss-120b').thinking.switch, {
    on: {},
    off: { reasoning_effort: 'low' },
    onlyLess: true,
  });
  assert.equal(
    probed('StepFun3.5-Flash').thinking.switch?.closes,
    '\n</think>\n\n',
    'it has no variable, and opens them',
  );
  for (const none of ['Qwen3-Coder', 'ibm-granite-granite-4.1']) assert.equal(probed(none).thinking.switch, null, none);
});

test('marks that nobody knows are learned from a message with a thought', () => {
  assert.deepEqual(probed('Apriel-1.6-15b-Thinker-fixed').thinking.marks, [
    { open: 'Here are my reasoning steps:', close: '[BEGIN FINAL RESPONSE]' },
  ]);
  assert.deepEqual(probed('Qwen3.5-4B').thinking.marks, []);
});

test('a prompt ends as its switch says, and without one as the template says by itself', () => {
  const model = probed('Qwen3.5-4B');
  assert.match(shown(model, asked, 'on'), /assistant\n<think>\n$/);
  assert.match(shown(model, asked, 'off'), /assistant\n<think>\n\n<\/think>\n\n$/);
  assert.equal(shown(model, asked), shown(model, asked, 'on'));
});

test('a message stays behind the opening it was generated behind, wherever the switch is now', () => {
  const model = probed('Qwen3.5-4B');
  const first = `${shown(model, asked, 'on')}«b»`;
  const second = [...asked, say('assistant', 'b', 'on'), say('user', 'c')];
  const then = shown(model, second, 'off');
  assert.ok(then.startsWith(first), then);
  const third = [...second, say('assistant', 'd', 'off'), say('user', 'e')];
  assert.ok(shown(model, third, 'on').startsWith(`${then}«d»`));
});
