// llama-server of llama.cpp: ids there and back by /completion, texts by /tokenize, the model and its template by /props.
// Source: tools/server/README.md of llama.cpp.

import { createHash } from 'node:crypto';
import { faultOf } from '../../../core/faults/faults.ts';
import type { PrefillProgress } from '../../../core/model/model.ts';
import type { LoadParams, ServerParams } from '../../../protocol/engine.ts';
import { AnswerLimit } from '../wire/answerLimit.ts';
import type { HiddenKey } from '../wire/hiddenKey.ts';
import { type Http, mostTokenBytes, streamEnd } from '../wire/http.ts';
import type { ServerCounts } from '../wire/remoteSlot.ts';
import { asCount, asIds, asList, asName, asShape, asSize, asText, modelsIn, type Shape } from '../wire/shape.ts';
import { Silence } from '../wire/silence.ts';
import {
  type CompletionHeard,
  type CompletionRequest,
  type ExactServer,
  type LearnedVocabulary,
  largestVocabulary,
  type ServerCompletion,
  type ServerFacts,
} from './exactServer.ts';
import { learnVocabulary } from './learnVocabulary.ts';
import { type IdsByBytes, idsByBytes, missingIds } from './missingIds.ts';

/** Characters of texts in one request. */
const mostText = 2_000_000;

/** Rejects with a FaultError. */
export async function openLlamaServer(
  http: Http,
  server: ServerParams,
  wanted: Pick<LoadParams, 'slots' | 'conversations'>,
): Promise<ExactServer> {
  return new LlamaServer(http, await lookAtLlamaServer(http, server, wanted));
}

class LlamaServer implements ExactServer {
  readonly facts: ServerFacts;
  readonly pieces: readonly Uint8Array[];
  readonly hidden: HiddenKey;
  private readonly http: Http;
  private readonly was: string;
  readonly known: IdsByBytes;
  /** An id that no text becomes, to stand between texts; null before it was looked for. */
  private divider: number | null = null;

  constructor(http: Http, { facts, pieces, identity }: LookedAt) {
    this.http = http;
    this.hidden = http.hidden;
    this.facts = facts;
    this.pieces = pieces;
    this.was = identity;
    this.known = idsByBytes(pieces);
  }

  learn(): Promise<LearnedVocabulary> {
    return learnVocabulary(this);
  }

  async check(signal?: AbortSignal): Promise<void> {
    const now = identityOf(await propsAndMeta(this.http, signal));
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
    // A text with the divider's own text in it is sent alone.
    const isAlone = (text: string) => special && [bos, eos].some((end) => end !== '' && text.includes(end));
    for (const some of batches(texts, isAlone)) {
      const content = some.flatMap((text, i) => (i === 0 ? [text] : [divider, text]));
      const body = { content, parse_special: special };
      const answer = asShape(await this.http.json('/tokenize', body, signal, mostTokenBytes));
      const ids = asIds(answer.tokens);
      if (ids === null) throw this.http.fault({ is: 'notUnderstood', reason: '/tokenize gives no token ids' });
      const parts = some.length === 1 ? [ids] : splitAt(ids, divider);
      if (parts.length !== some.length)
        throw this.http.fault({ is: 'otherTokens', reason: `${some.length} texts came back as ${parts.length}` });
      for (const part of parts) found.push(part);
    }
    return found;
  }

  async complete(request: CompletionRequest, heard: CompletionHeard, signal: AbortSignal): Promise<ServerCompletion> {
    const { http } = this;
    const leaving = new AbortController();
    const silence = new Silence(http, leaving);
    const reader = new StreamReader(this, request, new AnswerLimit(http, request.maxTokens, silence));
    try {
      const both = AbortSignal.any([signal, leaving.signal]);
      for await (const event of http.events('/completion', bodyOf(request), both)) {
        if (event === streamEnd) break;
        const { ids, progress, done, probability } = reader.read(asShape(event));
        if (progress !== null) heard.onProgress(progress);
        if (ids.length > 0 && !heard.onIds(ids, null, probability)) return { ...reader.counts, stop: 'left' };
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
      const answer = asShape(await this.http.json('/tokenize', { content, parse_special: true }, signal));
      const ids = asIds(answer.tokens) ?? [];
      if (ids.length === 1 && ids[0] !== undefined) {
        this.divider = ids[0];
        return ids[0];
      }
    }
    throw this.otherTokens('it has no token that ends a text');
  }
}

/** True when the server failed to parse an answer as a chat, which happens if it ends within a character. */
function stumbled(error: unknown): boolean {
  const fault = faultOf(error);
  return (
    fault.kind === 'server' && fault.problem.is === 'failed' && /does not match the expected/.test(fault.problem.reason)
  );
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

// A completion of llama-server, event by event: the ids that it sends and those that it leaves out, its own counts, and how it ends.

/** Seconds between two signs of life while nothing else is sent; servers before 2026 know none. */
const pingSeconds = 5;
/** Tokens that may come behind the last one asked for: the server ends within a character only at its end. */
const slack = 8;

/** The parts of a server that a stream needs. */
interface Streaming {
  readonly pieces: readonly Uint8Array[];
  readonly known: IdsByBytes;
  /** The faults of a server that works with other ids, and of one that does not end. */
  otherTokens(reason: string): Error;
  endless(tokens: number): Error;
}

interface Heard {
  readonly ids: readonly number[];
  readonly progress: PrefillProgress | null;
  readonly done: ServerCompletion | null;
  /** The probability of the last id, where the server tells it. */
  readonly probability?: number;
}

/** Follows the events of one completion. */
export class StreamReader {
  counts: ServerCounts = { cached: null, decoded: null };
  private readonly server: Streaming;
  private readonly request: CompletionRequest;
  private taken = 0;
  /** Tokens of the prompt that it had decoded when it told last. */
  private done = -1;
  /** A token without text: what ends the generation, if nothing follows. */
  private pending: readonly number[] = [];
  private readonly limit: Pick<AnswerLimit, 'took'>;

  constructor(server: Streaming, request: CompletionRequest, limit: Pick<AnswerLimit, 'took'>) {
    this.limit = limit;
    this.server = server;
    this.request = request;
  }

  read(event: Shape): Heard {
    const { ids: prompt, maxTokens } = this.request;
    const evaluated = asCount(event.tokens_evaluated);
    if (evaluated !== null && evaluated !== prompt.length)
      throw this.server.otherTokens(`it was sent ${prompt.length} and counts ${evaluated}`);
    if (event.stop === true) return this.end(event);
    if (event.prompt_progress !== undefined) {
      const before = this.done;
      const progress = this.progress(event);
      const goesOn = this.done > before;
      this.limit.took(0, goesOn);
      // The same again is no news.
      return { ids: [], progress: goesOn ? progress : null, done: null };
    }
    const told = asIds(event.tokens) ?? [];
    this.limit.took(asText(event.content).length, told.length > 0);
    // Each that is told counts, whatever the server says.
    const written = Math.max(asCount(event.tokens_predicted) ?? 0, this.taken + told.length);
    if (written > maxTokens + slack) throw this.server.endless(maxTokens);
    if (told.some((id) => id >= this.server.pieces.length))
      throw this.server.otherTokens('it wrote one that its vocabulary lacks');
    const content = asText(event.content);
    const found = this.idsOfEvent(content, told, Math.max(0, written - this.taken - told.length));
    this.taken = written;
    // Asked for none, it draws one all the same.
    if (maxTokens === 0) return { ids: [], progress: null, done: null };
    const ids = [...this.pending, ...(content === '' ? [] : found)];
    this.pending = content === '' ? found : [];
    return { ids, progress: null, done: null, ...probabilityIn(event) };
  }

  /** The ids of an event: the one that it tells, behind those that were left out before it. */
  private idsOfEvent(content: string, ids: readonly number[], missing: number): readonly number[] {
    const [last] = ids;
    if (last === undefined || missing === 0) return ids;
    const before = missingIds(content, last, missing, this.server);
    if (before === null) throw this.server.otherTokens(`${missing} ids of its answer are not told`);
    return [...before, last];
  }

  private end(event: Shape): Heard {
    const timings = asShape(event.timings);
    this.counts = { cached: asCount(timings.cache_n), decoded: asCount(timings.prompt_n) };
    const { cached, decoded } = this.counts;
    if (cached !== null && decoded !== null && cached + decoded !== this.request.ids.length)
      throw this.server.otherTokens(`of ${this.request.ids.length} it reused ${cached} and decoded ${decoded}`);
    if (event.truncated === true && this.taken === 0) throw this.server.otherTokens('it cut the prompt');
    const isOver = event.stop_type === 'eos';
    const done: ServerCompletion = { ...this.counts, stop: isOver ? 'end' : 'length' };
    return { ids: isOver ? [] : this.pending, progress: null, done };
  }

  private progress(event: Shape): PrefillProgress {
    const { total, cache, processed, time_ms: milliseconds } = asShape(event.prompt_progress);
    const cached = asCount(cache) ?? 0;
    const done = Math.max(cached, asCount(processed) ?? 0);
    this.done = Math.max(this.done, Math.min(done, this.request.ids.length));
    this.counts = { cached, decoded: done - cached };
    const of = asCount(total) ?? this.request.ids.length;
    return { done, of, decoded: done - cached, milliseconds: typeof milliseconds === 'number' ? milliseconds : 0 };
  }
}

function probabilityIn(event: Shape): { readonly probability?: number } {
  const { logprob } = asShape(asList(event.completion_probabilities).at(-1));
  return typeof logprob === 'number' ? { probability: Math.min(1, Math.exp(logprob)) } : {};
}

function bodyOf({ ids, maxTokens, grammar, banned, sampling, slot, probabilities }: CompletionRequest) {
  const { temperature, topK, topP, minP, repeatPenalty, seed } = sampling;
  return {
    prompt: ids,
    n_predict: maxTokens,
    stream: true,
    cache_prompt: true,
    // Reuse behind erased tokens would be approximate, and the server does not report it.
    n_cache_reuse: 0,
    return_tokens: true,
    return_progress: true,
    ...(probabilities === true ? { n_probs: 1 } : {}),
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

// Looks at a llama-server before it is used: its model, its template, the bytes of its tokens, and slots that nobody uses.

interface LookedAt {
  readonly facts: ServerFacts;
  readonly pieces: readonly Uint8Array[];
  /** Facts about the server's model that must stay the same, as JSON. */
  readonly identity: string;
}

/** Rejects with a FaultError. */
async function lookAtLlamaServer(
  http: Http,
  { slot, model: wanted }: ServerParams,
  { slots, conversations = 1 }: Pick<LoadParams, 'slots' | 'conversations'>,
): Promise<LookedAt> {
  const looked = await propsAndMeta(http);
  const { props, meta } = looked;
  const names = namesOf(props);
  if (wanted !== '' && !names.includes(wanted))
    throw http.fault({ is: 'badAddress', reason: `"model" is ${wanted}, and the server has ${nameOf(props)}` });
  const vocabulary = asCount(meta.n_vocab);
  const window = asSize(asShape(props.default_generation_settings).n_ctx);
  if (vocabulary === null || window === null || window === 0)
    throw http.fault({ is: 'notUnderstood', reason: 'it does not tell its window and its vocabulary' });
  if (vocabulary > largestVocabulary)
    throw http.fault({ is: 'notUnderstood', reason: `its vocabulary has ${vocabulary} tokens, and none has as many` });
  const pieces = await piecesOf(http, vocabulary);
  const total = asCount(props.total_slots) ?? 1;
  // A slot more than the conversations take is for text at the caret.
  const wantedSlots = slots * conversations;
  const free = await freeSlots(http, { slot, total, wanted: wantedSlots + 1 });
  const ownSlots = free?.slice(0, wantedSlots) ?? null;
  const facts: ServerFacts = {
    model: nameOf(props),
    identity: hashOf([asText(props.model_path), asText(props.chat_template), JSON.stringify(meta)], pieces),
    window,
    trainedWindow: asSize(meta.n_ctx_train) ?? window,
    bytes: asCount(meta.size) ?? 0,
    parameters: asCount(meta.n_params),
    chatTemplate: asText(props.chat_template) || null,
    bos: asText(props.bos_token),
    eos: asText(props.eos_token),
    software: `llama-server ${asText(props.build_info)}`.trim(),
    ownSlots,
    block: 1,
    slots: ownSlots?.length ?? Math.min(total, wantedSlots),
    spareSlot: free?.[wantedSlots] ?? null,
    beginning: await beginningOf(http),
  };
  return { facts, pieces, identity: identityOf(looked) };
}

/** Ids in front of a text that it is asked to begin. */
async function beginningOf(http: Http): Promise<readonly number[]> {
  const [bare, begun] = await Promise.all(
    [false, true].map(async (add_special) => {
      const body = { content: 'a', add_special, parse_special: false };
      return asIds(asShape(await http.json('/tokenize', body)).tokens) ?? [];
    }),
  );
  return (
    begun?.slice(
      0,
      begun.findIndex((_, at) => begun.length - at === bare?.length),
    ) ?? []
  );
}

/** The server's properties, and the metadata of its model's file. */
async function propsAndMeta(http: Http, signal?: AbortSignal) {
  const [props, models] = await Promise.all([http.json('/props', null, signal), http.json('/v1/models', null, signal)]);
  return { props: asShape(props), meta: asShape(modelsIn(models)[0]?.meta) };
}

/** Facts that must not change between two calls, as JSON, by names for the user. */
function identityOf({ props, meta }: Awaited<ReturnType<typeof propsAndMeta>>): string {
  return JSON.stringify({
    model: [props.model_path, props.model_alias, meta.n_vocab, meta.n_params, meta.size],
    window: asShape(props.default_generation_settings).n_ctx,
    slots: props.total_slots,
    'chat template': props.chat_template,
    'end of text': [props.bos_token, props.eos_token],
    build: props.build_info,
  });
}

function nameOf(props: Shape): string {
  return bare(asName(props.model_alias) || asName(props.model_path) || 'model');
}

/** The names by which the server's model may be called. */
function namesOf({ model_alias: alias, model_path: path }: Shape): readonly string[] {
  return [alias, path].map(asText).flatMap((name) => [name, bare(name)]);
}

function bare(name: string): string {
  return (name.split(/[\\/]/).at(-1) ?? name).replace(/\.gguf$/, '');
}

function hashOf(words: readonly string[], pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha256').update(JSON.stringify(words));
  for (const piece of pieces) hash.update(piece).update('\0');
  return `server:${hash.digest('hex')}`;
}

async function piecesOf(http: Http, count: number): Promise<readonly Uint8Array[]> {
  const content = Array.from({ length: count }, (_, id) => id);
  const { tokens } = asShape(await http.json('/tokenize', { content, with_pieces: true }, undefined, mostTokenBytes));
  const pieces = asList(tokens).map(pieceOf);
  if (pieces.length !== count || pieces.some((piece) => piece === null))
    throw http.fault({ is: 'otherTokens', reason: 'it does not tell the text of each token' });
  return pieces as readonly Uint8Array[];
}

/** Bytes of one token: the longest ones known are runs of some hundred blanks. */
const longestPiece = 4096;

/** Text, or bytes where those are none. */
function pieceOf(token: unknown): Uint8Array | null {
  const { piece } = asShape(token);
  if ((typeof piece === 'string' || Array.isArray(piece)) && piece.length > longestPiece) return null;
  if (typeof piece === 'string') return Buffer.from(piece, 'utf8');
  return asIds(piece)?.every((byte) => byte < 256) === true ? Uint8Array.from(piece as number[]) : null;
}

interface SlotRequest {
  readonly slot: number | null;
  readonly total: number;
  readonly wanted: number;
}

/** Slots that nobody has used since the server began; null where there are too few, or it does not say. */
async function freeSlots(http: Http, { slot, total, wanted }: SlotRequest): Promise<readonly number[] | null> {
  const numbered = (first: number) => Array.from({ length: Math.min(wanted, total - first) }, (_, i) => first + i);
  if (slot !== null) {
    if (slot < total) return numbered(slot);
    throw http.fault({ is: 'badAddress', reason: `"slot" is ${slot}, and the server has ${total}, from 0` });
  }
  if (total === 1) return [0];
  const slots = await http.json('/slots').catch(() => null);
  const free = asList(slots)
    .map(asShape)
    .filter(isUnused)
    .flatMap(({ id }) => asCount(id) ?? []);
  return free.length === 0 ? null : free.slice(0, wanted);
}

function isUnused({ is_processing: busy, id_task: task }: Shape): boolean {
  return busy === false && (task === undefined || task === -1);
}
