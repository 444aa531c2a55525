// A twin of vLLM: it speaks its wire over the pocket model in this process. It is a twin, not vLLM: special strings act in any text, as they do
// there, and prompts are kept in blocks.
import type { ServerResponse } from 'node:http';
import { pocketPath } from './serverParams.ts';
import { openTwinModel, type TwinModel } from './twinModel.ts';
import { type Asked, type Route, startTwinServer, type TwinServer } from './twinServer.ts';

export interface VllmTwin extends TwinServer {
  readonly model: TwinModel;
  /** Settings that a test may change at any time; `reset` makes them as they were. */
  readonly told: Told;
  reset(): Promise<void>;
}

interface Told {
  template: string;
  /** Strings that the twin matches in any text, by id; undefined where it does not tell them. */
  added: Readonly<Record<string, string>> | undefined;
  /** Tokens in one event at least. */
  merged: number;
}

const block = 16;

export async function startVllmTwin({ window = 2048 } = {}): Promise<VllmTwin> {
  const model = await openTwinModel(pocketPath, { window, slots: 1 });
  const first: Told = { template: model.template, added: addedIn(model), merged: 1 };
  const told = { ...first };
  const decoder = new TextDecoder();
  const textOf = (ids: readonly number[]) =>
    decoder.decode(Buffer.concat(ids.map((id) => model.pieces[id] ?? new Uint8Array())));
  const routes: Readonly<Record<string, Route>> = {
    '/health': () => ({}),
    '/version': () => ({ version: 'twin' }),
    '/v1/models': () => ({ data: [{ id: 'pocket', root: 'pocket', max_model_len: window }] }),
    '/tokenizer_info': () => ({
      chat_template: told.template,
      added_tokens_decoder: told.added,
      bos_token: model.bos,
      eos_token: { content: model.eos },
    }),
    // Messages become ids of the template: another one has others.
    '/tokenize': ({ prompt, messages }) => ({
      tokens: model.tokenise(messages === undefined ? String(prompt) : told.template, true),
      max_model_len: window,
    }),
    '/detokenize': ({ tokens }) => ({ prompt: textOf(tokens as number[]) }),
    '/v1/completions': (body, response) => complete(model, body, response, { textOf, merged: told.merged }),
    '/v1/chat/completions': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: {"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
    },
  };
  const server = await startTwinServer(
    routes,
    () => ({ detail: 'Not Found' }),
    () => model.close(),
  );
  const reset = async () => {
    Object.assign(server, { meddle: () => false });
    Object.assign(told, first);
    server.asked.length = 0;
    await model.evict(0);
  };
  return Object.assign(server, { model, told, reset });
}

/** Text comes in whole characters, with all ids since the one before; the id that ends it comes with the last event, without text. */
async function complete(
  model: TwinModel,
  body: Asked['body'],
  response: ServerResponse,
  { textOf, merged }: { readonly textOf: (ids: readonly number[]) => string; readonly merged: number },
): Promise<void> {
  const ids = body.prompt as readonly number[];
  const leaving = new AbortController();
  response.on('close', () => leaving.abort());
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const shared = model.cached(0, ids);
  const cached = shared - (shared % block);
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
    if (id !== model.eosId && open.length >= merged && !text.endsWith('\uFFFD')) event(text, null);
  }
  if (leaving.signal.aborted) return;
  event(textOf(last === model.eosId ? open.slice(0, -1) : open), last === model.eosId ? 'stop' : 'length');
  tell([], written);
  response.end('data: [DONE]\n\n');
}

/** Returns the strings that the model matches in any text, by id, as a tokenizer's file names them. */
function addedIn(model: TwinModel): Readonly<Record<string, string>> {
  const decoder = new TextDecoder();
  const all = model.pieces.map((bytes, id) => [id, decoder.decode(bytes)] as const);
  const added = all.filter(([id, text]) => {
    const [acting, plain] = [model.tokenise(text, true), model.tokenise(text, false)].map((ids) => ids.join());
    return acting === String(id) && (plain !== acting || /^<.+>$/.test(text));
  });
  return Object.fromEntries(added);
}
