// The chat templates that llama.cpp keeps for its own tests, read from the bundle inside node-llama-cpp: what works with each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message } from '../../../src/core/prompt/prompt.ts';
import { type ProbedTemplate, probeTemplate } from '../../../src/templates/probeTemplate.ts';
import type { SpecialTexts } from '../../../src/templates/template.ts';
import { golden } from '../../core/scenes/golden.ts';
import { bundleFile, bundleFiles } from '../../models/scenes/bundle.ts';
import { ends } from '../scenes/bundledEnds.ts';

const templates = bundleFiles('models/templates').filter((path) => path.endsWith('.jinja'));

const special: SpecialTexts = { bos: '<s>', eos: '</s>', any: /(?!)/g, ends };
const tool = {
  name: 'find',
  description: 'Finds things.',
  parameters: { type: 'object', properties: { q: { type: 'string', description: 'what' } }, required: ['q'] },
} as const;

/** A chat that grows message by message, each with an id of its own. */
class Growing {
  readonly messages: Message[] = [];

  add(role: Message['role'], text: string, extra: Partial<Message> = {}, calls: object = {}): void {
    const segment = { layer: 'history', item: String(this.messages.length), part: 'text', text, ...calls } as const;
    this.messages.push({ role, segments: [segment], ...extra });
  }

  call(text: string, id: string): void {
    this.add('assistant', text, {}, { calls: [{ id, name: 'find', arguments: { q: text } }] });
  }

  result(text: string, id: string): void {
    this.add('tool', text, { call: { id, tool: 'find' } });
  }

  /** The prompt as text with segments in angle quotes, as if the loaded model had generated what is assistant's. */
  shown({ template }: ProbedTemplate): string {
    const segments = this.messages.flatMap((message) => message.segments);
    return template
      .render({ messages: this.messages, tools: [tool] }, true, () => true)
      .map((part) =>
        'glue' in part ? part.glue : 'quoted' in part ? part.quoted : `«${segments[part.segment]?.text}»`,
      )
      .join('');
  }
}

/** Twenty turns with none, one or two tool rounds. Returns the first message whose prompt does not begin with the one before. */
function firstBreak(probed: ProbedTemplate): string | null {
  const chat = new Growing();
  chat.add('system', 'Look things up.');
  let before = '';
  const grown = (said: string) => {
    const now = chat.shown(probed);
    const kept = now.startsWith(before);
    before = `${now}«${said}»`;
    return kept;
  };
  for (let turn = 0; turn < 20; turn++) {
    chat.add('user', `question ${turn}`);
    for (let round = 0; round < turn % 3; round++) {
      if (!grown(`call ${turn}.${round}`)) return `call ${turn}.${round}`;
      chat.call(`call ${turn}.${round}`, `id${turn}${round}`);
      chat.result(`result ${turn}.${round}`, `id${turn}${round}`);
    }
    if (!grown(`answer ${turn}`)) return `answer ${turn}`;
    chat.add('assistant', `answer ${turn}`);
  }
  return null;
}

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
