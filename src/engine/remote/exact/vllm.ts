// vLLM: ids there and back by /v1/completions with `return_token_ids`, texts by /tokenize and /detokenize, the template by /tokenizer_info, for
// which it must be started with --enable-tokenizer-info-endpoint. Source: vLLM's protocol of 0.32.0, and what it answers.

import { createHash } from 'node:crypto';
import { faultOf } from '../../../core/faults/faults.ts';
import type { LoadParams, ServerParams } from '../../../protocol/engine.ts';
import { AnswerLimit } from '../wire/answerLimit.ts';
import type { HiddenKey } from '../wire/hiddenKey.ts';
import { type Http, mostTokenBytes, streamEnd } from '../wire/http.ts';
import type { ServerCounts } from '../wire/remoteSlot.ts';
import {
  asCount,
  asIds,
  asList,
  asName,
  asShape,
  asSize,
  asText,
  modelNamed,
  modelsIn,
  type Shape,
} from '../wire/shape.ts';
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
import { endTexts, lineBreakOf, looksLikeMark } from './learnVocabulary.ts';

/** Prompts are kept in blocks of so many tokens at most: what is missing of the last one was never there. */
const block = 128;

/** Rejects with a FaultError. */
export async function openVllm(
  http: Http,
  { model: wanted }: ServerParams,
  { slots, conversations = 1 }: Pick<LoadParams, 'slots' | 'conversations'>,
): Promise<ExactServer> {
  const found = await modelIn(http, wanted);
  const info = asShape(await http.json('/tokenizer_info'));
  const window = asSize(found.max_model_len);
  if (window === null) throw http.fault({ is: 'notUnderstood', reason: 'it does not tell its window' });
  const [bos, eos] = [special(info.bos_token), special(info.eos_token)];
  const model = asText(found.id);
  const texts = await askVllmTexts(http, model, eos);
  const version = asText(asShape(await http.json('/version').catch(() => null)).version);
  const facts: ServerFacts = {
    model,
    identity: identityOf([model, asText(found.root), asText(info.chat_template), JSON.stringify(texts)]),
    window,
    trainedWindow: window,
    bytes: 0,
    parameters: null,
    chatTemplate: asText(info.chat_template) || null,
    bos,
    eos,
    software: `vLLM ${version}`.trim(),
    ownSlots: null,
    spareSlot: null,
    beginning: [],
    slots: slots * conversations,
    block,
  };
  const added = addedIn(info.added_tokens_decoder);
  if (added === null) throw http.fault({ is: 'otherTokens', reason: 'it does not tell which strings act in any text' });
  return new VllmServer(http, facts, { texts, added }, [sameness(found), await chatIds(http, model)]);
}

/** Ids of a chat as its template has it now: another template has others. Empty where it has none. */
async function chatIds(http: Http, model: string, signal?: AbortSignal): Promise<string> {
  const body = { model, messages: [{ role: 'user', content: 'Hello.' }], add_generation_prompt: true };
  const answer = await http.json('/tokenize', body, signal).catch((error: unknown) => {
    if (isRefusal(error)) return null;
    throw error;
  });
  return asIds(asShape(answer).tokens)?.join() ?? '';
}

function isRefusal(error: unknown): boolean {
  const fault = faultOf(error);
  return fault.kind === 'server' && fault.problem.is === 'failed';
}

/** The ids that the tokenizer matches in any text before it cuts that into words, as its file names them; null where it does not. */
function addedIn(decoder: unknown): ReadonlySet<number> | null {
  const ids = Object.keys(asShape(decoder)).map(Number);
  return ids.length > 0 && ids.every((id) => asCount(id) !== null) ? new Set(ids) : null;
}

/** The tokens that the server tells about. */
interface Told {
  readonly texts: LearnedVocabulary['texts'];
  readonly added: ReadonlySet<number>;
}

class VllmServer implements ExactServer {
  readonly facts: ServerFacts;
  readonly pieces = null;
  readonly hidden: HiddenKey;
  private readonly http: Http;
  private readonly told: Told;
  /** The model in the list, and the ids of a chat. */
  private readonly was: readonly [string, string];

  constructor(http: Http, facts: ServerFacts, told: Told, was: readonly [string, string]) {
    this.http = http;
    this.hidden = http.hidden;
    this.facts = facts;
    this.told = told;
    this.was = was;
  }

  learn(): Promise<LearnedVocabulary> {
    return learnVllm(this, this.told);
  }

  async tokenise(texts: readonly string[], _special: boolean, signal?: AbortSignal) {
    const found: (readonly number[])[] = [];
    // Requests are sent 16 at a time, which a server takes without a queue.
    for (let at = 0; at < texts.length; at += 16)
      found.push(...(await Promise.all(texts.slice(at, at + 16).map((text) => this.idsOf(text, signal)))));
    return found;
  }

  async spell(ids: readonly number[]): Promise<string> {
    const answer = asShape(await this.http.json('/detokenize', { model: this.facts.model, tokens: ids }));
    return asText(answer.prompt);
  }

  async complete(request: CompletionRequest, heard: CompletionHeard, signal: AbortSignal): Promise<ServerCompletion> {
    const { http } = this;
    const leaving = new AbortController();
    const silence = new Silence(http, leaving, { busy: null, there: '/health' });
    let [counts, stop, written]: [ServerCounts, ServerCompletion['stop'] | null, number] = [
      { cached: null, decoded: null },
      null,
      0,
    ];
    try {
      const both = AbortSignal.any([signal, leaving.signal]);
      const limit = new AnswerLimit(http, request.maxTokens, silence);
      for await (const one of http.events('/v1/completions', this.bodyOf(request), both)) {
        if (one === streamEnd) break;
        const event = asShape(one);
        counts = this.countsOf(event, request.ids) ?? counts;
        const choice = asShape(asList(event.choices)[0]);
        const { ids, text, ended } = this.read(choice, request);
        stop = ended ?? stop;
        limit.took(text.length, ids.length > 0);
        written += ids.length;
        if (written > Math.max(1, request.maxTokens)) throw http.fault({ is: 'endless', tokens: request.maxTokens });
        if (request.maxTokens > 0 && ids.length > 0 && !heard.onIds(ids, text)) return { ...counts, stop: 'left' };
      }
      if (stop === null) throw http.fault({ is: 'cut' });
      return { ...counts, stop };
    } catch (error) {
      throw silence.fault ?? error;
    } finally {
      silence.stop();
      leaving.abort();
    }
  }

  async check(signal?: AbortSignal): Promise<void> {
    const { http, facts } = this;
    const [model, chat] = this.was;
    const changed = (what: string) => http.fault({ is: 'changed', what });
    if (sameness(await modelIn(http, facts.model, signal)) !== model) throw changed('its model or its window changed');
    if ((await chatIds(http, facts.model, signal)) !== chat) throw changed('its chat template changed');
  }

  otherTokens(reason: string) {
    return this.http.fault({ is: 'otherTokens', reason });
  }

  close(): Promise<void> {
    return this.http.close();
  }

  private async idsOf(text: string, signal: AbortSignal | undefined): Promise<readonly number[]> {
    if (text === '') return [];
    const body = { model: this.facts.model, prompt: text.toWellFormed(), add_special_tokens: false };
    const answer = asShape(await this.http.json('/tokenize', body, signal, mostTokenBytes));
    const ids = asIds(answer.tokens);
    if (ids === null) throw this.http.fault({ is: 'notUnderstood', reason: '/tokenize gives no token ids' });
    return ids;
  }

  /** The ids of an event, without the one that ends the generation, and its text. */
  private read(choice: Shape, { ids: prompt }: CompletionRequest) {
    const sent = asIds(choice.prompt_token_ids);
    if (sent !== null && sent.join() !== prompt.join()) throw this.otherTokens('it took other ids than it was sent');
    const reason = choice.finish_reason;
    const ended = reason === 'stop' ? ('end' as const) : typeof reason === 'string' ? ('length' as const) : null;
    const text = asText(choice.text);
    const ids = asIds(choice.token_ids);
    if (ids === null && text !== '') throw this.otherTokens('it gives no token ids: it is older than 0.10.2');
    const last = this.told.texts[ids?.at(-1) ?? -1] ?? '';
    const isOver = ended === 'end' && (last === this.facts.eos || endTexts.has(last));
    return { ids: isOver ? (ids ?? []).slice(0, -1) : (ids ?? []), text, ended };
  }

  private countsOf({ usage }: Shape, prompt: readonly number[]) {
    const { prompt_tokens: total, prompt_tokens_details: details } = asShape(usage);
    const counted = asCount(total);
    if (counted === null) return null;
    if (counted !== prompt.length) throw this.otherTokens(`it was sent ${prompt.length} and counts ${counted}`);
    const cached = asCount(asShape(details).cached_tokens);
    return { cached, decoded: cached === null ? null : counted - cached };
  }

  private bodyOf({ ids, maxTokens, grammar, banned, sampling }: CompletionRequest): object {
    const { temperature, topK, topP, minP, repeatPenalty, seed } = sampling;
    return {
      model: this.facts.model,
      prompt: ids,
      // vLLM draws at least one token.
      max_tokens: Math.max(1, maxTokens),
      stream: true,
      stream_options: { include_usage: true, continuous_usage_stats: true },
      return_token_ids: true,
      skip_special_tokens: false,
      spaces_between_special_tokens: false,
      add_special_tokens: false,
      temperature,
      top_k: topK,
      top_p: topP,
      min_p: minP,
      repetition_penalty: repeatPenalty,
      ...(seed === null ? {} : { seed }),
      ...(grammar === null ? {} : { structured_outputs: { grammar } }),
      ...(banned.length === 0 ? {} : { logit_bias: Object.fromEntries(banned.map((id) => [id, -100])) }),
    };
  }
}

async function modelIn(http: Http, wanted: string, signal?: AbortSignal): Promise<Shape> {
  const models = modelsIn(await http.json('/v1/models', null, signal));
  const found = modelNamed(models, wanted);
  if (found !== null) return found;
  if (wanted === '') throw http.fault({ is: 'notUnderstood', reason: '/v1/models names no model' });
  const names = models
    .map(({ id }) => asName(id))
    .slice(0, 8)
    .join(', ');
  throw http.fault({ is: 'badAddress', reason: `"model" is ${wanted}, and the server has ${names}` });
}

function sameness({ id, root, max_model_len: window }: Shape): string {
  return JSON.stringify([id, root, window]);
}

/** A text, or an object that holds one. */
function special(token: unknown): string {
  return asText(token) || asText(asShape(token).content);
}

function identityOf(parts: readonly string[]): string {
  return `server:${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}

// Learns the tokens of a vLLM, which tells no vocabulary: texts are asked for with a token between them that no text contains, and acting
// tokens are found by putting their strings within a text. vLLM cannot leave special strings alone, so all of them are cut from content.

/** Ids in one request. */
const some = 4096;

/** The text of each id; null where it is a part of a character. Rejects with a FaultError. */
async function askVllmTexts(http: Http, model: string, eos: string): Promise<LearnedVocabulary['texts']> {
  const { tokens } = asShape(await http.json('/tokenize', { model, prompt: eos, add_special_tokens: false }));
  const divider = Array.isArray(tokens) && tokens.length === 1 ? (tokens[0] as unknown) : null;
  if (eos === '' || typeof divider !== 'number')
    throw http.fault({ is: 'otherTokens', reason: 'it has no token that ends a text' });
  const texts: (string | null)[] = [];
  for (let from = 0; from < largestVocabulary; from += some) {
    const asked = Array.from({ length: some }, (_, i) => [from + i, divider]).flat();
    const { prompt } = asShape(await http.json('/detokenize', { model, tokens: asked }));
    const found = asText(prompt).split(eos);
    // Its own text stands there twice.
    if (divider >= from && divider < from + some) found.splice(divider - from, 1);
    if (found.length !== some + 1)
      throw http.fault({ is: 'otherTokens', reason: 'it does not tell the text of each token' });
    if (found.every((text) => text === '')) break;
    for (const text of found.slice(0, some)) texts.push(text.includes('\uFFFD') ? null : text);
  }
  texts[divider] = eos;
  return texts;
}

/**
 * `added`: ids that its tokenizer says to match in any text. Its list may lack some: what stands behind it, and what looks like a mark, is tried as
 * well. Rejects with a FaultError.
 */
async function learnVllm(
  server: ExactServer,
  { texts, added }: { readonly texts: LearnedVocabulary['texts']; readonly added: ReadonlySet<number> },
): Promise<LearnedVocabulary> {
  const last = Math.max(...added);
  const tried = texts.flatMap((text, id) =>
    text !== null && text !== '' && !added.has(id) && (id > last || looksLikeMark(text)) ? [{ id, text }] : [],
  );
  const within = await server.tokenise(
    tried.map(({ text }) => `x${text}x`),
    false,
  );
  const acting = tried.flatMap(({ id }, at) => (within[at]?.includes(id) === true ? [id] : []));
  const userDefined = new Set([...added, ...acting].filter((id) => (texts[id] ?? '') !== ''));
  return { control: new Set(), userDefined, texts, lineBreak: await lineBreakOf(server) };
}
