// A twin of vLLM: it speaks its wire over the pocket model in this process. It is a twin, not vLLM: special strings act in any text, as they do
// there, and prompts are kept in blocks.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Asked, Meddle } from './llamaTwin.ts';
import { pocketPath } from './serverParams.ts';
import { openTwinModel, type TwinModel } from './twinModel.ts';

export interface VllmTwin {
  readonly url: string;
  readonly model: TwinModel;
  readonly asked: Asked[];
  meddle: Meddle;
  stop(): Promise<void>;
}

const block = 16;

export async function startVllmTwin({ window = 2048 } = {}): Promise<VllmTwin> {
  const model = await openTwinModel(pocketPath, { window, slots: 1 });
  const decoder = new TextDecoder();
  const textOf = (ids: readonly number[]) =>
    decoder.decode(Buffer.concat(ids.map((id) => model.pieces[id] ?? new Uint8Array())));
  const routes: Readonly<Record<string, (body: Asked['body']) => object>> = {
    '/health': () => ({}),
    '/version': () => ({ version: 'twin' }),
    '/v1/models': () => ({ data: [{ id: 'pocket', root: 'pocket', max_model_len: window }] }),
    '/tokenizer_info': () => ({
      chat_template: model.template,
      bos_token: model.bos,
      eos_token: { content: model.eos },
    }),
    '/tokenize': ({ prompt }) => ({ tokens: model.tokenise(String(prompt), true), max_model_len: window }),
    '/detokenize': ({ tokens }) => ({ prompt: textOf(tokens as number[]) }),
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const body = (text === '' ? {} : JSON.parse(text)) as Asked['body'];
    const asked = { path: new URL(request.url ?? '/', 'http://twin').pathname, body, headers: request.headers };
    twin.asked.push(asked);
    if (await twin.meddle(asked, response)) return;
    if (asked.path === '/v1/completions') return complete(model, body, response, textOf);
    if (asked.path === '/v1/chat/completions') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void response.end(
        'data: {"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      );
    }
    const made = routes[asked.path]?.(body);
    response.writeHead(made === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(made ?? { detail: 'Not Found' }));
  };
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(JSON.stringify({ error: { message: String(error) } }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const twin: VllmTwin = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    model,
    asked: [],
    meddle: () => false,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await model.close();
    },
  };
  return twin;
}

/** Text comes in whole characters, with all ids since the one before; the id that ends it comes with the last event, without text. */
async function complete(
  model: TwinModel,
  body: Asked['body'],
  response: ServerResponse,
  textOf: (ids: readonly number[]) => string,
): Promise<void> {
  const ids = body.prompt as readonly number[];
  const leaving = new AbortController();
  response.on('close', () => leaving.abort());
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const held = model.cached(0, ids);
  const cached = held - (held % block);
  const tell = (choices: readonly object[], written: number) => {
    const usage = { prompt_tokens: ids.length, completion_tokens: written };
    const whole = choices.length > 0 ? usage : { ...usage, prompt_tokens_details: { cached_tokens: cached } };
    response.write(`data: ${JSON.stringify({ choices, usage: whole })}\n\n`);
  };
  const { grammar } = (body.structured_outputs ?? {}) as { readonly grammar?: string };
  const banned = Object.keys((body.logit_bias ?? {}) as object).map(Number);
  const request = { ids, maxTokens: Number(body.max_tokens), grammar, banned, slot: 0 };
  let [open, written, last]: [number[], number, number] = [[], 0, -1];
  const event = (text: string, reason: string | null) => {
    const first = written === open.length ? { prompt_token_ids: ids } : {};
    tell([{ text, token_ids: open, finish_reason: reason, stop_reason: null, ...first }], written);
    open = [];
  };
  for await (const id of model.complete(request, leaving.signal)) {
    written += 1;
    last = id;
    open.push(id);
    const text = id === model.eosId ? textOf(open.slice(0, -1)) : textOf(open);
    if (id !== model.eosId && !text.endsWith('\uFFFD')) event(text, null);
  }
  if (leaving.signal.aborted) return;
  event(last === model.eosId ? textOf(open.slice(0, -1)) : '', last === model.eosId ? 'stop' : 'length');
  tell([], written);
  response.end('data: [DONE]\n\n');
}
