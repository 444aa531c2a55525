// Calls that ask the same again, and tools that do not listen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Item, ToolCall } from '../../../src/core/dialog/dialog.ts';
import type { Tool } from '../../../src/core/dialog/tool.ts';
import { nothingPruned } from '../../../src/core/pruning/pruneState.ts';
import { clear } from '../../../src/core/pruning/strategy.ts';
import { answersOf, callTools } from '../../../src/core/turn/callTools.ts';

const call = (id: string, args: ToolCall['arguments']): ToolCall => ({ id, name: 'read', arguments: args });
const asked = { path: 'a.ts', startLine: 1 };
const result = {
  origin: 'result',
  id: 'c',
  parent: 'b',
  call: 'c1',
  tool: 'read',
  ok: true,
  head: 'a.ts:',
  body: 'text',
} as const;
const path: readonly Item[] = [
  { origin: 'user', id: 'a', parent: null, text: 'hi' },
  { origin: 'call', id: 'b', parent: 'a', text: '', calls: [call('c1', asked)] },
  result,
];

function counting() {
  let runs = 0;
  const parameters = { type: 'object', properties: {}, required: [] } as const;
  const tool: Tool = {
    schema: { name: 'read', description: '', parameters },
    run: async () => ({ ok: true, head: `run ${++runs}:`, body: 'new' }),
  };
  return { tools: [tool], runs: () => runs };
}

const signal = new AbortController().signal;

test('a call with the same arguments in any order is answered from the result above, without running', async () => {
  const { tools, runs } = counting();
  const again = call('c2', { startLine: 1, path: 'a.ts' });
  const [answer] = await callTools([again], answersOf(path, nothingPruned), tools, signal);
  const answered = { ok: true, head: 'Already answered above: a.ts.', body: '' };
  assert.deepEqual(answer, { origin: 'result', call: 'c2', tool: 'read', ...answered });
  assert.equal(runs(), 0);
});

test('other arguments, a failed result, a cleared result and another turn run the tool', async () => {
  const { tools, runs } = counting();
  const next: Item = { origin: 'user', id: 'd', parent: 'c', text: 'again' };
  const failed: readonly Item[] = [...path.slice(0, 2), { ...result, ok: false }];
  await callTools([call('c2', { path: 'b.ts' })], answersOf(path, nothingPruned), tools, signal);
  await callTools([call('c2', asked)], answersOf(failed, nothingPruned), tools, signal);
  await callTools([call('c2', asked)], answersOf(path, clear(nothingPruned, result, 4, 'clearTurn')), tools, signal);
  await callTools([call('c2', asked)], answersOf([...path, next], nothingPruned), tools, signal);
  assert.equal(runs(), 4);
});

test('a cancel does not wait for a tool that does not listen', async () => {
  const stop = new AbortController();
  const parameters = { type: 'object', properties: {}, required: [] } as const;
  const deaf: Tool = { schema: { name: 'read', description: '', parameters }, run: () => new Promise(() => undefined) };
  const waiting = callTools([call('c2', {})], new Map(), [deaf], stop.signal);
  stop.abort();
  assert.match((await waiting)[0]?.head ?? '', /Cancelled/);
});

test('the same call twice in one message runs once', async () => {
  let runs = 0;
  const counting: Tool = {
    schema: { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {}, required: [] } },
    run: async () => {
      runs += 1;
      return { ok: true, head: 'Seen:', body: 'all' };
    },
  };
  const calls = ['a', 'b', 'c'].map((id) => ({ id, name: 'look', arguments: id === 'c' ? { deep: true } : {} }));
  const results = await callTools(calls, new Map(), [counting], new AbortController().signal);
  assert.equal(runs, 2);
  assert.deepEqual(
    results.map(({ head }) => head),
    ['Seen:', 'Already answered above: Seen.', 'Seen:'],
  );
});
