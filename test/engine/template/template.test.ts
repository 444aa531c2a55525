// Rendering: the file's own template with contents as stretches, the same bytes for the same prompt at any time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Prompt, segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { probeTemplate } from '../../../src/templates/probeTemplate.ts';
import { createTemplate } from '../../../src/templates/template.ts';
import { chatTemplate } from '../../models/scenes/chatTemplate.ts';
import { chat, faultIn, message, probeTool, result } from '../scenes/engineUnderTest.ts';

const special = { bos: '<s>', eos: '</s>', any: /(?!)/g, ends: ['</s>'] };
const dialog = chat(
  message('user', 'One'),
  message('assistant', 'Two'),
  result('3:', 'three'),
  message('user', 'Four'),
);

/** Glue as it is, segments in angle quotes. */
function drawn(source: string, prompt: Prompt, generate = true): string {
  const segments = segmentsOf(prompt);
  return createTemplate(source, special)
    .render(prompt, generate)
    .map((part) => ('glue' in part ? part.glue : 'quoted' in part ? part.quoted : `«${segments[part.segment]?.text}»`))
    .join('');
}

test('contents become stretches of their own and everything else is glue', () => {
  assert.equal(
    drawn(chatTemplate, dialog),
    [
      '<|im_start|>system\n«Be brief.»<|im_end|>',
      '<|im_start|>user\n«One»<|im_end|>',
      '<|im_start|>assistant\n«Two»<|im_end|>',
      '<|im_start|>user\n<tool_response>\n«3:»«three»\n</tool_response><|im_end|>',
      '<|im_start|>user\n«Four»<|im_end|>',
      '<|im_start|>assistant\n',
    ].join('\n'),
  );
});

test('the generation prompt is there only when asked for', () => {
  assert.ok(drawn(chatTemplate, dialog, true).startsWith(drawn(chatTemplate, dialog, false)));
  assert.ok(drawn(chatTemplate, dialog, false).endsWith('«Four»<|im_end|>\n'));
});

test('a rendered dialog is a prefix of the dialog that goes on', () => {
  for (let n = 2; n < dialog.messages.length; n++) {
    const shorter = { ...dialog, messages: dialog.messages.slice(0, n), tools: [probeTool] };
    const longer = { ...dialog, tools: [probeTool] };
    // A run of tool results closes differently when another follows, so a cut there is not one.
    if (dialog.messages[n]?.role === 'tool') continue;
    assert.ok(drawn(chatTemplate, longer).startsWith(drawn(chatTemplate, shorter, false)));
  }
});

test('tools are printed as JSON, in their order, with keys in theirs', () => {
  const text = drawn(chatTemplate, { ...dialog, tools: [probeTool, { ...probeTool, name: 'other' }] });
  const lines = text.split('\n').filter((line) => line.startsWith('{'));
  assert.deepEqual(
    lines.map((line) => JSON.parse(line) as unknown),
    [probeTool, { ...probeTool, name: 'other' }].map((tool) => ({ type: 'function', function: tool })),
  );
  assert.ok(lines[0]?.startsWith('{"type": "function", "function": {"name": "probe", "description": '));
});

test('a template that prints the time prints the moment of loading, so that prompts stay the same', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: new Date(2026, 2, 5, 7, 8) });
  const source = `{{ strftime_now('%d %B %Y %H:%M %b %m %q') }}${chatTemplate}`;
  const template = createTemplate(source, special);
  const first = template.render(dialog, true);
  t.mock.timers.setTime(new Date(2027, 1, 1).getTime());
  assert.deepEqual(template.render(dialog, true), first);
  assert.match('glue' in first[0]! ? first[0].glue : '', /^05 March 2026 07:08 Mar 03 %q/);
});

test('the names of the first and last token are there for templates that print them', () => {
  assert.match(drawn(`{{ bos_token }}${chatTemplate}{{ eos_token }}`, dialog), /^<s>[\s\S]*<\/s>$/);
});

test('an empty conversation renders, an unknown role is refused by the order check', async () => {
  assert.equal(drawn('{{ messages | length }}', { messages: [], tools: [] }), '0');
  const odd = { ...dialog, messages: [...dialog.messages, { ...message('user', 'x'), role: 'critic' as 'user' }] };
  const fault = await faultIn(Promise.resolve().then(() => drawn(chatTemplate, odd)));
  assert.deepEqual(fault, { kind: 'templateUnusable', reason: 'message 6 (critic) is dropped' });
});

const ofParts = `{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' }}{% for part in message['content'] %}{% if part['type'] == 'text' %}{{ part['text'] }}{% endif %}{% endfor %}{{ '<|im_end|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}`;

test('a template that reads contents as lists of parts gets them so, whatever it does with them', () => {
  const first = ofParts.replace(/\{% for part[\s\S]*?endfor %\}/, "{{ message['content'][0]['text'] }}");
  const mapped = ofParts.replace(
    /\{% for part[\s\S]*?endfor %\}/,
    "{{ message.content | selectattr('type', 'equalto', 'text') | map(attribute='text') | join('') }}",
  );
  const trimmed = ofParts.replace("{{ part['text'] }}", "{{ part['text'] | trim }}");
  const alternating = `{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('alternate') }}{% endif %}{% endfor %}${ofParts}`;
  for (const source of [ofParts, first, mapped, trimmed, alternating]) {
    const { template, plan, toolCalls } = probeTemplate(source, special);
    assert.equal(plan.contents, 'parts', source);
    assert.equal(toolCalls.format, 'tidemark');
    const text = template
      .render(chat(message('user', 'One'), message('assistant', 'Two'), message('user', 'Three')), true)
      .map((part) => ('glue' in part ? part.glue : '«»'))
      .join('');
    assert.match(text, /user\n(?:«»\n\n)?«»<\|im_end\|>\n<\|im_start\|>assistant\n«»<\|im_end\|>/, source);
  }
});

test('a template that reads both gets texts', () => {
  const both = `{% for m in messages %}{{ m.role + ':' }}{% if m.content is string %}{{ m.content }}{% else %}{% for part in m.content %}{{ part.text }}{% endfor %}{% endif %}{{ '\\n' }}{% endfor %}{% if add_generation_prompt %}assistant:{% endif %}`;
  assert.equal(probeTemplate(both, special).plan.contents, 'text');
});
