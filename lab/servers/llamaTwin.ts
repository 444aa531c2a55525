// A twin of llama-server: it speaks its wire over the pocket model in this process, so that tests need no server built. It is a twin, not
// llama-server: what holds with it is measured with the real one by `npm run bench -- remote`.
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { openTwinModel, type TwinModel } from './twinModel.ts';
import { type Body, type Route, startTwinServer, type TwinServer } from './twinServer.ts';

export interface Twin extends TwinServer {
  readonly model: TwinModel;
  /** Fields of `/props` that are added to its own or replace them. */
  props: Body;
  /** Puts the twin back as it was when it started. */
  reset(): Promise<void>;
}

const pocket = fileURLToPath(new URL('../../test/fixtures/pocket.gguf', import.meta.url));

export async function startLlamaTwin({ window = 2048, slots = 2, file = pocket } = {}): Promise<Twin> {
  const model = await openTwinModel(file, { window, slots });
  const used = new Set<number>();
  const busy = new Set<number>();
  const routes: Readonly<Record<string, Route>> = {
    '/health': () => ({ status: 'ok' }),
    '/props': () => ({
      default_generation_settings: { n_ctx: window },
      total_slots: slots,
      model_alias: 'pocket',
      model_path: file,
      chat_template: model.template,
      bos_token: model.bos,
      eos_token: model.eos,
      build_info: 'twin',
      ...twin.props,
    }),
    '/v1/models': () => ({
      data: [{ id: 'pocket', meta: { n_vocab: model.pieces.length, n_ctx_train: window, size: 1 } }],
    }),
    '/slots': () =>
      Array.from({ length: slots }, (_, id) => ({
        id,
        is_processing: busy.has(id),
        ...(used.has(id) ? { id_task: 1 } : {}),
      })),
    '/tokenize': (body) => ({ tokens: tokensOf(model, body) }),
    '/completion': async (body, response) => {
      const slot = Number(body.id_slot ?? 0);
      used.add(slot);
      busy.add(slot);
      await complete(model, { ...body, id_slot: slot }, response).finally(() => busy.delete(slot));
      return undefined;
    },
  };
  const server = await startTwinServer(
    routes,
    () => ({ error: { message: 'File Not Found' } }),
    () => model.close(),
  );
  const twin: Twin = Object.assign(server, {
    model,
    props: {},
    reset: async () => {
      Object.assign(twin, { props: {}, meddle: () => false });
      for (let slot = 0; slot < slots; slot++) await model.evict(slot);
      used.clear();
      twin.asked.length = 0;
    },
  });
  return twin;
}

function tokensOf(model: TwinModel, { content, parse_special: special = true, with_pieces: pieces = false }: Body) {
  const parts = Array.isArray(content) ? content : [content];
  const ids = parts.flatMap((part) =>
    typeof part === 'number' ? [part] : model.tokenise(String(part), special === true),
  );
  return pieces === true ? ids.map((id) => ({ id, piece: pieceOf(model.pieces[id] ?? new Uint8Array()) })) : ids;
}

function pieceOf(bytes: Uint8Array): string | readonly number[] {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return [...bytes];
  }
}

/** Writes a completion as llama-server does: a token that ends within a character gets no event, and the end is told like any token, without text. */
async function complete(model: TwinModel, body: Body, response: ServerResponse): Promise<void> {
  const ids = body.prompt as readonly number[];
  const slot = Number(body.id_slot);
  const leaving = new AbortController();
  response.on('close', () => leaving.abort());
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const cached = model.cached(slot, ids);
  const common = { tokens_evaluated: ids.length, stop: false };
  const tell = (event: object) => response.write(`data: ${JSON.stringify({ ...common, ...event })}\n\n`);
  const progress = (processed: number) =>
    tell({ tokens: [0], content: '', prompt_progress: { total: ids.length, cache: cached, processed, time_ms: 1 } });
  progress(cached);
  const banned = ((body.logit_bias ?? []) as readonly (readonly [number, unknown])[]).map(([id]) => id);
  const grammar = typeof body.grammar === 'string' ? body.grammar : undefined;
  const request = { ids, maxTokens: Number(body.n_predict), grammar, banned, slot };
  let [written, last, open]: [number, number, Uint8Array[]] = [0, -1, []];
  for await (const id of model.complete(request, leaving.signal)) {
    if (written === 0) progress(ids.length);
    written += 1;
    last = id;
    open.push(model.pieces[id] ?? new Uint8Array());
    const text = Buffer.concat(open).toString('utf8');
    if (id !== model.eosId && text.endsWith('\uFFFD')) continue;
    const told = body.n_probs === 1 ? { completion_probabilities: [{ id, logprob: Math.log(0.5) }] } : {};
    tell({ content: id === model.eosId ? '' : text, tokens: [id], tokens_predicted: written, ...told });
    open = [];
  }
  if (leaving.signal.aborted) return;
  const timings = { cache_n: cached, prompt_n: ids.length - cached };
  tell({ stop: true, tokens: [], content: '', stop_type: last === model.eosId ? 'eos' : 'limit', timings });
  response.end();
}
