// The chat templates that llama.cpp keeps for its own tests, read from the bundle inside node-llama-cpp: what works with each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message } from '../../../src/core/prompt/prompt.ts';
import { probeTemplate } from '../../../src/templates/probeTemplate.ts';
import { golden } from '../../core/scenes/golden.ts';
import { bundleFile, bundleFiles } from '../../models/scenes/bundle.ts';
import { firstBreak, special, tool } from '../../templates/growing.ts';

const templates = bundleFiles('models/templates').filter((path) => path.endsWith('.jinja'));

function row(path: string): { readonly chat: boolean; readonly tools: boolean; readonly text: string } {
  const name = path.split('/').at(-1)?.replace('.jinja', '') ?? path;
  try {
    const probed = probeTemplate(bundleFile(path).toString('utf8'), special);
    const { toolCalls, plan } = probed;
    const broken = firstBreak(probed);
    const prefix = broken === null ? 'stable' : `breaks at ${broken}`;
    const calls =
      toolCalls.format === 'none'
        ? `none: ${toolCalls.reason}`
        : `${toolCalls.format}, schemas by ${toolCalls.schemas === 'template' ? 'the template' : 'us'}, results as ${plan.results}`;
    return { chat: true, tools: toolCalls.format !== 'none', text: `${name} | chat | ${calls} | ${prefix}` };
  } catch (error) {
    return { chat: false, tools: false, text: `${name} | refused: ${error instanceof Error ? error.message : error}` };
  }
}

test('the table of all templates: chat, tool calls, and the prefix over 20 turns', () => {
  const rows = templates.map(row);
  const count = (what: 'chat' | 'tools') => rows.filter((one) => one[what]).length;
  const stable = rows.filter(({ text }) => text.endsWith('| stable')).length;
  const sums = `${rows.length} templates: ${count('chat')} chat, ${count('tools')} call tools, ${stable} keep their prefix`;
  process.stdout.write(`${sums}\n`);
  assert.equal(templates.length, 68);
  assert.ok(count('chat') >= 68 && count('tools') >= 60, sums);
  golden(new URL('templates.txt', import.meta.url), `${sums}\n\n${rows.map(({ text }) => text).join('\n')}\n`);
});

test('a template without a system role gets the system text in front of the first user message, and our schemas', () => {
  const { template, toolCalls } = probeTemplate(
    bundleFile('models/templates/google-gemma-2-2b-it.jinja').toString('utf8'),
    special,
  );
  const say = (role: Message['role'], text: string): Message => ({
    role,
    segments: [{ layer: 'history', item: text, part: 'text', text }],
  });
  const prompt = { messages: [say('system', 's'), say('user', 'a')], tools: [] };
  const shown = (part: object) => ('glue' in part ? String(part.glue) : 'segment' in part ? '#' : '');
  assert.match(
    template.render(prompt, true).map(shown).join(''),
    /^<s><start_of_turn>user\n#\n\n#<end_of_turn>\n<start_of_turn>model\n$/,
  );
  assert.equal(toolCalls.format, 'tidemark');
  assert.match(
    template
      .render({ ...prompt, tools: [tool] }, true)
      .map(shown)
      .join(''),
    /"name": "find"/,
  );
});

test('a template that changes what is said is refused by the name of the role', () => {
  const source = "{% for m in messages %}{{ m.role }}: {{ m.content | replace('\"', '') }}\n{% endfor %}";
  assert.throws(() => probeTemplate(source, special), /it changes what a message of role system says/);
});
