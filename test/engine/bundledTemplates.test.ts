// The chat templates that llama.cpp keeps for its own tests, read from the bundle inside node-llama-cpp: which chat works.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultError } from '../../src/core/faults.ts';
import type { Message, Prompt } from '../../src/core/prompt.ts';
import { probeTemplate } from '../../src/engine/worker/probeTemplate.ts';
import { bundleFile, bundleFiles } from '../models/bundle.ts';

const templates = bundleFiles('models/templates').filter((path) => path.endsWith('.jinja'));
const special = { bos: '<s>', eos: '</s>', any: /(?!)/g };

/** Templates that refuse a plain chat, each with the reason that is told. */
const refused: Readonly<Record<string, RegExp>> = {
  'ByteDance-Seed-OSS.jinja': /Object keys must be strings/,
  'fireworks-ai-llama-3-firefunction-v2.jinja': /undefined values/,
  'tencent-Hy3.jinja': /not a function/,
};

const say = (role: Message['role'], text: string): Message => ({
  role,
  segments: [{ layer: 'history', item: text, part: 'text', text }],
});

test('every template of the bundle renders a chat whole and in order, or is refused by name with its reason', () => {
  assert.equal(templates.length, 70);
  const messages = [say('system', 's'), say('user', 'a'), say('assistant', 'b'), say('user', 'c')];
  const prompt: Prompt = { messages, tools: [] };
  const failed: string[] = [];
  for (const path of templates) {
    const name = path.split('/').at(-1) ?? path;
    try {
      const stretches = probeTemplate(bundleFile(path).toString('utf8'), special).template.render(prompt, true);
      const order = stretches.flatMap((stretch) => ('segment' in stretch ? [stretch.segment] : []));
      assert.deepEqual(order, [0, 1, 2, 3], name);
    } catch (error) {
      assert.ok(error instanceof FaultError && error.fault.kind === 'templateUnusable', name);
      failed.push(name);
      assert.match(error.fault.reason, refused[name] ?? /expected to work/, name);
    }
  }
  assert.deepEqual(failed, Object.keys(refused));
});

test('a template without a system role gets the system text in front of the first user message', () => {
  const source = bundleFile('models/templates/google-gemma-2-2b-it.jinja').toString('utf8');
  const { template, toolCalls } = probeTemplate(source, special);
  const stretches = template.render({ messages: [say('system', 's'), say('user', 'a')], tools: [] }, true);
  const shown = stretches.map((stretch) => ('glue' in stretch ? stretch.glue : 'segment' in stretch ? '#' : ''));
  assert.match(shown.join(''), /^<s><start_of_turn>user\n#\n\n#<end_of_turn>\n<start_of_turn>model\n$/);
  assert.equal(toolCalls.format, 'none');
});
