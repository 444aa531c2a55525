// Limits on what a server may send: characters, events that say nothing, bytes of its lists, sizes that it tells, and time for a short answer.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { prompts } from '../../../lab/bench/remote/prompts.ts';
import { startLlamaTwin, type Twin } from '../../../lab/servers/llamaTwin.ts';
import { serverParams } from '../../../lab/servers/serverParams.ts';
import type { Meddle } from '../../../lab/servers/twinServer.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { openServer } from '../../../src/engine/remote/openServer.ts';
import { ask } from './asking.ts';
import { chatScene } from './chatScene.ts';
import { json, only, openAt, problemIn } from './meddling.ts';

const prompt = prompts.tools as Prompt;
const { twin, open } = await chatScene();
let llama: Twin;
before(async () => {
  llama = await startLlamaTwin();
});
after(() => llama.stop());

function answers(act: (response: ServerResponse) => void): void {
  twin.meddle = only('/v1/chat/completions', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    act(response);
    return true;
  });
}

/** Writes it again and again, as long as it is read. */
function floods(piece: string): void {
  answers((response) => {
    const more = setInterval(() => response.write(piece), 1);
    response.on('close', () => clearInterval(more));
  });
}

const delta = (said: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta: said, finish_reason }] })}\n\n`;
const end = `${delta({}, 'stop')}data: [DONE]\n\n`;

test('an answer that comes character by character is not cut', async () => {
  const engine = await open();
  answers((response) => void response.end(`${delta({ content: 'w' }).repeat(300)}${end}`));
  assert.equal((await ask(engine, prompt, { maxTokens: 100 })).raw, 'w'.repeat(300));
});

test('an answer that comes all at once is not cut', async () => {
  const engine = await open();
  const whole = 'The tide rises and falls. '.repeat(15);
  answers((response) => void response.end(`${delta({ content: whole })}${end}`));
  assert.equal((await ask(engine, prompt, { maxTokens: 100 })).raw, whole);
});

const called = (given: object) => delta({ tool_calls: [{ index: 0, function: given }] });
const calls = Array.from({ length: 5000 }, (_, index) => ({ index, id: `c${index}`, function: { name: 'look' } }));
for (const [what, piece] of Object.entries({
  'words in large pieces': delta({ content: 'word '.repeat(1e5) }),
  'thoughts in large pieces': delta({ reasoning_content: 'hm '.repeat(1e5) }),
  'words in small pieces': delta({ content: 'a ' }).repeat(100),
  'one call that grows': called({ arguments: 'x'.repeat(1e4) }),
  'arguments that are no text': called({ arguments: { a: 'x'.repeat(1e4) } }),
  'a name that grows': called({ name: 'x'.repeat(1e4) }),
  'thousands of calls': delta({ tool_calls: calls }),
}))
  test(`${what}, without an end: endless, and little of it is kept`, async () => {
    const engine = await open();
    floods(piece);
    const heard: string[] = [];
    assert.equal((await problemIn(ask(engine, prompt, { maxTokens: 12, heard }))).is, 'endless');
    assert.ok(heard.join('').length <= 4096);
  });

for (const [what, piece] of Object.entries({
  'events without a word': delta({ content: '' }),
  'empty calls': delta({ tool_calls: [] }),
  'counts alone': `data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}\n\n`,
  'events of another kind': 'data: 7\n\n',
  'comments alone': ': ping\n\n'.repeat(30_000),
  'blank lines alone': '\n'.repeat(200_000),
}))
  test(`${what}, without an end: notUnderstood`, async () => {
    const engine = await open({}, { short: 600, long: 60_000 });
    floods(piece);
    assert.equal((await problemIn(ask(engine, prompt, { maxTokens: 12 }))).is, 'notUnderstood');
  });

test('that something comes shows no work: nobody at work behind it is given up', async () => {
  const engine = await open({}, { short: 600, long: 60 });
  answers((response) => {
    twin.meddle = only('/v1/models', json('', 500));
    const more = setInterval(() => response.write(': ping\n\n'), 20);
    response.on('close', () => clearInterval(more));
  });
  assert.equal((await problemIn(ask(engine, prompt))).is, 'silent');
});

const byteByByte =
  (status: number): Meddle =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    const more = setInterval(() => response.write(' '), 40);
    response.on('close', () => clearInterval(more));
    return true;
  };
test('a short answer that comes byte by byte has a limit, also in the place of a stream', async () => {
  twin.meddle = only('/v1/models', byteByByte(200));
  assert.equal((await problemIn(open())).is, 'silent');
  for (const status of [200, 400, 500]) {
    twin.meddle = () => false;
    const engine = await open({}, { short: 300, long: 60_000 });
    twin.meddle = only('/v1/chat/completions', byteByByte(status));
    assert.equal((await problemIn(ask(engine, prompt))).is, 'silent', String(status));
  }
});

test('the look at a server has a limit in all, however quick each answer is', async () => {
  const params = { ...serverParams(llama.url), kind: 'llama-server' } as const;
  llama.meddle = async () => {
    await sleep(100);
    return false;
  };
  const look = (milliseconds: number) =>
    openServer(params, { slots: 1, contextSize: 512 }, { short: 5000, long: 300, look: milliseconds });
  assert.equal((await problemIn(look(250))).is, 'silent');
  // Behind it there is none.
  const engine = await look(3000);
  await sleep(3100);
  assert.notEqual((await ask(engine, prompts.plain as Prompt)).raw, '');
  await engine.dispose();
  await llama.reset();
});

test('a list of models that does not end is not read to the end', async () => {
  let megabytes = 0;
  twin.meddle = only('/v1/models', (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => {
      megabytes += 1;
      if (response.write(' '.repeat(1e6))) setImmediate(more);
    };
    response.on('drain', more);
    more();
    return true;
  });
  assert.equal((await problemIn(open({ kind: 'openai' }))).is, 'notUnderstood');
  assert.ok(megabytes < 20, `${megabytes} megabytes`);
});

test('a window that no model has is not believed', async () => {
  for (const max_model_len of [Number.MAX_SAFE_INTEGER, 1e15, 1e8, -1, 0.5, '4096', null]) {
    twin.models = [{ id: 'pocket', max_model_len }];
    assert.equal((await open()).info.contextSize, 2048, String(max_model_len));
  }
  twin.models = [{ id: 'pocket', max_model_len: 1_048_576 }];
  assert.equal((await open()).info.contextSize, 1_048_576);
});

test('counts that no model has are not reported', async () => {
  const engine = await open();
  const usage = { prompt_tokens: 1e15, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 1e15 } };
  const choices = [{ delta: { content: 'Yes' }, finish_reason: 'stop' }];
  answers((response) => void response.end(`data: ${JSON.stringify({ choices, usage })}\n\n${end}`));
  const { prefill } = await ask(engine, prompt);
  assert.ok(prefill.reused + prefill.decoded < 10_000, JSON.stringify(prefill));
});

test('a name with signs that nobody sees is shown without them, and sent as it is', async () => {
  twin.models = [{ id: 'm\r\n\u001b[31mx\u202e' }];
  const engine = await open({}, { short: 5000, long: 300 });
  assert.equal(engine.info.name, 'm [31mx');
  await ask(engine, prompt);
  assert.equal(twin.asked.at(-1)?.body.model, 'm\r\n\u001b[31mx\u202e');
});

test('a name that is none is passed over', async () => {
  twin.models = [{ id: 'n'.repeat(5e5) }, { id: 7 }, { id: 'pocket' }];
  assert.equal((await open()).info.name, 'pocket');
  twin.models = [{ id: 'n'.repeat(5e5) }];
  assert.equal((await problemIn(open())).is, 'notUnderstood');
});

for (const n_vocab of [1e8, 2e9, Number.MAX_SAFE_INTEGER])
  test(`a vocabulary of ${n_vocab} tokens is not asked for`, async () => {
    llama.meddle = only('/v1/models', json({ data: [{ id: 'm', meta: { n_vocab } }] }));
    llama.asked.length = 0;
    assert.equal((await problemIn(openAt(llama.url))).is, 'notUnderstood');
    assert.ok(llama.asked.every(({ path }) => path !== '/tokenize'));
    await llama.reset();
  });

test('tokens that are longer than any are no tokens', async () => {
  llama.meddle = only('/tokenize', (asked, response) => {
    if (asked.body.with_pieces !== true) return false;
    const ids = asked.body.content as readonly number[];
    return json({ tokens: ids.map((id) => ({ id, piece: 'x'.repeat(5000) })) })(asked, response);
  });
  assert.equal((await problemIn(openAt(llama.url))).is, 'otherTokens');
  await llama.reset();
});
