// The call syntaxes of the families as their templates teach them (test/engine checks that), for tests without an engine.
import { type CallSyntax, harmony, hermes, idMark, lfm2, ownSyntax } from '../../../src/core/calls/syntax.ts';

const json: CallSyntax = { ...hermes, family: 'other', wrapped: null, between: '' };
const tags = (open: string, before: string, after: string): CallSyntax['arguments'] => ({
  open,
  string: [before, after],
  other: [before, after],
  between: '',
  values: 'json',
});

export const syntaxes: Readonly<Record<string, CallSyntax>> = {
  ownSyntax,
  hermes,
  harmony,
  lfm2,
  llama3: {
    ...hermes,
    family: 'llama3',
    before: '{"name": "',
    middle: '", "parameters": ',
    after: '}',
    wrapped: { name: 'name', arguments: 'parameters' },
  },
  mistral: { ...json, family: 'mistral', before: '[TOOL_CALLS]', middle: `[CALL_ID]${idMark}[ARGS]`, after: '' },
  mistralNemo: {
    ...hermes,
    family: 'mistral',
    section: ['[TOOL_CALLS][', ']'],
    before: '{"name": "',
    middle: '", "arguments": ',
    after: `, "id": "${idMark}"}`,
    between: ', ',
  },
  deepseek: {
    ...json,
    family: 'deepseek',
    section: ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'],
    before: '<｜tool▁call▁begin｜>function<｜tool▁sep｜>',
    middle: '\n```json\n',
    after: '\n```<｜tool▁call▁end｜>',
    between: '\n',
  },
  deepseek31: {
    ...json,
    family: 'deepseek',
    section: ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'],
    before: '<｜tool▁call▁begin｜>',
    middle: '<｜tool▁sep｜>',
    after: '<｜tool▁call▁end｜>',
  },
  deepseek32: {
    ...json,
    family: 'deepseek',
    section: ['\n\n<｜DSML｜function_calls>', '\n</｜DSML｜function_calls>'],
    before: '\n<｜DSML｜invoke name="',
    middle: '">',
    after: '\n</｜DSML｜invoke>',
    arguments: {
      open: '\n<｜DSML｜parameter name="',
      string: ['" string="true">', '</｜DSML｜parameter>'],
      other: ['" string="false">', '</｜DSML｜parameter>'],
      between: '',
      values: 'json',
    },
  },
  gemma: {
    ...json,
    family: 'gemma',
    before: '<|tool_call>call:',
    middle: '{',
    after: '}<tool_call|>',
    arguments: { open: '', string: [':<|"|>', '<|"|>'], other: [':', ''], between: ',', values: 'marks' },
  },
  qwen3coder: {
    ...json,
    family: 'qwen3coder',
    before: '<tool_call>\n<function=',
    middle: '>',
    after: '\n</function>\n</tool_call>',
    between: '\n',
    arguments: tags('\n<parameter=', '>\n', '\n</parameter>'),
  },
  glm: {
    ...json,
    before: '<tool_call>',
    middle: '',
    after: '\n</tool_call>',
    between: '\n',
    arguments: tags('\n<arg_key>', '</arg_key>\n<arg_value>', '</arg_value>'),
  },
};
