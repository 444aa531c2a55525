// Tool calls under grammar: whatever the weights say, an opened call is JSON of a known tool with the right arguments.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readGeneration } from '../../../src/core/calls/read.ts';
import { hermes } from '../../../src/core/calls/syntax.ts';
import type { JsonSchema } from '../../../src/core/dialog/jsonSchema.ts';
import type { ToolSchema } from '../../../src/core/dialog/tool.ts';
import { problemOf, randomSchemas } from '../../core/scenes/schemas.ts';
import { syntaxes } from '../../core/scenes/syntaxes.ts';
import { bundleFile } from '../../models/scenes/bundle.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import {
  callMessage,
  chat,
  loadParams,
  message,
  probeTool,
  result,
  say,
  startEngine,
} from '../scenes/engineUnderTest.ts';

const callOpen = '<tool_call>';
const llama3 = syntaxes.llama3 ?? hermes;
const engine = startEngine();
const load = (favour: Readonly<Record<string, number>>) =>
  engine.client.request('load', loadParams({ modelPath: nanoModel({ favour }) }));
/** Opens calls whenever it may, and soon closes strings. */
const eager = { [callOpen]: 1000, '"': 996 };
const ask = (tools: readonly ToolSchema[], seed = 1, maxTokens = 120) =>
  say(engine, { ...chat(message('user', 'Look')), tools }, { maxTokens, sampling: { temperature: 1.5, seed } });

/** The calls of a generation that closed; every one must fit its schema. */
function checkCalls(raw: string, tools: readonly ToolSchema[]): number {
  // Random weights find overlong UTF-8, which llama.cpp takes for the character; it is no text.
  if (raw.includes('\uFFFD')) return 0;
  const { calls, open } = readGeneration(hermes, raw);
  const closed = open ? calls.slice(0, -1) : calls;
  for (const call of closed) {
    assert.equal(call.problem, undefined, raw);
    const schema = tools.find((tool) => tool.name === call.name)?.parameters;
    assert.ok(schema !== undefined, call.name);
    assert.equal(problemOf({ ...schema, additionalProperties: false }, call.arguments), null, raw);
  }
  return closed.length;
}

test('a call is JSON of a known tool with its required arguments and their types', async () => {
  await load(eager);
  const tools = [probeTool, { ...probeTool, name: 'other' }];
  let closed = 0;
  for (let seed = 1; seed <= 10; seed++) closed += checkCalls((await ask(tools, seed)).raw, tools);
  assert.ok(closed >= 5, `only ${closed} calls closed`);
});

test('calls of random schemas parse', async () => {
  await load(eager);
  const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 6 });
  const parameter = fc.record({ schema: randomSchemas, needed: fc.boolean() });
  const tool = fc.tuple(name, fc.dictionary(name, parameter, { maxKeys: 4, noNullPrototype: true }));
  const toolSet = fc.uniqueArray(tool, { minLength: 1, maxLength: 3, selector: ([key]) => key });
  const schemaOf = ([key, parameters]: readonly [string, Record<string, { schema: JsonSchema; needed: boolean }>]) => ({
    name: key,
    description: 'd',
    parameters: {
      type: 'object' as const,
      properties: Object.fromEntries(Object.entries(parameters).map(([p, { schema }]) => [p, schema])),
      required: Object.keys(parameters).filter((p) => parameters[p]?.needed === true),
    },
  });
  let closed = 0;
  await fc.assert(
    fc.asyncProperty(toolSet, fc.nat(1000), async (set, seed) => {
      const tools = set.map(schemaOf);
      closed += checkCalls((await ask(tools, seed)).raw, tools);
    }),
    { numRuns: 25 },
  );
  assert.ok(closed > 10, `only ${closed} calls closed`);
});

test('a tool without parameters, and one with optional ones only, can be called', async () => {
  await load(eager);
  const optional = { ...probeTool.parameters, required: [] };
  for (const parameters of [{ type: 'object', properties: {}, required: [] } as const, optional]) {
    const tools = [{ ...probeTool, parameters }];
    assert.ok(checkCalls((await ask(tools)).raw, tools) > 0);
  }
});

test('a message holds four calls at most, and then ends', async () => {
  await load({ ...eager, Ċ: 500 });
  const { raw, stop } = await ask(
    [{ ...probeTool, parameters: { type: 'object', properties: {}, required: [] } }],
    1,
    400,
  );
  assert.equal(readGeneration(hermes, raw).calls.length, 4, JSON.stringify([raw, stop]));
  assert.equal(stop, 'end');
});

test('a choice is a call or the word that declines', async () => {
  const prompt = { ...chat(message('user', 'Look')), tools: [probeTool] };
  await load({ a: 3 });
  const said = new Set<string>();
  for (let seed = 1; seed <= 6; seed++) {
    const { raw, stop } = await say(engine, prompt, {
      maxTokens: 200,
      toolCalls: 'choice',
      sampling: { temperature: 1.5, seed },
    });
    if (stop === 'end') said.add(checkCalls(raw, [probeTool]) > 0 ? 'call' : raw);
  }
  for (const one of said) assert.ok(one === 'call' || one === 'answer', one);
  await load({ answer: 500, a: 200 });
  assert.equal((await say(engine, prompt, { maxTokens: 50, toolCalls: 'choice' })).raw, 'answer');
});

test('no call opens when calls are off, or when there are no tools', async () => {
  await load({ [callOpen]: 1000 });
  const prompt = { ...chat(message('user', 'Look')), tools: [probeTool] };
  const off = await say(engine, prompt, { maxTokens: 40, toolCalls: 'none' });
  assert.equal(off.generated.ids.length, 40);
  assert.ok(!off.raw.includes(callOpen));
  assert.ok(!(await ask([], 1, 40)).raw.includes(callOpen));
});

test('where calls stand in the prompt, an answer begins with words, not with the spelled marks of a call, a fence or JSON', async () => {
  const call = callMessage('', [{ id: 'call00001', name: 'probe', arguments: { path: 'a.ts' } }]);
  const prompt = chat(message('user', 'Look'), call, result('a.ts:', 'text'));
  for (const first of ['<', '`', '{', '[']) {
    await load({ [first]: 1000 });
    const { raw } = await say(engine, prompt, { maxTokens: 8, toolCalls: 'none' });
    assert.match(raw, /^ ?[^<`{[]/, raw);
  }
});

test('with the template of Llama 3.1, whose calls open with no mark of their own, the last word of a turn is no call', async () => {
  const template = bundleFile('models/templates/meta-llama-Llama-3.1-8B-Instruct.jinja').toString('utf8');
  const added = ['<|start_header_id|>', '<|end_header_id|>', '<|eot_id|>'].map((text) => ({ text, type: 3 as const }));
  const modelPath = nanoModel({ template, added, favour: { '{': 900, '"': 800, '<|eot_id|>': 700 } });
  const { toolCalls } = await engine.client.load(loadParams({ modelPath }));
  assert.equal(toolCalls.format, 'llama3');
  const call = callMessage('', [{ id: 'call00001', name: 'probe', arguments: { path: 'a.ts' } }]);
  const asked = [message('user', 'Look'), call, result('a.ts:', 'text')];
  for (const tools of [[], [probeTool]]) {
    const { raw } = await say(engine, { ...chat(...asked), tools }, { maxTokens: 24, toolCalls: 'none' });
    assert.match(raw, /^ ?[^<`{[\s]/);
    assert.deepEqual(readGeneration(llama3, raw).calls, []);
  }
});

test('a model may end at once', async () => {
  await load({ [callOpen]: 1000, '<|im_end|>': 2000, '"': 6 });
  assert.equal((await ask([probeTool])).raw, '');
  await load({ '<|im_end|>': 1000 });
  const { stop, generated } = await ask([probeTool]);
  assert.deepEqual([stop, generated.ids.length], ['end', 0]);
});

test('the same dialog with other tools gets the grammar of those', async () => {
  await load(eager);
  for (const name of ['alpha', 'beta', 'alpha']) {
    const { raw } = await ask([{ ...probeTool, name }]);
    assert.ok(raw.startsWith(`${callOpen}\n{"name": "${name}"`), raw);
  }
});
