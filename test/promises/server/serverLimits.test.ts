// Tests what SECURITY.md promises of a server that says too much, that says nothing, or that a prompt is too long for.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { serverParams } from '../../../lab/servers/serverParams.ts';
import { faultOf, wordFault } from '../../../src/core/faults/faults.ts';
import { openServer } from '../../../src/engine/remote/openServer.ts';
import { until } from '../../app/scenes/waiting.ts';
import { command, folderWith } from '../../cli/command.ts';
import { promptsAt, startBytes, textOf } from './byteServer.ts';
import {
  ask,
  byHand,
  delta,
  engineOf,
  event,
  everywhere,
  loadParams,
  problemIn,
  question,
  says,
  startChat,
  streams,
} from './serving.ts';

/** Bytes that were taken from a server that never ends. */
let taken = 0;

/** Writes a piece for ever, as fast as it is read; ends after 300 MB, so that the test ends where the reader does not. */
function pour(response: ServerResponse, piece: string | Buffer, first = ''): true {
  response.write(first);
  const more = () => {
    if (response.destroyed) return;
    taken += piece.length;
    if (taken > 300e6) response.destroy();
    else if (response.write(piece)) setImmediate(more);
  };
  response.on('drain', more);
  more();
  return true;
}
const called = (index: number, given: object) => delta({ tool_calls: [{ index, function: given }] });
const json = { 'content-type': 'application/json' };

/** Answers of a server with chat completions. */
const answers: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  'words in large pieces': (response) => pour(streams(response), delta({ content: 'word '.repeat(1e5) })),
  'words in small pieces': (response) => pour(streams(response), delta({ content: 'a ' }).repeat(50)),
  thoughts: (response) => pour(streams(response), delta({ reasoning_content: 'hm '.repeat(1e4) })),
  'a call that grows': (response) => pour(streams(response), called(0, { arguments: 'x'.repeat(1e4) })),
  'calls without a name': (response) => pour(streams(response), called(1, {}).repeat(50)),
  'events without a word': (response) => pour(streams(response), delta({ content: '' }).repeat(50)),
  counts: (response) => pour(streams(response), event({ choices: [], usage: { prompt_tokens: 1 } }).repeat(50)),
  comments: (response) => pour(streams(response), ': ping\n'.repeat(1e4)),
  'one event': (response) => pour(streams(response), 'a'.repeat(65_536), 'data: "'),
  'fields that nobody knows': (response) => pour(streams(response), 'id: 1\n\nretry: 5\n\n'.repeat(1e4)),
  'no stream': (response) => pour(response.writeHead(200, json), ' '.repeat(65_536)),
  'an error': (response) => pour(response.writeHead(500, json), ' '.repeat(65_536), '{"error":"'),
};

const zipped = gzipSync(Buffer.alloc(2e8, 32));
const lists = (response: ServerResponse, piece: string, first: string) =>
  pour(response.writeHead(200, json), piece, first);
/** Answers without an end, by the paths on which a server tells of itself. */
const looks: readonly (readonly [path: string, tells: (response: ServerResponse) => true])[] = [
  ['/props', (response) => lists(response, ' '.repeat(65_536), '')],
  ['/v1/models', (response) => lists(response, '{"id":"m","max_model_len":4096},'.repeat(2e3), '{"data":[')],
  ['/v1/models', (response) => pour(response.writeHead(200, { ...json, 'content-encoding': 'gzip' }), zipped)],
  ['/tokenizer_info', (response) => lists(response, '"1":"<x>",'.repeat(5e3), '{"added_tokens_decoder":{')],
  ['/tokenize', (response) => lists(response, '1,'.repeat(3e4), '{"tokens":[')],
  ['/detokenize', (response) => lists(response, '<|endoftext|>'.repeat(5e3), '{"prompt":"')],
];

test('Endless answers, events, lists and vocabularies are cut off with a message.', async (t) => {
  const client = engineOf();
  let answer: (response: ServerResponse) => unknown = () => undefined;
  const server = await startChat(t, (response) => void answer(response));
  const cut = async (what: string, job: (heard: string[]) => Promise<unknown>) => {
    taken = 0;
    const heard: string[] = [];
    const { is } = await problemIn(job(heard));
    assert.ok(['endless', 'notUnderstood'].includes(is), `${what}: ${is}`);
    assert.ok(heard.join('').length <= 4096 && taken < 150e6, `${what}: ${taken} bytes`);
  };
  await client.load(loadParams(server.url));
  for (const [what, how] of Object.entries(answers)) {
    answer = how;
    await cut(what, (heard) => ask(client, { heard }));
  }
  for (const kind of ['llama-server', 'vllm'] as const) {
    const bytes = await startBytes(t, kind);
    const load = () => client.load(loadParams(bytes.url, { kind }));
    await load();
    const has = new Set(bytes.asked.map(({ path }) => path));
    for (const [at, tells] of looks) {
      bytes.meddle = ({ path }, response) => path === at && tells(response);
      if (has.has(at)) await cut(`${kind} ${at}`, load);
    }
    const tide = event({ content: 'tide ', tokens: [116], choices: [{ text: 'tide ', token_ids: [116] }] });
    for (const piece of [tide, event({ content: '', tokens: [], choices: [] }), ': ping\n'.repeat(1e4)]) {
      bytes.meddle = () => false;
      await load();
      bytes.meddle = ({ path }, response) => /completions?$/.test(path) && pour(streams(response), piece.repeat(50));
      await cut(`${kind} ${piece.slice(0, 60)}`, (heard) => ask(client, { heard }));
    }
  }
  const llama = await startBytes(t);
  for (const n_vocab of [1_000_001, 1e8, 2e9, Number.MAX_SAFE_INTEGER]) {
    const listed = JSON.stringify({ data: [{ id: 'm', meta: { n_vocab } }] });
    llama.meddle = ({ path }, response) => path === '/v1/models' && response.end(listed) !== null;
    await cut(`${n_vocab} tokens`, () => client.load(loadParams(llama.url, { kind: 'llama-server' })));
  }
  assert.ok(llama.asked.every(({ path }) => path !== '/tokenize'));
});

test('After 20 seconds without text or progress you are told, and Stop ends it.', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let seconds = 0;
  let onSecond: (second: number) => void = () => undefined;
  // A second of the host is over when the engine has beaten once more.
  const client = engineOf(join(import.meta.dirname, 'fastBeats.ts'), (child) =>
    child.on('message', ({ method }: { readonly method?: string }) => {
      if (method !== 'alive') return;
      seconds += 1;
      onSecond(seconds);
      setImmediate(() => t.mock.timers.tick(1000));
    }),
  );
  const told: (number | null)[] = [];
  client.quiet.subscribe((silent) => told.push(silent));
  let answer: (response: ServerResponse) => void = () => undefined;
  const [server, bytes] = [await startChat(t, (response) => answer(response)), await startBytes(t)];
  bytes.meddle = ({ path }, response) => path === '/completion' && [answer(response)].length > 0;
  const each = (every: number, act: (second: number) => void) => {
    onSecond = (second) => void (second % every === 0 && act(second));
  };
  const progress = (processed: number) => event({ prompt_progress: { total: 90, cache: 0, processed, time_ms: 1 } });
  const repeats = (piece: string) => (response: ServerResponse) => each(3, () => response.write(piece));
  for (const [url, ways] of [
    [
      server.url,
      ['', ': ping\n\n', delta({ content: '' }), delta({ role: 'assistant' }), event({ choices: [], usage: {} })],
    ],
    [bytes.url, ['', ': ping\n\n', progress(7), event({ content: '', tokens: [] })]],
  ] as const) {
    await client.load(loadParams(url));
    const { pid } = client;
    for (const piece of ways) {
      [told.length, seconds, onSecond] = [0, 0, () => undefined];
      let isLeft = false;
      answer = (response) => {
        response.on('close', () => (isLeft = true));
        if (piece !== '') repeats(piece)(streams(response));
      };
      const stop = new AbortController();
      const asked = ask(client, { signal: stop.signal });
      await until(() => told.length > 0 || seconds > 40);
      assert.equal(told[0], 20, piece);
      stop.abort();
      assert.equal((await asked).stop, 'cancelled', piece);
      await until(() => isLeft);
      assert.equal(client.pid, pid);
    }
    // A word, or progress, each fifteen seconds.
    [told.length, seconds] = [0, 0];
    answer = (response) => {
      streams(response);
      each(15, (second) => {
        if (second > 60) response.end(delta({ content: '' }, 'stop'));
        else response.write(url === server.url ? delta({ content: 'tide ' }) : progress(second));
      });
    };
    await ask(client).catch(() => undefined);
    assert.deepEqual([told, seconds > 60], [[], true], url);
  }
});

test('If a refusal names a window from 1,024 tokens to the known one, the prompt is trimmed to it and sent once more.', async (t) => {
  /** Characters of each prompt that came, and the window that each refusal names; null where there is none. */
  const sizes: number[] = [];
  let names: () => number | string | null = () => null;
  const server = await startChat(
    t,
    (response, body) => {
      sizes.push(JSON.stringify(body).length);
      const window = names();
      if (window === null) return says(response, delta({ content: 'Here.' }));
      const message = `This model's maximum context length is ${window} tokens. However, you requested 9000 tokens.`;
      response.writeHead(400, json).end(JSON.stringify({ error: { message } }));
    },
    { max_model_len: 4096 },
  );
  const folder = folderWith(t, { 'long.md': 'The tide comes and goes. '.repeat(600), 'a.ts': 'export const a = 1;\n' });
  const args = ['--engine', server.url, '--workspace', folder, '--attach', join(folder, 'long.md')];
  const asked = async (how: typeof names) => {
    [sizes.length, names] = [0, how];
    const { out, err } = await command('ask', ...args, '--graph', 'unified', '--json', 'What is in a.ts?');
    return out === '' ? err : JSON.parse(out).report;
  };
  const { budget, total } = await asked(() => (sizes.length === 1 ? 2048 : null));
  assert.deepEqual([budget.window, sizes.length, total <= budget.high], [2048, 2, true]);
  assert.ok((sizes[1] ?? 0) < 0.8 * (sizes[0] ?? 0), `${sizes}`);
  assert.match(await asked(() => 1023), /\nThe prompt is too long: 9,000 tokens/);
  assert.equal(sizes.length, 1);
  assert.match(await asked(() => 4096 - 64 * sizes.length), /\nThe prompt is too long: 9,000 tokens/);
  assert.equal(sizes.length, 2);
  const client = engineOf();
  const learned: number[] = [];
  client.narrowed.subscribe((window) => learned.push(window));
  for (const [name, is] of [
    [1024, [1024]],
    ['4,095', [4095]],
    [1023, []],
    [1, []],
    [0, []],
    [-2048, []],
    [4096, []],
    [8192, []],
    [2 ** 53, []],
    ['9'.repeat(400), []],
    ['two thousand', []],
  ] as const) {
    names = () => name;
    await client.load(loadParams(server.url));
    learned.length = 0;
    for (let times = 0; times < 2; times++) await assert.rejects(ask(client), /The prompt is too long/);
    assert.deepEqual(learned, is, `${name}`);
  }
});

test('A silent server is waited for up to an hour, or while it seems at work; one that takes token ids gets the whole conversation.', async (t) => {
  const words = new EventEmitter();
  const slow = await startChat(t, (response) => {
    streams(response);
    words.once('word', () => response.end(`${delta({ content: 'Here.' })}${delta({}, 'stop')}`));
  });
  const busy = await startBytes(t);
  busy.meddle = ({ path }, response) => {
    if (path === '/slots') response.end('[{"is_processing":true}]');
    return path === '/slots' || path === '/completion';
  };
  const timers = byHand(t);
  // All but the looks at a silent server has a limit that runs as it does.
  const patience = { short: 10_000, long: 20_000 };
  /** Asks a question and returns the seconds that were waited and how it ended; `looked` runs after each look at the server. */
  const waits = async (url: string, looked: (seconds: number, stop: AbortController) => void) => {
    const engine = await openServer(serverParams(url), { slots: 1, contextSize: 4096 }, patience);
    const [stop, sampling] = [new AbortController(), { temperature: 0, seed: null }];
    const params = { slot: 0, prompt: question, maxTokens: 8, toolCalls: 'auto', reuse: 'exact', sampling } as const;
    const heard = { onText: () => undefined, onProgress: () => undefined };
    let [ended, waited] = ['', 0];
    engine.generate(params, await engine.tokens(question), null, heard, stop.signal).then(
      (generation) => (ended = `${generation.stop} ${generation.raw}`),
      (error: unknown) => (ended = wordFault(faultOf(error)).message),
    );
    while (ended === '') {
      await until(() => ended !== '' || timers.size === 1);
      for (const [timer, { run, seconds }] of timers) {
        timers.delete(timer);
        waited += seconds;
        run();
      }
      looked(waited, stop);
    }
    await engine.dispose();
    return `${waited}: ${ended}`;
  };
  assert.match(await waits(slow.url, () => undefined), /^3600: The server at .* has not answered for \d+ seconds/);
  assert.match(await waits(slow.url, (seconds) => seconds === 3580 && words.emit('word')), /^3580: end Here\.$/);
  assert.match(await waits(busy.url, (seconds, stop) => seconds === 7200 && stop.abort()), /^7200: cancelled $/);
  // Unless a test says otherwise it looks as often.
  const engine = await openServer(serverParams(busy.url), { slots: 1, contextSize: 4096 });
  t.after(() => engine.dispose());
  const prompt = everywhere('barnacle');
  const params = {
    slot: 0,
    prompt,
    maxTokens: 8,
    toolCalls: 'auto',
    reuse: 'auto',
    sampling: { temperature: 0, seed: null },
  } as const;
  const heard = { onText: () => undefined, onProgress: () => undefined };
  const leaving = new AbortController();
  const left = engine.generate(params, await engine.tokens(prompt), null, heard, leaving.signal);
  await until(() => promptsAt(busy).length > 1);
  assert.deepEqual(
    [...timers.values()].map(({ seconds }) => seconds),
    [20],
  );
  leaving.abort();
  assert.equal((await left).stop, 'cancelled');
  const sent = textOf(promptsAt(busy).at(-1) ?? []);
  for (const { text } of prompt.messages.flatMap(({ segments }) => segments)) assert.ok(sent.includes(text), sent);
});
