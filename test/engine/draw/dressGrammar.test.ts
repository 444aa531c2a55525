// The grammar that takes over a call in a dress of its own: whatever the weights say, what was begun becomes a call.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begunCall } from '../../../src/core/calls/begun.ts';
import { callsInJson } from '../../../src/core/calls/jsonCall.ts';
import type { ToolSchema } from '../../../src/core/dialog/tool.ts';
import { restOfCall } from '../../../src/engine/grammar/callGrammar.ts';
import { tools } from '../../core/scenes/dressedTexts.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { chat, loadParams, message, startEngine } from '../scenes/engineUnderTest.ts';

const typed: ToolSchema = {
  name: 'list',
  description: 'Lists.',
  parameters: {
    type: 'object',
    properties: {
      deep: { type: 'boolean', description: 'All.' },
      most: { type: 'integer', description: 'Most.' },
      'a "name"': { type: 'string', description: 'Odd.' },
    },
    required: ['most', 'deep'],
  },
};
const beginnings = [
  '{"name": "search_code", "arguments": {"query":',
  '{"name": "search_code", "arguments": {"query": "wh',
  '{ "name" : "search_code" ,\n "parameters": {\n  "path": "',
  '{"tool": "read_file", "args": {"from":',
  '{"name": "list", "arguments": {"deep":',
  '{"name": "list", "arguments": {"most": ',
];

test('every beginning goes on to a call of the tool with its required arguments', async () => {
  const { client } = startEngine();
  await client.request('load', loadParams({ modelPath: nanoModel({ favour: { '"': 996, '}': 997 } }) }));
  const all = [...tools, typed];
  const prompt = chat(message('user', 'Look'));
  const common = { slot: 0, prompt, maxTokens: 100, toolCalls: 'none', reuse: 'auto' } as const;
  let closed = 0;
  for (const raw of beginnings)
    for (let seed = 1; seed <= 5; seed++) {
      const begun = begunCall(raw, all);
      assert.ok(begun !== null, raw);
      const grammar = restOfCall(begun);
      const said = await client.request('generate', { ...common, grammar, sampling: { temperature: 1.5, seed } });
      if (said.stop !== 'end' || said.raw.includes('\uFFFD')) continue;
      const [call] = callsInJson(raw + said.raw, all) ?? [];
      assert.equal(call?.name, begun.tool.name, raw + said.raw);
      assert.ok(Object.hasOwn(call.arguments, begun.key), raw + said.raw);
      closed += 1;
    }
  assert.ok(closed >= beginnings.length * 2, `only ${closed} calls closed`);
});
