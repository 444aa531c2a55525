// llama-server of llama.cpp: ids there and back by /completion, texts by /tokenize, the model and its template by /props.
// Source: tools/server/README.md of llama.cpp.
import { createHash } from 'node:crypto';
import { faultOf } from '../../core/faults/faults.ts';
import type { LoadParams, ServerParams } from '../../protocol/engine.ts';
import type { Completion, CompletionHeard, CompletionRequest, ExactServer, ServerFacts } from './exactServer.ts';
import type { Http } from './http.ts';
import { type IdsByBytes, idsByBytes, missingIds } from './missingIds.ts';
import { countOf, idsOf, type Shape, shapeOf, textOf } from './shape.ts';
import { Silence } from './silence.ts';

/** Characters of texts in one request. */
const mostText = 2_000_000;
/** Seconds between two signs of life while nothing else is sent; servers before 2026 know none. */
const pingSeconds = 5;
/** Tokens that may come behind the last one asked for: the server ends within a character only at its end. */
const slack = 8;

export async function openLlamaServer(
  http: Http,
  { slot }: ServerParams,
  { slots, conversations = 1 }: Pick<LoadParams, 'slots' | 'conversations'>,
): Promise<ExactServer> {
  const props = shapeOf(await http.json('/props'));
  const meta = shapeOf(shapeOf(listOf(shapeOf(await http.json('/v1/models')).data)[0]).meta);
  const vocabulary = countOf(meta.n_vocab);
  const window = countOf(shapeOf(props.default_generation_settings).n_ctx);
  if (vocabulary === null || window === null || window === 0)
    throw http.fault({ is: 'notUnderstood', reason: 'it does not tell its window and its vocabulary' });
  const pieces = await piecesOf(http, vocabulary);
  const total = countOf(props.total_slots) ?? 1;
  const ownSlots = await freeSlots(http, { slot, total, wanted: slots * conversations });
  const facts: ServerFacts = {
    model: nameOf(props),
    identity: hashOf([textOf(props.model_path), textOf(props.chat_template), JSON.stringify(meta)], pieces),
    window,
    trainedWindow: countOf(meta.n_ctx_train) ?? window,
    bytes: countOf(meta.size) ?? 0,
    chatTemplate: textOf(props.chat_template) || null,
    bos: textOf(props.bos_token),
    eos: textOf(props.eos_token),
    software: `llama-server ${textOf(props.build_info)}`.trim(),
    ownSlots,
    slots: ownSlots?.length ?? Math.min(total, slots * conversations),
  };
  return new LlamaServer(http, facts, pieces, identityOf(props));
}

class LlamaServer implements ExactServer {
  readonly facts: ServerFacts;
  readonly pieces: readonly Uint8Array[];
  private readonly http: Http;
  private readonly was: string;
  private readonly known: IdsByBytes;
  /** An id that no text becomes, to stand between texts; null before it was looked for. */
  private divider: number | null = null;

  constructor(http: Http, facts: ServerFacts, pieces: readonly Uint8Array[], was: string) {
    this.http = http;
    this.facts = facts;
    this.pieces = pieces;
    this.was = was;
    this.known = idsByBytes(pieces);
  }

  async check(signal?: AbortSignal): Promise<void> {
    const now = identityOf(shapeOf(await this.http.json('/props', null, signal)));
    if (now === this.was) return;
    const [was, is] = [JSON.parse(this.was) as Shape, JSON.parse(now) as Shape];
    const changed = Object.keys(is).find((key) => JSON.stringify(was[key]) !== JSON.stringify(is[key])) ?? '';
    throw this.http.fault({ is: 'changed', what: `its ${changed} changed` });
  }

  async tokenise(
    texts: readonly string[],
    special: boolean,
    signal?: AbortSignal,
  ): Promise<readonly (readonly number[])[]> {
    const divider = await this.dividerOf(signal);
    const found: (readonly number[])[] = [];
    const { bos, eos } = this.facts;
    // What stands between texts must not stand in one.
    const isAlone = (text: string) => special && [bos, eos].some((end) => end !== '' && text.includes(end));
    for (const some of batches(texts, isAlone)) {
      const content = some.flatMap((text, i) => (i === 0 ? [text] : [divider, text]));
      const answer = shapeOf(await this.http.json('/tokenize', { content, parse_special: special }, signal));
      const ids = idsOf(answer.tokens);
      if (ids === null) throw this.http.fault({ is: 'notUnderstood', reason: '/tokenize gives no token ids' });
      const parts = some.length === 1 ? [ids] : splitAt(ids, divider);
      if (parts.length !== some.length)
        throw this.http.fault({ is: 'otherTokens', reason: `${some.length} texts came back as ${parts.length}` });
      for (const part of parts) found.push(part);
    }
    return found;
  }

  async complete(request: CompletionRequest, heard: CompletionHeard, signal: AbortSignal): Promise<Completion> {
    const { http } = this;
    const leaving = new AbortController();
    const silence = new Silence(http, leaving);
    const reader = new StreamReader(this, request);
    try {
      const both = AbortSignal.any([signal, leaving.signal]);
      for await (const event of http.events('/completion', bodyOf(request), () => silence.heard(), both)) {
        const { ids, progress, done } = reader.read(shapeOf(event));
        if (progress !== null) heard.onProgress(progress);
        if (ids.length > 0 && !heard.onIds(ids)) return { ...reader.counts, stop: 'left' };
        if (done !== null) return done;
      }
      throw http.fault({ is: 'cut' });
    } catch (error) {
      if (stumbled(error)) return { ...reader.counts, stop: 'broken' };
      throw silence.fault ?? error;
    } finally {
      silence.stop();
      // A stream that is left half way goes on at the server until its connection is closed.
      leaving.abort();
    }
  }

  close(): Promise<void> {
    return this.http.close();
  }

  /** The ids of an event: the one that it tells, behind those that were left out before it. */
  idsOfEvent(content: string, ids: readonly number[], missing: number): readonly number[] {
    const [last] = ids;
    if (last === undefined || missing === 0) return ids;
    const before = missingIds(content, last, missing, { pieces: this.pieces, known: this.known });
    if (before === null) throw this.otherTokens(`${missing} ids of its answer are not told`);
    return [...before, last];
  }

  otherTokens(reason: string) {
    return this.http.fault({ is: 'otherTokens', reason });
  }

  endless(tokens: number) {
    return this.http.fault({ is: 'endless', tokens });
  }

  private async dividerOf(signal: AbortSignal | undefined): Promise<number> {
    if (this.divider !== null) return this.divider;
    const { eos, bos } = this.facts;
    for (const content of [eos, bos].filter((text) => text !== '')) {
      const answer = shapeOf(await this.http.json('/tokenize', { content, parse_special: true }, signal));
      const ids = idsOf(answer.tokens) ?? [];
      if (ids.length === 1 && ids[0] !== undefined) {
        this.divider = ids[0];
        return ids[0];
      }
    }
    throw this.otherTokens('it has no token that ends a text');
  }
}

/** Follows the events of one completion. */
class StreamReader {
  counts: Pick<Completion, 'cached' | 'decoded'> = { cached: null, decoded: null };
  private readonly server: LlamaServer;
  private readonly request: CompletionRequest;
  private taken = 0;
  /** A token without text: what ends the generation, if nothing follows. */
  private held: readonly number[] = [];

  constructor(server: LlamaServer, request: CompletionRequest) {
    this.server = server;
    this.request = request;
  }

  read(event: Shape) {
    const { ids: prompt, maxTokens } = this.request;
    const evaluated = countOf(event.tokens_evaluated);
    if (evaluated !== null && evaluated !== prompt.length)
      throw this.server.otherTokens(`it was sent ${prompt.length} and counts ${evaluated}`);
    if (event.stop === true) return this.end(event);
    if (event.prompt_progress !== undefined) return { ids: [], progress: this.progress(event), done: null };
    const told = idsOf(event.tokens) ?? [];
    const written = countOf(event.tokens_predicted) ?? this.taken + told.length;
    if (written > maxTokens + slack) throw this.server.endless(maxTokens);
    const content = textOf(event.content);
    const found = this.server.idsOfEvent(content, told, Math.max(0, written - this.taken - told.length));
    this.taken = written;
    // Asked for none, it draws one all the same.
    if (maxTokens === 0) return { ids: [], progress: null, done: null };
    const ids = [...this.held, ...(content === '' ? [] : found)];
    this.held = content === '' ? found : [];
    return { ids, progress: null, done: null };
  }

  private end(event: Shape) {
    const timings = shapeOf(event.timings);
    this.counts = { cached: countOf(timings.cache_n), decoded: countOf(timings.prompt_n) };
    const { cached, decoded } = this.counts;
    if (cached !== null && decoded !== null && cached + decoded !== this.request.ids.length)
      throw this.server.otherTokens(`of ${this.request.ids.length} it reused ${cached} and decoded ${decoded}`);
    if (event.truncated === true && this.taken === 0) throw this.server.otherTokens('it cut the prompt');
    const isOver = event.stop_type === 'eos';
    const done: Completion = { ...this.counts, stop: isOver ? 'end' : 'length' };
    return { ids: isOver ? [] : this.held, progress: null, done };
  }

  private progress(event: Shape) {
    const { total, cache, processed, time_ms: milliseconds } = shapeOf(event.prompt_progress);
    const cached = countOf(cache) ?? 0;
    const done = Math.max(cached, countOf(processed) ?? 0);
    this.counts = { cached, decoded: done - cached };
    const of = countOf(total) ?? this.request.ids.length;
    return { done, of, decoded: done - cached, milliseconds: typeof milliseconds === 'number' ? milliseconds : 0 };
  }
}

/** It parses each answer as a chat, and fails where one ends within a character. */
function stumbled(error: unknown): boolean {
  const fault = faultOf(error);
  return (
    fault.kind === 'server' && fault.problem.is === 'failed' && /does not match the expected/.test(fault.problem.reason)
  );
}

function bodyOf({ ids, maxTokens, grammar, banned, sampling, slot }: CompletionRequest) {
  const { temperature, topK, topP, minP, repeatPenalty, seed } = sampling;
  return {
    prompt: ids,
    n_predict: maxTokens,
    stream: true,
    cache_prompt: true,
    // What stands behind erased tokens would be approximate, and nobody said so.
    n_cache_reuse: 0,
    return_tokens: true,
    return_progress: true,
    sse_ping_interval: pingSeconds,
    ...(slot === null ? {} : { id_slot: slot }),
    ...(grammar === null ? {} : { grammar }),
    logit_bias: banned.map((id) => [id, false]),
    temperature,
    top_k: topK,
    top_p: topP,
    min_p: minP,
    repeat_penalty: repeatPenalty,
    ...(seed === null ? {} : { seed }),
    // Whatever the server was started with.
    samplers: ['penalties', 'top_k', 'top_p', 'min_p', 'temperature'],
    frequency_penalty: 0,
    presence_penalty: 0,
    dynatemp_range: 0,
    mirostat: 0,
    ignore_eos: false,
    stop: [],
  };
}

/** What must not change between two calls, as JSON, by names for the user. */
function identityOf(props: Shape): string {
  return JSON.stringify({
    model: [props.model_path, props.model_alias],
    window: shapeOf(props.default_generation_settings).n_ctx,
    slots: props.total_slots,
    'chat template': props.chat_template,
    'end of text': [props.bos_token, props.eos_token],
    build: props.build_info,
  });
}

function nameOf(props: Shape): string {
  const alias = textOf(props.model_alias) || textOf(props.model_path) || 'model';
  return (alias.split(/[\\/]/).at(-1) ?? alias).replace(/\.gguf$/, '');
}

function hashOf(words: readonly string[], pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha256').update(JSON.stringify(words));
  for (const piece of pieces) hash.update(piece).update('\0');
  return `server:${hash.digest('hex')}`;
}

async function piecesOf(http: Http, count: number): Promise<readonly Uint8Array[]> {
  const content = Array.from({ length: count }, (_, id) => id);
  const { tokens } = shapeOf(await http.json('/tokenize', { content, with_pieces: true }));
  const pieces = listOf(tokens).map(pieceOf);
  if (pieces.length !== count || pieces.some((piece) => piece === null))
    throw http.fault({ is: 'otherTokens', reason: 'it does not tell the text of each token' });
  return pieces as readonly Uint8Array[];
}

/** Text, or bytes where those are none. */
function pieceOf(token: unknown): Uint8Array | null {
  const { piece } = shapeOf(token);
  if (typeof piece === 'string') return Buffer.from(piece, 'utf8');
  return idsOf(piece)?.every((byte) => byte < 256) === true ? Uint8Array.from(piece as number[]) : null;
}

interface Wish {
  readonly slot: number | null;
  readonly total: number;
  readonly wanted: number;
}

/** Slots that nobody has used since the server began; null where there are too few, or it does not say. */
async function freeSlots(http: Http, { slot, total, wanted }: Wish): Promise<readonly number[] | null> {
  const numbered = (first: number) => Array.from({ length: Math.min(wanted, total - first) }, (_, i) => first + i);
  if (slot !== null) {
    if (slot < total) return numbered(slot);
    throw http.fault({ is: 'badAddress', reason: `"slot" is ${slot}, and the server has ${total}, from 0` });
  }
  if (total === 1) return [0];
  const slots = await http.json('/slots').catch(() => null);
  const free = listOf(slots)
    .map(shapeOf)
    .filter(isUnused)
    .flatMap(({ id }) => countOf(id) ?? []);
  return free.length === 0 ? null : free.slice(0, wanted);
}

function isUnused({ is_processing: busy, id_task: task }: Shape): boolean {
  return busy === false && (task === undefined || task === -1);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function splitAt(ids: readonly number[], divider: number): readonly (readonly number[])[] {
  const parts: number[][] = [[]];
  for (const id of ids) {
    if (id === divider) parts.push([]);
    else parts.at(-1)?.push(id);
  }
  return parts;
}

function* batches(texts: readonly string[], isAlone: (text: string) => boolean): Generator<readonly string[]> {
  let [some, size]: [string[], number] = [[], 0];
  for (const [at, text] of texts.entries()) {
    const apart = isAlone(text) || (at > 0 && isAlone(texts[at - 1] ?? ''));
    if (some.length > 0 && (apart || size + text.length > mostText)) {
      yield some;
      [some, size] = [[], 0];
    }
    some.push(text.toWellFormed());
    size += text.length;
  }
  if (some.length > 0) yield some;
}
