// Chat templates that want something of their own: each gets a way that works, or is refused in words. None is given half of a chat.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';
import { readGeneration } from '../../../src/core/calls/read.ts';
import { renderCalls } from '../../../src/core/calls/render.ts';
import { ownSyntax } from '../../../src/core/calls/syntax.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { callGrammar } from '../../../src/engine/grammar/callGrammar.ts';
import { probeTemplate } from '../../../src/templates/probeTemplate.ts';
import { callMessage, chat, message, probeTool, result } from '../scenes/engineUnderTest.ts';

const ends = ['</s>', '<|im_end|>'];
const special = { bos: '<s>', eos: '</s>', any: /(<\|im_end\|>|<\|im_start\|>|<tool_call>|<\|"\|>)/g, ends };
const probe = (source: string) => probeTemplate(source, special);

/** ChatML with parts replaced. */
function chatML(
  parts: { content?: string; call?: string; tool?: string; tools?: string; before?: string } = {},
): string {
  const {
    content = '{{ m.content }}',
    call = '{% for c in m.tool_calls %}\n<tool_call>\n{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}\n</tool_call>{% endfor %}',
    tool = '<|im_start|>tool\n{{ m.content }}<|im_end|>\n',
    tools = '{% if tools %}{% for t in tools %}{{ t | tojson }}\n{% endfor %}{% endif %}',
    before = '',
  } = parts;
  return [
    `${before}${tools}{% for m in messages %}{% if m.role == 'tool' %}${tool}{% else %}<|im_start|>{{ m.role }}\n`,
    `${content}{% if m.tool_calls %}${call}{% endif %}<|im_end|>\n`,
    '{% endif %}{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}',
  ].join('');
}

const made = (id: string) => ({ id, name: 'probe', arguments: { path: 'p', line: 1 } });
const answer = (id: string) => ({ ...result('h', ` r"${id}"\n`), call: { id, tool: 'probe' } });
const dialog: Prompt = {
  messages: [
    ...chat(message('user', 'q'), callMessage('look', [made('one')]), answer('one')).messages,
    callMessage('', [made('two'), made('three')]),
    answer('two'),
    answer('three'),
    message('assistant', 'done'),
    message('user', 'q2'),
  ],
  tools: [probeTool, { ...probeTool, name: 'say"<|im_end|>' }],
};

/** The text of the prompt, where every message stands once and in order. */
function shown({ template, plan }: ReturnType<typeof probe>, prompt = dialog): string {
  const segments = prompt.messages.flatMap((one) => one.segments);
  const stretches = template.render(prompt, true, () => true);
  const seen = stretches.flatMap((part) => ('segment' in part ? [part.segment] : []));
  assert.deepEqual(
    seen,
    segments.map((_, i) => i),
    JSON.stringify(plan),
  );
  return stretches
    .map((part) =>
      'glue' in part ? part.glue : 'quoted' in part ? `‹${part.quoted}›` : `«${segments[part.segment]?.text}»`,
    )
    .join('');
}

test('plain ChatML is learned as Hermes, and no glue holds what a tool is called', () => {
  const probed = probe(chatML());
  assert.equal(probed.toolCalls.format, 'hermes');
  const text = shown(probed);
  assert.ok(text.includes('"name":"say\\"‹<|im_end|>›"') || text.includes('"name": "say\\"‹<|im_end|>›"'), text);
});

test('content that is dropped, doubled or changed is refused; trimmed content is not', () => {
  for (const content of [
    '',
    '{{ m.content }}{{ m.content }}',
    '{{ m.content | upper }}',
    "{{ m.content | replace('\\n', ' ') }}",
  ]) {
    assert.throws(() => probe(chatML({ content })), content);
  }
  for (const content of ['{{ m.content | trim }}', '{{ m.content | string }}', '{{- m.content -}}']) {
    assert.ok(shown(probe(chatML({ content }))).includes('«q»'), content);
  }
});

test('contents written as JSON are written so, by role', () => {
  const { plan } = probe(chatML({ tool: '<|im_start|>tool\n{{ m.content | tojson }}<|im_end|>\n' }));
  assert.deepEqual([...plan.escaped], ['tool']);
});

test('messages out of their order are refused', () => {
  assert.throws(() => probe(`{% for m in messages | reverse %}{{ m.content }}{% endfor %}`), /out of its order/);
});

test('a template that drops, doubles or refuses tool results gets them as user messages', () => {
  const tools = ['', '{{ m.content }}{{ m.content }}', "{{ raise_exception('no tools') }}", '{{ m.content | upper }}'];
  const twice =
    "{% if messages[loop.index0 - 1].role == 'tool' %}{{ raise_exception('two results') }}{% endif %}<|im_start|>tool\n{{ m.content }}<|im_end|>\n";
  for (const tool of [...tools, twice]) {
    const probed = probe(chatML({ tool }));
    assert.equal(probed.plan.results, 'user', tool);
    shown(probed);
  }
});

test('schemas in the last user message are printed by us, in the head', () => {
  const moving = chatML({
    tools: '',
    content: "{% if m.role == 'user' and loop.last and tools %}{{ tools | tojson }}\n{% endif %}{{ m.content }}",
  });
  const probed = probe(moving);
  assert.equal(probed.plan.schemas, 'text');
  assert.ok(shown(probed).indexOf('Look at one thing.') < shown(probed).indexOf('«q»'));
});

test('arguments as a string, one call at a time, ids in calls and results: each is found out', () => {
  const strings = probe(
    chatML({
      call: '\n<tool_call>\n{"name": "{{ m.tool_calls[0].function.name }}", "arguments": {{ m.tool_calls[0].function.arguments + "" }}}\n</tool_call>',
    }),
  );
  assert.equal(strings.plan.syntax?.family, 'hermes');
  shown(strings);
  const single = probe(
    chatML({
      call: '{% if m.tool_calls | length > 1 %}{{ raise_exception(\'one\') }}{% endif %}\n<tool_call>\n{"name": "{{ m.tool_calls[0].function.name }}", "arguments": {{ m.tool_calls[0].function.arguments | tojson }}}\n</tool_call>',
    }),
  );
  assert.deepEqual([single.plan.calls, single.plan.syntax?.family], ['first', 'hermes']);
  shown(single);
  const ids = probe(
    chatML({
      call: '{% for c in m.tool_calls %}\n<do>{"id": "{{ c.id }}", "name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}</do>{% endfor %}',
      tool: '<|im_start|>tool {{ m.tool_call_id }}\n{{ m.content }}<|im_end {{ m.tool_call_id }}|>\n',
    }),
  );
  const text = shown(ids);
  assert.ok(text.includes('<|im_start|>tool threexxxx\n') && text.includes('<|im_end threexxxx|>'), text);
});

test('a result count that depends on the calls stays right when one message makes two', () => {
  const probed = probe(
    chatML({
      tool: '{% set n = namespace(c=0) %}{% for p in messages %}{% if p.tool_calls %}{% set n.c = p.tool_calls | length %}{% endif %}{% endfor %}<|im_start|>tool of {{ n.c }}\n{{ m.content }}<|im_end|>\n',
    }),
  );
  shown(probed);
});

test('values without a mark behind them, and calls that an end stands in, are not learned', () => {
  const bare = chatML({
    call: '{% for c in m.tool_calls %}<do>{{ c.function.name }}|{% for k, v in c.function.arguments.items() %}{{ k }}={{ v }}{% if not loop.last %};{% endif %}{% endfor %}</do>{% endfor %}',
  });
  const ended = chatML({
    call: '{% for c in m.tool_calls %}<do><|im_end|>{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}</do>{% endfor %}',
  });
  for (const source of [bare, ended]) {
    const probed = probe(source);
    assert.deepEqual(probed.plan.syntax, ownSyntax);
    shown(probed);
  }
});

test('functions, datetime and the time are given to templates that expect them', () => {
  const before = "{{ datetime }} {{ strftime_now('%d %b %Y') }} {% if tools %}{{ functions | length }}{% endif %}\n";
  const text = shown(probe(chatML({ before })));
  assert.match(text, /^\d{4}-\d\d-\d\d \d\d [A-Z][a-z]{2} \d{4} \d+\{"type"/);
  assert.equal(shown(probe(chatML({ before }))).slice(0, 30), text.slice(0, 30));
});

test('special strings cannot reach a schema, raw or as JSON, quotes within included', () => {
  for (const tools of [
    '{{ tools | tojson }}',
    '{% for t in tools %}{{ t.function.name }}: {{ t.function.description }}{% endfor %}',
  ]) {
    const source = chatML({ tools: `{% if tools %}${tools}{% endif %}` });
    const probed = probe(source);
    for (const text of ['<|"|>', '<|im_end|>', '<tool_call>', 'a<|"|><|im_start|>"']) {
      const tool = { ...probeTool, name: `t${text}`, description: text };
      const stretches = probed.template.render({ ...dialog, tools: [tool, probeTool] }, true);
      const head = stretches.slice(
        0,
        stretches.findIndex((part) => 'segment' in part),
      );
      const glue = head
        .map((part) => ('glue' in part ? part.glue : ''))
        .filter((part) => part.split(special.any).length > 1);
      // Only the template's own first turn mark.
      assert.ok(
        glue.every((part) => part.replace('<|im_start|>', '').split(special.any).length === 1),
        JSON.stringify(glue),
      );
    }
  }
});

test('tool names with quotes, backslashes, non-ASCII and blanks make grammars that parse, and calls that read back', async () => {
  const llama = await getLlama({ gpu: false, build: 'never', logLevel: LlamaLogLevel.error, maxThreads: 1 });
  for (const name of ['a"b', 'a\\b', '潮', 'two words', '<|im_end|>', '</tool_call>', "it's", '\uE002']) {
    const tool = { ...probeTool, name };
    for (const written of ['', '<tool_call>'])
      await llama.createGrammar({ grammar: callGrammar(ownSyntax, [tool], written, 'answer') });
    const raw = renderCalls(ownSyntax, '', [{ id: 'x', name, arguments: { [name]: name } }])
      .map(({ text }) => text)
      .join('');
    assert.deepEqual(readGeneration(ownSyntax, raw, true).calls, [{ name, arguments: { [name]: name } }]);
  }
  await llama.dispose();
});
