// Answers that servers with chat completions write and OpenAI's does not: calls in pieces of every kind, ends of every kind, impossible counts, refusals.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { prompts } from '../../../lab/bench/remote/prompts.ts';
import { readGeneration } from '../../../src/core/calls/read.ts';
import { hermes } from '../../../src/core/calls/syntax.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { chat, message, words } from '../scenes/engineUnderTest.ts';
import { ask } from './asking.ts';
import { chatScene } from './chatScene.ts';
import { json, only, problemIn } from './meddling.ts';

const prompt = prompts.tools as Prompt;
const { twin, open } = await chatScene();

/** From now on it answers so. */
function answers(act: (response: ServerResponse) => void): void {
  twin.meddle = only('/v1/chat/completions', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    act(response);
    return true;
  });
}

const line = (choice: object, more: object = {}) => `data: ${JSON.stringify({ choices: [choice], ...more })}\n\n`;
const delta = (said: object, finish_reason: string | null = null) => line({ delta: said, finish_reason });
const done = 'data: [DONE]\n\n';

interface WireCall {
  readonly index?: number;
  readonly id?: string;
  readonly name?: string;
  readonly arguments?: unknown;
}

/** The calls that are read of an answer with these pieces. */
async function calls(pieces: readonly WireCall[], reason = 'tool_calls') {
  const engine = await open();
  answers((response) => {
    for (const { index, id, ...called } of pieces)
      response.write(
        delta({
          tool_calls: [
            { ...(index === undefined ? {} : { index }), ...(id === undefined ? {} : { id }), function: called },
          ],
        }),
      );
    response.end(`${delta({}, reason)}${done}`);
  });
  const { raw } = await ask(engine, prompt);
  return readGeneration(hermes, raw, true, prompt.tools).calls;
}

for (const [pieces, what] of [
  [
    [
      { name: 'find_symbol', arguments: '{"name": "a"}' },
      { name: 'find_symbol', arguments: '{"name": "b"}' },
    ],
    'without numbers',
  ],
  [
    [
      { index: 0, id: 'a', name: 'find_symbol', arguments: '{"name": "a"}' },
      { index: 0, id: 'b', name: 'find_symbol', arguments: '{"name": "b"}' },
    ],
    'that all have the number 0',
  ],
  [
    [
      { index: 0, id: 'a', name: 'find_symbol' },
      { index: 0, arguments: '{"name"' },
      { index: 0, arguments: ': "a"}' },
      { index: 1, id: 'b', name: 'find_symbol', arguments: '{"name": "b"}' },
    ],
    'in pieces',
  ],
  [
    [
      { id: 'a', name: 'find_symbol', arguments: { name: 'a' } },
      { id: 'b', name: 'find_symbol', arguments: { name: 'b' } },
    ],
    'with objects for arguments',
  ],
] as const)
  test(`two calls ${what} are two calls`, async () => {
    assert.deepEqual(
      (await calls(pieces)).map(({ name, arguments: given, problem }) => [name, given, problem]),
      ['a', 'b'].map((name) => ['find_symbol', { name }, undefined]),
    );
  });

test('XML that a server passes on as text is a call, and none of it is shown on the way', async () => {
  for (const xml of [
    '<function=find_symbol>\n<parameter=name>\na\n</parameter>\n</function>\n</tool_call>',
    '<tool_call>find_symbol\n<arg_key>name</arg_key>\n<arg_value>a</arg_value>\n</tool_call>',
    '<minimax:tool_call>\n<invoke name="find_symbol">\n<parameter name="name">a</parameter>\n</invoke>\n</minimax:tool_call>',
  ]) {
    const engine = await open();
    const pieces = ['I look.\n\n', ...(xml.match(/[\s\S]{1,5}/g) ?? [])];
    answers((response) => {
      for (const content of pieces) response.write(delta({ content }));
      response.end(`${delta({}, 'stop')}${done}`);
    });
    const { raw } = await ask(engine, prompt);
    const read = (text: string, ended: boolean) => readGeneration(hermes, text, ended, prompt.tools);
    assert.deepEqual(read(raw, true).calls, [{ name: 'find_symbol', arguments: { name: 'a' } }], xml);
    for (let n = 0; n <= raw.length; n++)
      assert.ok('I look.'.startsWith(read(raw.slice(0, n), false).text.trimEnd()), `${n} of ${xml}`);
    twin.meddle = () => false;
  }
});

test('arguments that are cut, or are no JSON, make a call that is not made, and never one without arguments', async () => {
  for (const [given, reason] of [
    ['{"path": "src/a', 'length'],
    ['{"path": ', 'tool_calls'],
    ['path=src', 'tool_calls'],
  ] as const) {
    const [call, ...others] = await calls([{ index: 0, id: 'c', name: 'get_diagnostics', arguments: given }], reason);
    assert.ok((call?.problem ?? '') !== '' && others.length === 0, given);
  }
});

test('an answer is over where the server says so, also if the connection stays open or breaks behind it', async () => {
  const ends: Readonly<Record<string, (response: ServerResponse) => void>> = {
    'it stays open': (response) => void response.write(`${delta({ content: 'All.' }, 'stop')}${done}`),
    'no reason is given': (response) => void response.end(`${delta({ content: 'All.' })}${done}`),
    'it breaks behind the reason': (response) => {
      response.write(delta({ content: 'All.' }, 'stop'));
      setTimeout(() => response.socket?.resetAndDestroy(), 30);
    },
  };
  for (const [what, end] of Object.entries(ends)) {
    const engine = await open();
    answers(end);
    const { raw, stop } = await ask(engine, prompt);
    assert.deepEqual([raw, stop], ['All.', 'end'], what);
    twin.meddle = () => false;
  }
});

test('an empty reason in each event is none: an early end is one', async () => {
  const engine = await open();
  answers((response) => void response.end(delta({ content: 'Half of' }, '')));
  assert.equal((await problemIn(ask(engine, prompt))).is, 'cut');
});

test('an error with the status 200 is told in the server’s words', async () => {
  const engine = await open();
  twin.meddle = only('/v1/chat/completions', json({ error: { message: 'model is loading' } }));
  const problem = await problemIn(ask(engine, prompt));
  assert.deepEqual([problem.is, 'reason' in problem && problem.reason], ['failed', 'model is loading']);
});

test('an answer without an end is ended', async () => {
  const engine = await open();
  answers((response) => {
    const more = setInterval(() => response.write(delta({ content: 'on and ' }).repeat(50)), 5);
    response.on('close', () => clearInterval(more));
  });
  assert.equal((await problemIn(ask(engine, prompt, { maxTokens: 12 }))).is, 'endless');
});

test('a word now and then is an answer, however long it takes', async () => {
  // Between two words it is looked at more than once, and over all more often than a silent server is.
  const engine = await open({}, { short: 600, long: 60 });
  answers((response) => {
    let written = 0;
    const more = setInterval(() => {
      written += 1;
      if (written < 20) return void response.write(delta({ content: 'w' }));
      clearInterval(more);
      response.end(delta({}, 'stop'));
    }, 150);
  });
  assert.equal((await ask(engine, prompt)).raw, 'w'.repeat(19));
});

test('a model that is another one or gone is noticed before anything is sent', async () => {
  for (const models of [[{ id: 'other' }], [{ id: 'pocket', max_model_len: 512 }], []]) {
    twin.models = [{ id: 'pocket' }];
    const engine = await open();
    twin.models = models;
    twin.asked.length = 0;
    assert.equal((await problemIn(ask(engine, prompt))).is, 'changed');
    assert.ok(twin.asked.every(({ path }) => path === '/v1/models'));
  }
});

test('counts that cannot be teach nothing', async () => {
  const engine = await open();
  const text = chat(message('user', words(300)));
  const before = (await engine.tokens(text)).measure.total;
  for (const counted of [9007199254740991, 12, 0]) {
    answers((response) =>
      response.end(
        `${line({ delta: { content: 'Yes' }, finish_reason: 'stop' }, { usage: { prompt_tokens: counted, completion_tokens: 1 } })}${done}`,
      ),
    );
    await ask(engine, text);
  }
  assert.equal((await engine.tokens(text)).measure.total, before);
});

test('what was stopped before its first word is not said to be there', async () => {
  const engine = await open();
  answers(() => undefined);
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 50);
  const text = chat(message('user', words(300)));
  assert.equal((await ask(engine, text, { signal: stop.signal })).stop, 'cancelled');
  answers((response) => void response.end(`${delta({ content: 'Yes' }, 'stop')}${done}`));
  assert.equal((await ask(engine, text)).prefill.reused, 0);
});

for (const [status, words] of [
  [500, 'tools param requires --jinja flag'],
  [422, 'extra fields not permitted'],
  [501, 'not implemented'],
] as const)
  test(`a server that refuses tools with ${status} is used without them`, async () => {
    twin.meddle = only('/v1/chat/completions', (asked, response) =>
      asked.body.tools === undefined ? false : json({ error: { message: words } }, status)(asked, response),
    );
    const { toolCalls } = (await open()).info;
    assert.deepEqual(toolCalls, { format: 'none', reason: `the server takes no tools: ${words}` });
  });

test('a server that refuses to be asked for its counts is used with its tools, without the question', async () => {
  twin.meddle = only('/v1/chat/completions', (asked, response) =>
    asked.body.stream_options === undefined
      ? false
      : json({ error: { message: 'stream_options: unknown field' } }, 400)(asked, response),
  );
  const engine = await open();
  assert.notEqual(engine.info.toolCalls.format, 'none');
  assert.match((await ask(engine, prompt)).raw, /find_symbol/);
});

test('the window of a model that is loaded when it is asked for is that of now', async () => {
  let isLoaded = false;
  twin.meddle = (asked, response) => {
    isLoaded ||= asked.path === '/v1/chat/completions';
    const models = isLoaded ? [{ name: 'pocket', context_length: 777 }] : [];
    return asked.path === '/api/ps' && json({ models })(asked, response);
  };
  assert.equal((await open()).info.contextSize, 777);
});
