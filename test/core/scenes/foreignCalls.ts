// Calls in the marks of other families than the model's own, ten a syntax, as models write them; and texts that talk about such calls.
import type { ReadCall } from '../../../src/core/calls/readCall.ts';
import type { ToolSchema } from '../../../src/core/dialog/tool.ts';

const text = { type: 'string', description: 'Text.' } as const;
export const tools: readonly ToolSchema[] = [
  {
    name: 'read_file',
    description: 'Reads lines.',
    parameters: {
      type: 'object',
      properties: { path: text, from: { type: 'integer', description: 'First line.' } },
      required: ['path'],
    },
  },
  {
    name: 'write_file',
    description: 'Writes.',
    parameters: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
  },
  {
    name: 'edit_lines',
    description: 'Edits.',
    parameters: {
      type: 'object',
      properties: { path: text, lines: { type: 'array', items: { type: 'string' } }, all: { type: 'boolean' } },
      required: ['path', 'lines'],
    },
  },
  { name: 'get_problems', description: 'Problems.', parameters: { type: 'object', properties: {}, required: [] } },
];

export interface ForeignCall {
  readonly raw: string;
  readonly said: string;
  /** With the values that the tools' types make of what is written. */
  readonly calls: readonly ReadCall[];
}

const one = (raw: string, said: string, ...calls: readonly (readonly [string, object])[]): ForeignCall => ({
  raw,
  said,
  calls: calls.map(([name, values]) => ({ name, arguments: values as ReadCall['arguments'] })),
});
const a = ['read_file', { path: 'src/a.ts' }] as const;
const b = ['read_file', { path: 'src/b.ts', from: 12 }] as const;
const problems = ['get_problems', {}] as const;
const long = 'The queue holds what waits for a place, and each place is freed in order. '.repeat(8).trim();

const qwenA = '<function=read_file>\n<parameter=path>\nsrc/a.ts\n</parameter>\n</function>';
const qwenB =
  '<function=read_file>\n<parameter=path>\nsrc/b.ts\n</parameter>\n<parameter=from>\n12\n</parameter>\n</function>';
const glmA = '<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>src/a.ts</arg_value>\n</tool_call>';
const glmB =
  '<tool_call>read_file<arg_key>path</arg_key><arg_value>src/b.ts</arg_value><arg_key>from</arg_key><arg_value>12</arg_value></tool_call>';
const invokeA = '<invoke name="read_file">\n<parameter name="path">src/a.ts</parameter>\n</invoke>';
const invokeB =
  '<invoke name="read_file">\n<parameter name="path">src/b.ts</parameter>\n<parameter name="from">12</parameter>\n</invoke>';
const lfm = (list: string) => `<|tool_call_start|>[${list}]<|tool_call_end|>`;

export const foreignCalls: Readonly<Record<string, readonly ForeignCall[]>> = {
  qwen3coder: [
    one(qwenA, '', a),
    one(`I'll look.\n\n${qwenA}\n</tool_call>`, "I'll look.", a),
    one(`<tool_call>\n${qwenB}\n</tool_call>`, '', b),
    one(`Let me read package.json and the config:\n${qwenB}`, 'Let me read package.json and the config:', b),
    one(`${long}\n\n${qwenA}\n</tool_call>`, long, a),
    one(`<tool_call>\n${qwenA}\n</tool_call>\n<tool_call>\n${qwenB}\n</tool_call>`, '', a, b),
    one(`${qwenA}\n${qwenB}\n</tool_call>`, '', a, b),
    one('<function=get_problems>\n</function>\n</tool_call>', '', problems),
    one('<function=read_file><parameter=path>src/a.ts</parameter></function>', '', a),
    one(
      'First:\n\n```ts\nconst a = 1;\n```\n\nNow the file.\n<function=write_file>\n<parameter=path>\na.md\n</parameter>\n<parameter=content>\n# A\n\n```ts\nlet a;\n```\n</parameter>\n</function>',
      'First:\n\n```ts\nconst a = 1;\n```\n\nNow the file.',
      ['write_file', { path: 'a.md', content: '# A\n\n```ts\nlet a;\n```' }],
    ),
  ],
  glm: [
    one(glmA, '', a),
    one(`I'll look.\n${glmA}`, "I'll look.", a),
    one(glmB, '', b),
    one(`${glmA}\n${glmB}`, '', a, b),
    one(`${long}\n\n${glmB}`, long, b),
    one('<tool_call>get_problems\n</tool_call>', '', problems),
    one('<tool_call>get_problems</tool_call>', '', problems),
    one(
      '<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>a.md</arg_value>\n<arg_key>content</arg_key>\n<arg_value>bla\n<b>x</b>\n</arg_value>\n</tool_call>',
      '',
      ['write_file', { path: 'a.md', content: 'bla\n<b>x</b>\n' }],
    ),
    one(
      '<tool_call>edit_lines\n<arg_key>path</arg_key>\n<arg_value>a.ts</arg_value>\n<arg_key>lines</arg_key>\n<arg_value>["it\'s", "b"]</arg_value>\n<arg_key>all</arg_key>\n<arg_value>true</arg_value>\n</tool_call>',
      '',
      ['edit_lines', { path: 'a.ts', lines: ["it's", 'b'], all: true }],
    ),
    one(`Sure.\n\n  ${glmA}`, 'Sure.', a),
  ],
  minimax: [
    one(`<minimax:tool_call>\n${invokeA}\n</minimax:tool_call>`, '', a),
    one(`I'll look.\n\n<minimax:tool_call>\n${invokeA}\n</minimax:tool_call>`, "I'll look.", a),
    one(`<minimax:tool_call>\n${invokeA}\n${invokeB}\n</minimax:tool_call>`, '', a, b),
    one(invokeB, '', b),
    one(`${invokeA}\n</minimax:tool_call>`, '', a),
    one(`<function_calls>\n${invokeB}\n</function_calls>`, '', b),
    one(`${long}\n<minimax:tool_call>\n${invokeB}\n</minimax:tool_call>`, long, b),
    one('<minimax:tool_call>\n<invoke name="get_problems">\n</invoke>\n</minimax:tool_call>', '', problems),
    one(
      '<minimax:tool_call>\n<invoke name="write_file">\n<parameter name="path">a.xml</parameter>\n<parameter name="content"><parameter>\n  <hello></hello>\n</parameter>\n</parameter>\n</invoke>\n</minimax:tool_call>',
      '',
      ['write_file', { path: 'a.xml', content: '<parameter>\n  <hello></hello>\n</parameter>\n' }],
    ),
    one(
      ' to=read_file<|message|><atem:function_calls>\n<atem:invoke name="read_file">\n<atem:parameter name="path">src/a.ts</atem:parameter>\n</atem:invoke>\n</atem:function_calls>',
      '',
      a,
    ),
  ],
  lfm2: [
    one(lfm("read_file(path='src/a.ts')"), '', a),
    one(`I'll look.\n${lfm('read_file(path="src/b.ts", from=12)')}`, "I'll look.", b),
    one("[read_file(path='src/a.ts')]", '', a),
    one(lfm("read_file(path='src/a.ts'), read_file(path='src/b.ts', from=12)"), '', a, b),
    one("[read_file(path='src/a.ts'), get_problems()]", '', a, problems),
    one(lfm('get_problems()'), '', problems),
    one(lfm("edit_lines(path='a.ts', lines=['const a = \"x\";', \"it's <b>&\"], all=True)"), '', [
      'edit_lines',
      { path: 'a.ts', lines: ['const a = "x";', "it's <b>&"], all: true },
    ]),
    one(lfm("write_file(path='a.ts', content='it's here (a, b)')"), '', [
      'write_file',
      { path: 'a.ts', content: "it's here (a, b)" },
    ]),
    one(lfm("write_file(path='a.ts', content='one\\ntwo\\t\\'x\\' \\d+')"), '', [
      'write_file',
      { path: 'a.ts', content: "one\ntwo\t'x' \\d+" },
    ]),
    one(lfm('write_file(path=\'a.py\', content="""def f():\n    return "a", \'b\'\n""")'), '', [
      'write_file',
      { path: 'a.py', content: 'def f():\n    return "a", \'b\'\n' },
    ]),
  ],
  separated: [
    one('[TOOL_CALLS]read_file[ARGS]{"path": "src/a.ts"}', '', a),
    one('[TOOL_CALLS]read_file{"path": "src/a.ts"}', '', a),
    one(
      '[TOOL_CALLS]read_file[ARGS]{"path": "src/a.ts"}[TOOL_CALLS]read_file[ARGS]{"path": "src/b.ts", "from": 12}',
      '',
      a,
      b,
    ),
    one('I look.\n[TOOL_CALLS]read_file[CALL_ID]abc123def[ARGS]{"path": "src/a.ts"}', 'I look.', a),
    one(
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "src/a.ts"}<|tool_call_end|><|tool_calls_section_end|>',
      '',
      a,
    ),
    one(
      '<|tool_call_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "src/a.ts"}<|tool_call_end|><|tool_call_begin|>functions.get_problems:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_call_section_end|>',
      '',
      a,
      problems,
    ),
    one(
      '<|tool_call_begin|>functions_read_file_1<|tool_call_argument_begin|>{"path": "src/a.ts"}<|tool_call_end|>',
      '',
      a,
    ),
    one(
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path": "src/a.ts"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      '',
      a,
    ),
    one(
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path": "src/a.ts"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      '',
      a,
    ),
    one(
      `${long}\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_problems<｜tool▁sep｜>{}<｜tool▁call▁end｜>`,
      long,
      problems,
    ),
  ],
};

const leads = [
  'For example, a call of this tool looks like this:\n\n',
  'The format of a tool call is:\n\n',
  'An assistant would emit the following:\n',
  'You can call the tool like this:\n\n',
  'The documentation of `read_file` shows:\n\n',
  'Either of these works:\n\n',
  'In the test, the model answers with:\n\n',
  'This is how Qwen3-Coder writes it:\n',
];
const quotedLeads = ['The parser reads this:\n\n', `${long}\n\n`, '- First\n- Second\n\n'];
const openings = [
  'Qwen3-Coder opens a call with `<function=read_file>` and closes it with `</function>`.',
  'The mark\n<function=read_file>\nopens it, then come the parameters.',
  'The line\n<tool_call>read_file\nis what GLM begins with.',
  'In the log:\n<invoke name="read_file"> was seen twice.',
  '[read_file(path)](docs/tools.md) reads lines.',
  '[read_file](docs/tools.md), [write_file](docs/tools.md)',
  'read_file(path, from) is a function.\nread_file(path=where).then(show) too.',
  '<function=delete_all>\n<parameter=path>\n/\n</parameter>\n</function>',
  '<function=read_file_now>\n<parameter=path>\na\n</parameter>\n</function>',
  '<function=read_file>\n<parameter=color>\nred\n</parameter>\n</function>',
  "<div>\n<tool name='x'>\n</div>",
  '[TOOL_CALLS] is a mark of Mistral.\n[TOOL_CALLS]\nread_file is a tool.',
  'Write `to=read_file` into the header.\nto=read_file is what I mean.',
  '<tools>\nread_file\nwrite_file\n</tools>',
  'The functions:\nread_file {path}\nwrite_file {path, content}',
];

/** Texts that explain, quote or name calls, and are none. */
export function foreignTalk(): readonly string[] {
  const documents = Object.values(foreignCalls).flatMap((all) =>
    all.filter(({ said }) => said === '').map(({ raw }) => raw.trim()),
  );
  const fenced = (one: string, i: number) =>
    `\`\`\`${['', 'xml', 'text'][i % 3]}\n${one.replaceAll('```', '~~~')}\n\`\`\`\n\nThat is all.`;
  return [
    ...openings,
    ...leads.flatMap((lead) => documents.flatMap((one, i) => [lead + one, lead + fenced(one, i)])),
    ...quotedLeads.flatMap((lead) => documents.map((one, i) => lead + fenced(one, i))),
  ];
}
