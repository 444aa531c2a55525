// Texts with calls as models write them, and texts with JSON that are none: 400 of each and more.
import type { ReadCall } from '../../../src/core/calls/readCall.ts';
import type { ToolSchema } from '../../../src/core/dialog/tool.ts';

const text = (description: string) => ({ type: 'string', description }) as const;
export const tools: readonly ToolSchema[] = [
  {
    name: 'search_code',
    description: 'Finds text.',
    parameters: {
      type: 'object',
      properties: { query: text('What.'), path: text('Where.'), limit: { type: 'integer', description: 'How many.' } },
      required: ['query'],
    },
  },
  {
    name: 'read_file',
    description: 'Reads lines.',
    parameters: {
      type: 'object',
      properties: { path: text('Which.'), from: { type: 'integer', description: 'First line.' } },
      required: ['path'],
    },
  },
  { name: 'get_problems', description: 'Problems.', parameters: { type: 'object', properties: {}, required: [] } },
];

const calls: readonly ReadCall[] = [
  { name: 'search_code', arguments: { query: 'parse duration' } },
  { name: 'search_code', arguments: { query: 'class Queue {', path: 'src', limit: 5 } },
  { name: 'search_code', arguments: { query: 'a "quoted" word\nand a line' } },
  { name: 'read_file', arguments: { path: 'src/queue.ts' } },
  { name: 'read_file', arguments: { path: 'lib/[id].ts', from: 12 } },
  { name: 'get_problems', arguments: {} },
  { name: 'read_file', arguments: { path: 'docs/größe.md' } },
];

const leads = [
  '',
  "I'll look for it.\n\n",
  'Let me search the code for that.\n',
  'To answer this, I need to look at src/queue.ts first.\n\n',
  'Sure! I will use the `search_code` tool to find it:\n\n',
  'To find where it is declared, we can use the `find_symbol` function.\n\n',
];

const trailers = ['', '\n', '\n\nThis will find it.', '\n\nThe result is:\n\n```\nsrc/a.ts:1\n```'];

type Dress = (call: ReadCall) => string;

const plain: Dress = ({ name, arguments: given }) => JSON.stringify({ name, arguments: given });
const pretty: Dress = ({ name, arguments: given }) => JSON.stringify({ name, arguments: given }, null, 2);
const parameters: Dress = ({ name, arguments: given }) => JSON.stringify({ parameters: given, name });
const asText: Dress = ({ name, arguments: given }) =>
  JSON.stringify({ name, arguments: JSON.stringify(given) }).replace(/([:,])/g, '$1 ');
const openAi: Dress = ({ name, arguments: given }) =>
  JSON.stringify({ id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(given) } });
const loose: Dress = ({ name, arguments: given }) =>
  `{\n "name" : ${JSON.stringify(name)} ,\n\n  "arguments":${JSON.stringify(given, null, 1)},\n}`;
const listed: Dress = (call) => `[${plain(call)}]`;
const spoken: Dress = ({ name, arguments: given }) =>
  `${name}(${Object.entries(given)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(', ')})`;

const bodies: readonly Dress[] = [plain, pretty, parameters, asText, openAi, loose, listed, spoken];
const frames: readonly ((body: string) => string)[] = [
  (body) => body,
  (body) => `\`\`\`json\n${body}\n\`\`\``,
  (body) => `\`\`\`\n${body}\n\`\`\``,
  (body) => `\`\`\`tool_call\n${body}\n\`\`\``,
  (body) => `<tools>\n${body}\n</tools>`,
  (body) => `<function_call> ${body}`,
  (body) => `<|tool_call|>${body}<|/tool_call|>`,
  (body) => `<tool>${body}</tool>`,
];

/** Calls with how they were written; every eighth has broken white space in front. */
export function written(): readonly { readonly raw: string; readonly calls: readonly ReadCall[] }[] {
  const all = calls.flatMap((call) =>
    bodies.flatMap((body) => frames.map((frame) => ({ call, text: frame(body(call)) }))),
  );
  return all.map(({ call, text }, at) => ({
    raw: `${at % 8 === 7 ? ' \n' : ''}${leads[at % leads.length]}${text}${trailers[at % trailers.length]}`,
    calls: [call],
  }));
}

const explained = [
  'For example, a call of this tool looks like this:\n\n',
  'The format of a tool call is:\n\n',
  'An assistant would emit the following:\n',
  'Here is an example response of the server:\n\n',
  'You can call the tool like this:\n\n',
  'The documentation of `search_code` shows:\n\n',
  'A request has this schema:\n',
  'Either of these works:\n\n',
  'In the test, the model answers with:\n\n',
  'The request body is then written as JSON:\n\n',
];

const documents = [
  '{"name": "search_code", "arguments": {"query": "tide"}}',
  '[{"name": "read_file", "arguments": {"path": "src/a.ts"}}, {"name": "get_problems", "arguments": {}}]',
  'search_code(query="tide")',
  '{"name": "get_problems", "parameters": {}}',
];

const others = [
  '{\n  "name": "tidemark",\n  "version": "1.0.0",\n  "scripts": { "test": "node --test" }\n}',
  '{"name": "search_code", "version": "0.1.0", "main": "index.js"}',
  '{"port": 8080, "hosts": ["a", "b"], "limits": {"read_file": 3}}',
  '[1, 2, {"name": "read_file"}]',
  '{"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}',
  '{"type": "function", "function": {"name": "search_code", "description": "Finds text.", "parameters": {"type": "object", "properties": {"query": {"type": "string"}}}}}',
  'search_code(query, options) {\n  return [];\n}',
  'read_file("src/a.ts").then((text) => text)',
  '{"name": "write_file", "arguments": {"path": "a", "text": "b"}}',
  '{"tool": "search_code"}',
];

const introductions = [
  '',
  'The manifest is:\n\n',
  'The file holds:\n',
  'It is declared as\n\n',
  'Your package has these fields.\n\n',
  'The answer is in src/config.ts:\n\n',
];
const fences = [
  (body: string) => body,
  (body: string) => `\`\`\`json\n${body}\n\`\`\``,
  (body: string) => `\`\`\`\n${body}\n\`\`\`\n\nThat is all.`,
];

export function explanations(): readonly string[] {
  const quoted = explained.flatMap((lead) => documents.flatMap((one) => fences.map((fence) => lead + fence(one))));
  const plainly = introductions.flatMap((lead) => others.flatMap((one) => fences.map((fence) => lead + fence(one))));
  const far = documents.flatMap((one) =>
    fences.flatMap((fence) =>
      Array.from(
        { length: 10 },
        (_, at) => `${'The queue keeps what waits until a place is free. '.repeat(6 + at)}\n\n${fence(one)}`,
      ),
    ),
  );
  return [...quoted, ...plainly, ...far];
}
