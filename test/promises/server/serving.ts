// Servers and engines for the promises about them: a server with chat completions that answers as a test says, and an engine process on it.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { chat, message } from '../../../lab/servers/prompts.ts';
import { serverParams } from '../../../lab/servers/serverParams.ts';
import { type Route, startTwinServer, type TwinServer } from '../../../lab/servers/twinServer.ts';
import { FaultError, wordFault } from '../../../src/core/faults/faults.ts';
import type { ServerProblem } from '../../../src/core/faults/serverFaults.ts';
import { EngineClient } from '../../../src/engine/client.ts';
import { forkEngine } from '../../../src/engine/fork.ts';
import type { LoadParams, ServerParams } from '../../../src/protocol/engine.ts';

export const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
export const delta = (said: object, finish_reason: string | null = null) =>
  event({ choices: [{ delta: said, finish_reason }] });
export const done = `${delta({}, 'stop')}data: [DONE]\n\n`;

export function streams(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' });
}

/** Says this and ends. */
export const says = (response: ServerResponse, ...events: readonly string[]) =>
  void streams(response).end([...events, done].join(''));

export type Answer = (response: ServerResponse, body: Parameters<Route>[0]) => void;

/** A server with chat completions; what finds out what it takes is answered, so that `answer` has the questions alone. */
export async function startChat(t: TestContext, answer: Answer, model: object = {}): Promise<TwinServer> {
  const complete: Route = (body, response) => {
    if (JSON.stringify(body).includes('"Hello."')) says(response, delta({ content: 'Hi.' }));
    else answer(response, body);
    return undefined;
  };
  const routes = { '/v1/models': () => ({ data: [{ id: 'm', ...model }] }), '/v1/chat/completions': complete };
  const server = await startTwinServer(
    routes,
    (path) => ({ error: { message: `no ${path}` } }),
    async () => undefined,
  );
  t.after(() => server.stop());
  return server;
}

const worker = join(import.meta.dirname, '../../../src/engine/worker/main.ts');

/** An engine process that ends with the file's tests; `started` has it. */
export function engineOf(script = worker, started: (child: ChildProcess) => void = () => undefined): EngineClient {
  const client = new EngineClient(() => {
    const child = forkEngine(script);
    started(child);
    return child;
  });
  after(() => client.dispose());
  return client;
}

export function loadParams(url: string, more: Partial<ServerParams> = {}): LoadParams {
  const machine = { modelPath: '', contextSize: 4096, gpu: 'off', gpuLayers: null, threads: 1, slots: 1 } as const;
  return { ...machine, server: { ...serverParams(url), ...more } };
}

export const greedy = { temperature: 0, seed: 1 };
export const question = chat(message('user', 'Where is the tide computed?'));

/** A conversation with a text in each place that others write. */
export function everywhere(text: string): ReturnType<typeof chat> {
  const segment = (part: 'text' | 'stub' | 'body', words: string) =>
    ({ layer: 'history', item: 'i', part, text: words }) as const;
  const calls = [{ id: 'c', name: 'look', arguments: { path: text, [text]: [text] } }];
  return {
    ...chat(
      message('user', `Why ${text}?`),
      { role: 'assistant', segments: [{ ...segment('text', text), calls }] },
      {
        role: 'tool',
        segments: [segment('stub', `1 line: ${text}`), segment('body', text)],
        call: { id: 'c', tool: 'look' },
      },
      message('user', `${text}${text}`),
    ),
    tools: [
      {
        name: 'look',
        description: text,
        parameters: { type: 'object', properties: { path: { type: 'string', description: text } }, required: [] },
      },
    ],
  };
}

interface Asking {
  readonly heard?: string[];
  readonly signal?: AbortSignal;
  readonly prompt?: typeof question;
}

export function ask(client: EngineClient, { heard = [], signal, prompt = question }: Asking = {}) {
  const request = { prompt, maxTokens: 32, toolCalls: 'auto', reuse: 'auto' } as const;
  const never = new AbortController().signal;
  return client.model(0, greedy).generate(request, (text) => void heard.push(text), signal ?? never);
}

/** Returns the server's problem that the promise fails with, once its message and advice are seen to be in words. */
export async function problemIn(promise: Promise<unknown>): Promise<ServerProblem> {
  const error = await promise.then(
    () => new Error('it did not fail'),
    (failure: unknown) => failure,
  );
  if (!(error instanceof FaultError) || error.fault.kind !== 'server') throw error;
  const { message: said, advice } = wordFault(error.fault);
  assert.ok(said.length > 10 && advice.length > 10);
  return error.fault.problem;
}

/** The timers of more than ten seconds, which run when a test says so; shorter ones are none of the engine's. */
export function byHand(t: TestContext) {
  const timers = new Map<object, { readonly run: () => void; readonly seconds: number }>();
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  t.mock.method(globalThis, 'setTimeout', (run: () => void, milliseconds: number) => {
    if (milliseconds <= 10_000) return set(run, milliseconds);
    const timer = { unref: () => timer, refresh: () => timer };
    timers.set(timer, { run, seconds: milliseconds / 1000 });
    return timer;
  });
  t.mock.method(globalThis, 'clearTimeout', (timer: NodeJS.Timeout) => void (timers.delete(timer) || clear(timer)));
  return timers;
}
