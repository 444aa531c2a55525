// Calls that ask the same again, calls that have an effect, and tools that do not listen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Item, ToolCall } from '../../../src/core/dialog/dialog.ts';
import type { Tool } from '../../../src/core/dialog/tool.ts';
import { nothingPruned } from '../../../src/core/pruning/pruneState.ts';
import { clear } from '../../../src/core/pruning/strategy.ts';
import { answersOf, callTools } from '../../../src/core/turn/callTools.ts';
import type { ApprovalRequest, Approve } from '../../../src/core/turn/gate.ts';
import { acting, showAll } from '../scenes/acting.ts';

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
    effect: 'read',
    run: async () => ({ ok: true, head: `run ${++runs}:`, body: 'new' }),
  };
  return { tools: [tool], runs: () => runs };
}

const signal = new AbortController().signal;
const conceal = showAll;

test('a call with the same arguments in any order is answered from the result above, without running', async () => {
  const { tools, runs } = counting();
  const again = call('c2', { startLine: 1, path: 'a.ts' });
  const [answer] = await callTools([again], await answersOf(path, nothingPruned, tools), { tools, conceal, signal });
  const answered = { ok: true, head: 'Already answered above: a.ts.', body: '' };
  assert.deepEqual(answer, { origin: 'result', call: 'c2', tool: 'read', ...answered });
  assert.equal(runs(), 0);
});

test('other arguments, a failed result, a cleared result and another turn run the tool', async () => {
  const { tools, runs } = counting();
  const next: Item = { origin: 'user', id: 'd', parent: 'c', text: 'again' };
  const failed: readonly Item[] = [...path.slice(0, 2), { ...result, ok: false }];
  await callTools([call('c2', { path: 'b.ts' })], await answersOf(path, nothingPruned, tools), {
    tools,
    conceal,
    signal,
  });
  await callTools([call('c2', asked)], await answersOf(failed, nothingPruned, tools), { tools, conceal, signal });
  await callTools([call('c2', asked)], await answersOf(path, clear(nothingPruned, result, 4, 'clearTurn'), tools), {
    tools,
    conceal,
    signal,
  });
  await callTools([call('c2', asked)], await answersOf([...path, next], nothingPruned, tools), {
    tools,
    conceal,
    signal,
  });
  assert.equal(runs(), 4);
});

test('a cancel does not wait for a tool that does not listen', async () => {
  const stop = new AbortController();
  const parameters = { type: 'object', properties: {}, required: [] } as const;
  const deaf: Tool = {
    schema: { name: 'read', description: '', parameters },
    effect: 'read',
    run: () => new Promise(() => undefined),
  };
  const waiting = callTools([call('c2', {})], new Map(), { tools: [deaf], conceal, signal: stop.signal });
  stop.abort();
  assert.match((await waiting)[0]?.head ?? '', /Cancelled/);
});

test('the same call twice in one message runs once', async () => {
  let runs = 0;
  const counting: Tool = {
    schema: { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {}, required: [] } },
    effect: 'read',
    run: async () => {
      runs += 1;
      return { ok: true, head: 'Seen:', body: 'all' };
    },
  };
  const calls = ['a', 'b', 'c'].map((id) => ({ id, name: 'look', arguments: id === 'c' ? { deep: true } : {} }));
  const results = await callTools(calls, new Map(), { tools: [counting], conceal, signal });
  assert.equal(runs, 2);
  assert.deepEqual(
    results.map(({ head }) => head),
    ['Seen:', 'Already answered above: Seen.', 'Seen:'],
  );
});

/** A folder of texts that one tool reads and another writes, with a log of what ran. */
function folder(texts: Record<string, string>) {
  const log: string[] = [];
  const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as const;
  const read: Tool = {
    schema: { name: 'read', description: '', parameters },
    effect: 'read',
    touches: async ({ path }) => [String(path)],
    run: async ({ path }) => {
      log.push(`read ${path} begins`);
      await Promise.resolve();
      log.push(`read ${path} ends`);
      return { ok: true, head: `${path}:`, body: texts[String(path)] ?? '' };
    },
  };
  const write = acting({
    schema: { name: 'write', description: '', parameters },
    effect: 'write',
    deed: ({ path }) => ({ shown: `Changes ${path}.` }),
    run: async ({ path }) => {
      log.push(`write ${path} begins`);
      await Promise.resolve();
      texts[String(path)] = 'new';
      log.push(`write ${path} ends`);
      return { ok: true, head: `Wrote ${path}.`, body: '', changed: [String(path)] };
    },
  });
  const start = acting({
    schema: { name: 'start', description: '', parameters },
    effect: 'run',
    run: async () => {
      log.push('start');
      throw new Error('broken pipe');
    },
  });
  return { tools: [read, write, start], log, texts };
}

const named = (id: string, name: string, at: string): ToolCall => ({ id, name, arguments: { path: at } });
const yes: Approve = async () => true;

test('what only looks runs side by side, what has an effect alone and in its order', async () => {
  const { tools, log } = folder({ a: 'old a', b: 'old b' });
  const calls = [
    named('1', 'read', 'a'),
    named('2', 'read', 'b'),
    named('3', 'write', 'a'),
    named('4', 'read', 'a'),
    named('5', 'read', 'b'),
  ];
  const results = await callTools(calls, new Map(), { tools, conceal, signal, approve: yes });
  assert.deepEqual(log, [
    'read a begins',
    'read b begins',
    'read a ends',
    'read b ends',
    'write a begins',
    'write a ends',
    'read a begins',
    'read a ends',
  ]);
  // The written file may be read again; the other one is as it was.
  assert.deepEqual(
    results.map(({ head, body }) => [head, body]),
    [
      ['a:', 'old a'],
      ['b:', 'old b'],
      ['Wrote a.', ''],
      ['a:', 'new'],
      ['Already answered above: b.', ''],
    ],
  );
});

test('in a later round a file that was written is read again, and one that was not is answered from above', async () => {
  const { tools, log } = folder({ a: 'old', b: 'old' });
  const first = [named('1', 'read', 'a'), named('2', 'read', 'b'), named('3', 'write', 'a')];
  const results = await callTools(first, new Map(), { tools, conceal, signal, approve: yes });
  const items: Item[] = [
    { origin: 'user', id: 'u', parent: null, text: 'hi' },
    { origin: 'call', id: 'k', parent: 'u', text: '', calls: first },
    ...results.map((one, i): Item => ({ ...one, id: `r${i}`, parent: 'k' })),
  ];
  log.length = 0;
  const again = [named('4', 'read', 'a'), named('5', 'read', 'b'), named('6', 'write', 'a')];
  await callTools(again, await answersOf(items, nothingPruned, tools), { tools, conceal, signal, approve: yes });
  // The same change is not taken for done: whether there is anything to do is the tool's to say.
  assert.deepEqual(log, ['read a begins', 'read a ends', 'write a begins', 'write a ends']);
});

test('nothing that has an effect runs without a yes, and the model is told why', async () => {
  const { tools, log } = folder({});
  const asked: ApprovalRequest[] = [];
  const no: Approve = async (request) => {
    asked.push(request);
    return false;
  };
  const calls = [named('1', 'write', 'a')];
  const [refused] = await callTools(calls, new Map(), { tools, conceal, signal, approve: no, dressed: true });
  assert.deepEqual(refused, {
    origin: 'result',
    call: '1',
    tool: 'write',
    ok: false,
    head: 'Not done: the user did not allow it.',
    body: '',
  });
  assert.deepEqual(asked, [
    {
      call: calls[0],
      calls: 1,
      effect: 'write',
      preview: 'Changes a.',
      because: 'the model did not write it as a tool call',
      doubt: '',
      lasting: [],
    },
  ]);
  const [alone] = await callTools(calls, new Map(), { tools, conceal, signal });
  assert.equal(alone?.head, 'Not done: nobody is here to allow it.');
  assert.deepEqual(log, []);
});

test('a cancel is no: what waits for the user does not run, and the question is over', async () => {
  const { tools, log } = folder({});
  const stop = new AbortController();
  const events: string[] = [];
  const approve: Approve = () =>
    new Promise((_, reject) => stop.signal.addEventListener('abort', () => reject(new Error('gone'))));
  const run = {
    tools,
    conceal,
    signal: stop.signal,
    approve,
    emit: ({ type }: { readonly type: string }) => void events.push(type),
  };
  const waiting = callTools([named('1', 'write', 'a'), named('2', 'write', 'b')], new Map(), run);
  await new Promise((resolve) => setTimeout(resolve));
  stop.abort();
  assert.deepEqual(
    (await waiting).map(({ head }) => head),
    ['Cancelled by the user.', 'Cancelled by the user.'],
  );
  assert.deepEqual([log, events], [[], ['asking', 'decided']]);
});

test('what failed half way may have changed anything: all may be looked at again', async () => {
  const { tools, log } = folder({ a: 'old' });
  const calls = [named('1', 'read', 'a'), named('2', 'start', 'x'), named('3', 'read', 'a'), named('4', 'start', 'x')];
  const results = await callTools(calls, new Map(), { tools, conceal, signal, approve: yes });
  assert.equal(results[1]?.changed, 'anything');
  assert.equal(results[2]?.body, 'old');
  assert.equal(log.filter((line) => line === 'start').length, 1, 'the same call twice in one message runs once');
});

test('the result of any tool passes the search for secrets, and what the user agreed to show stays', async () => {
  const parameters = { type: 'object', properties: {}, required: [] } as const;
  const schema = (name: string) => ({ name, description: '', parameters });
  const body = 'plain\nkey: red\nkey: blue\n12: key: blue';
  const hide = (lines: readonly string[]) => lines.map((line) => line.replace(/.*key.*/, '[secret]'));
  const answer = { ok: false, head: 'key in the head', body };
  const look: Tool = { schema: schema('look'), effect: 'read', run: async () => answer };
  const shows: Tool = {
    schema: schema('shows'),
    effect: 'read',
    run: async (_args, _signal, mayShow) => {
      await mayShow?.({ about: 'a', because: 'b', lines: ['key: blue', ''] });
      return answer;
    },
  };
  const throws: Tool = { schema: schema('throws'), effect: 'read', run: () => Promise.reject(new Error('key')) };
  const tools = [
    ...[look, shows, throws],
    acting({ schema: schema('write'), effect: 'write', run: async () => answer }),
    acting({ schema: schema('start'), effect: 'run', run: async () => answer }),
    acting({ schema: schema('fails'), effect: 'run', run: () => Promise.reject(new Error('key')) }),
  ];
  const calls = tools.map(({ schema: { name } }) => ({ id: name, name, arguments: {} }));
  const run = { tools, signal, conceal: hide, approve: yes, mayShow: async () => true };
  const results = await callTools(calls, new Map(), run);
  assert.deepEqual(
    results.map(({ head, body: text }) => `${head}\n${text}`),
    [
      '[secret]\nplain\n[secret]\n[secret]\n[secret]',
      '[secret]\nplain\n[secret]\nkey: blue\n12: key: blue',
      '[secret]\n',
      '[secret]\nplain\n[secret]\n[secret]\n[secret]',
      '[secret]\nplain\n[secret]\n[secret]\n[secret]',
      '[secret]\n',
    ],
  );
});
