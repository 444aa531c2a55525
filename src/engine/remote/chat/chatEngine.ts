// An engine on a server that is spoken to by chat completions: the server renders, tokenises and reads calls itself, so all counts ahead are
// estimates, and its own come afterwards.

import { renderedText } from '../../../core/calls/render.ts';
import { hermes } from '../../../core/calls/syntax.ts';
import type { ToolCall } from '../../../core/dialog/dialog.ts';
import type { ModelInfo, ToolCallSupport } from '../../../core/engine/modelInfo.ts';
import type { Warmth } from '../../../core/engine/prefill.ts';
import type { Fault } from '../../../core/faults/fault.ts';
import { FaultError, faultOf } from '../../../core/faults/faults.ts';
import type { Generation } from '../../../core/model/model.ts';
import { samplingFor } from '../../../core/model/sampling.ts';
import { leastToldWindow } from '../../../core/prompt/budget.ts';
import type { Measure, Message, Prompt } from '../../../core/prompt/prompt.ts';
import type { GenerateParams, LoadParams, ServerParams } from '../../../protocol/engine.ts';
import type { Tokenised } from '../../../templates/tokenise.ts';
import { AskingLine } from '../../line.ts';
import type { Heard, WorkerEngine } from '../../workerEngine.ts';
import type { Http } from '../wire/http.ts';
import { modelOnServer } from '../wire/modelOnServer.ts';
import { evictedAt, RemoteSlot } from '../wire/remoteSlot.ts';
import type { ServerPlace } from '../wire/serverPlace.ts';
import { asCount, asShape, asSize } from '../wire/shape.ts';
import { type ChatAnswer, type ChatCall, type ChatFacts, chatCompletion, checkChat, lookAtChat } from './chatServer.ts';
import { Estimate } from './estimatedPrompt.ts';

/** Rejects with a FaultError. */
export async function openChat(
  http: Http,
  server: ServerParams,
  params: Pick<LoadParams, 'slots' | 'conversations' | 'contextSize'>,
  place: ServerPlace,
  started: number,
): Promise<WorkerEngine> {
  const facts = await lookAtChat(http, server, params);
  const slots = params.slots * (params.conversations ?? 1);
  const software = 'chat completions';
  const count = await countingOf(http, facts.model);
  const known = [
    count === null
      ? 'Prompts go as messages: their tokens are estimated, and corrected by what the server counts afterwards.'
      : 'Prompts go as messages: the server counts them before, and what each part has is estimated.',
  ];
  const reasons = [...known, ...facts.reasons];
  const toolCalls: ToolCallSupport =
    facts.noTools === null
      ? { format: hermes.family, syntax: hermes, schemas: 'template' }
      : { format: 'none', reason: `the server takes no tools: ${facts.noTools}` };
  const model = {
    // llama-server calls a model by its file.
    name: facts.model.replace(/^.*[\\/]([^\\/]+)\.gguf$/, '$1'),
    fingerprint: `chat:${http.base}:${facts.model}`,
    contextSize: facts.window,
    toolCalls,
    slots,
  };
  const grade = count === null ? 'estimated' : 'counted';
  const info = modelOnServer(model, { place, software, grade, reasons, ownSlots: null }, started);
  return new ChatEngine(http, facts, info, count);
}

/** Servers keep prompts in blocks, and count what stands around messages in ways of their own. */
const tolerated = 256;

class ChatEngine implements WorkerEngine {
  readonly info: ModelInfo;
  readonly complete = null;
  readonly speed = null;
  readonly states = null;
  private readonly http: Http;
  private readonly facts: ChatFacts;
  private readonly estimate: Estimate;
  private readonly slots: readonly RemoteSlot[];
  private readonly line = new AskingLine();
  /** Counts tokens on the server; null when the server cannot count ahead. */
  private readonly counted: CountOfServer | null;
  /** Tokens: what it told, or less, once it refused a prompt. */
  private window: number;
  /** Whether it reused anything when it told so last. */
  private reuses = true;

  constructor(http: Http, facts: ChatFacts, info: ModelInfo, counted: CountOfServer | null) {
    this.counted = counted;
    this.http = http;
    this.facts = facts;
    this.window = facts.window;
    this.info = info;
    this.estimate = new Estimate(info.fingerprint);
    this.slots = Array.from({ length: info.slots }, () => new RemoteSlot(null));
  }

  async tokens(prompt: Prompt): Promise<Tokenised> {
    const estimated = this.estimate.prompt(prompt);
    if (this.counted === null) return estimated;
    const messages = { model: this.facts.model, messages: wireMessages(prompt), ...wireTools(prompt) };
    const total = await this.counted(messages);
    this.estimate.learn(total, estimated.tokens.length);
    return { ...estimated, measure: withTotal(estimated.measure, total) };
  }

  async count(texts: readonly string[]): Promise<readonly number[]> {
    return texts.map((text) => this.estimate.count(text));
  }

  async message(text: string, calls: readonly ToolCall[]): Promise<readonly number[]> {
    return this.estimate.said(renderedText(hermes, text, calls));
  }

  async spell(): Promise<never> {
    throw new Error('This server does not tell the text of its prompts.');
  }

  async generate(
    params: GenerateParams,
    prompt: Tokenised,
    forced: readonly number[] | null,
    heard: Heard,
    signal: AbortSignal,
  ): Promise<Generation> {
    if (forced !== null) throw new Error('A recorded trace needs a server that takes token ids.');
    if (params.prompt.continues === true) throw new Error('An answer goes on only where token ids are taken.');
    const slot = this.slotOf(params.slot);
    return this.line.ask(params.asker ?? 'answer', slot, signal, (own) =>
      this.answered(slot, params, prompt, heard, own),
    );
  }

  /** Nothing is sent for it: a server may be paid by the token. What the last answer left there should be there. */
  async warm({ slot: index }: { readonly slot: number }, { image, measure }: Tokenised): Promise<Warmth> {
    const slot = this.slotOf(index);
    const of = measure.starts.at(-1) ?? 0;
    const warmed = this.reuses ? Math.min(of, this.estimate.scaled(slot.plan(image).keep)) : 0;
    return { warmed, of, prefill: slot.asItIs(warmed), settled: 0, unsettled: null, sent: false };
  }

  async attempt(
    { prompt, toolCalls, maxTokens, asker = 'probe' }: Parameters<WorkerEngine['attempt']>[0],
    signal: AbortSignal,
  ) {
    const sampling = { temperature: 0, seed: null };
    const params: GenerateParams = { slot: -1, prompt, maxTokens, toolCalls, reuse: 'none', sampling };
    const heard = { onText: () => undefined, onProgress: () => undefined };
    const tokens = await this.tokens(prompt);
    const slot = new RemoteSlot(null);
    return this.line.ask(asker, slot, signal, (own) => this.answered(slot, params, tokens, heard, own));
  }

  dispose(): Promise<void> {
    return this.http.close();
  }

  private async answered(
    slot: RemoteSlot,
    params: GenerateParams,
    prompt: Tokenised,
    { onText }: Heard,
    signal: AbortSignal,
  ): Promise<Generation> {
    const { image, measure, tokens } = prompt;
    this.fits(measure, params.maxTokens);
    const started = performance.now();
    let [first, isThinking, streamed]: [number | null, boolean, string] = [null, false, ''];
    const say = (text: string) => {
      streamed += text;
      onText(text);
    };
    const hear = (text: string, isThought: boolean) => {
      first ??= performance.now();
      if (isThought !== isThinking) say(isThought ? '<think>' : '</think>');
      isThinking = isThought;
      say(text);
    };
    const answer = await this.completed(params, hear, signal).catch((error: unknown): ChatAnswer => {
      // Behind its first word it is another fault.
      if (!signal.aborted) throw first === null ? this.tooLong(error, prompt, params.maxTokens) : error;
      return { calls: [], stop: 'end', usage: null };
    });
    // Thoughts without an answer behind them, and a call that comes straight after them.
    if (isThinking) say('</think>');
    const calls = answer.calls.filter(({ name }) => name !== '').map(callText);
    const raw = [...(streamed === '' ? [] : [streamed]), ...calls].join('\n');
    if (raw !== streamed) onText(raw.slice(streamed.length));
    const ids = this.estimate.said(raw);
    const { usage } = answer;
    if (usage !== null) this.estimate.learn(usage.prompt, tokens.length);
    const milliseconds = (first ?? performance.now()) - started;
    const prefill = this.prefill(slot, image, usage, milliseconds, measure.total);
    // Stopped before its first word it may not even have been sent.
    if (first !== null || usage !== null) slot.holds(image, tokens.length + ids.length, ids);
    return {
      raw,
      generated: { model: this.info.fingerprint, ids },
      stop: signal.aborted ? 'cancelled' : answer.stop,
      prefill,
      firstTokenMilliseconds: milliseconds,
      generateMilliseconds: performance.now() - started - milliseconds,
    };
  }

  private async completed(
    params: GenerateParams,
    onText: (text: string, isThought: boolean) => void,
    signal: AbortSignal,
  ): Promise<ChatAnswer> {
    await checkChat(this.http, this.facts, signal);
    return chatCompletion(this.http, this.bodyOf(params), { counts: this.facts.counts, onText }, signal);
  }

  /** Builds the prefill from the server's counts. If the server does not tell how much it reused, the expected prefix counts. */
  private prefill(
    slot: RemoteSlot,
    image: Tokenised['image'],
    usage: ChatAnswer['usage'],
    milliseconds: number,
    estimated: number,
  ) {
    const { keep, firstBreak } = slot.plan(image);
    const total = usage?.prompt ?? estimated;
    const expected = Math.min(total, this.estimate.scaled(keep));
    const reused = Math.min(total, usage?.cached ?? expected);
    if (usage !== null && usage.cached !== null && expected > tolerated) this.reuses = usage.cached > 0;
    const lost = expected - reused;
    const isEvicted = lost > Math.max(tolerated, expected * this.estimate.error);
    const nothing = { shifted: 0, approximate: 0 };
    const { slotTokens } = slot.asItIs(0);
    return {
      reused,
      decoded: total - reused,
      slotTokens,
      firstBreak: isEvicted ? evictedAt(reused, lost) : firstBreak,
      milliseconds,
      ...nothing,
    };
  }

  private bodyOf({ prompt, maxTokens, toolCalls, sampling }: GenerateParams) {
    const { temperature, topP } = samplingFor(sampling, {}).values;
    // A model that may only choose cannot be offered the one word that declines, so it may answer instead.
    const noCalls = toolCalls === 'none' && prompt.tools.length > 0 ? { tool_choice: 'none' } : {};
    return {
      model: this.facts.model,
      messages: wireMessages(prompt),
      ...wireTools(prompt),
      ...noCalls,
      max_tokens: maxTokens,
      temperature,
      top_p: topP,
      ...(sampling.seed === null ? {} : { seed: sampling.seed }),
    };
  }

  /** The caller trims a prompt that does not fit and asks again; only the server knows its limit for certain, and tells it last. */
  private tooLong(error: unknown, { measure, tokens }: Tokenised, maxTokens: number): unknown {
    const found = tooLongIn(faultOf(error));
    if (found === null) return error;
    if (found.prompt !== null) this.estimate.learn(found.prompt, tokens.length);
    const window = found.window ?? this.window;
    if (window >= leastToldWindow) this.window = Math.min(this.window, window);
    return doesNotFit(found.asked ?? measure.total, Math.min(this.window, window), maxTokens);
  }

  /** A prompt for a window that turned out to be smaller is not even sent. */
  private fits({ total }: Tokenised['measure'], maxTokens: number): void {
    if (this.window < this.facts.window && total > this.window - reserveIn(this.window, maxTokens))
      throw doesNotFit(total, this.window, maxTokens);
  }

  private slotOf(index: number): RemoteSlot {
    const slot = this.slots[index];
    if (slot === undefined) throw new Error(`there is no slot ${index}`);
    return slot;
  }
}

/** Tokens that are kept for an answer. */
function reserveIn(window: number, maxTokens: number): number {
  return Math.min(maxTokens, Math.floor(window / 4));
}

function doesNotFit(needed: number, window: number, maxTokens: number): FaultError {
  const reserve = reserveIn(window, maxTokens);
  return new FaultError({ kind: 'doesNotFit', needed, high: window - reserve, window, reserve, pinned: 0 });
}

/**
 * Writes a call as the model would have written it here. Arguments that are no JSON stay as they are, for the reader of calls to report.
 */
function callText({ id, name, arguments: given }: ChatCall): string {
  try {
    const parsed: unknown = JSON.parse(given === '' ? '{}' : given);
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    const call = { id, name, arguments: isObject ? (parsed as ToolCall['arguments']) : { value: parsed } };
    return renderedText(hermes, '', [call]);
  } catch {
    return `${hermes.before}${JSON.stringify(name).slice(1, -1)}${hermes.middle}${given}${hermes.after}`;
  }
}

// A prompt as the messages and tools of the chat completions API.
function wireMessages({ messages }: Prompt): readonly object[] {
  return messages.map(wireMessage);
}

function wireMessage({ role, segments, call }: Message): object {
  const content = segments.map(({ text }) => text).join('');
  if (role === 'tool') return { role, content, tool_call_id: call?.id ?? '' };
  if (role !== 'assistant') return { role, content };
  const calls = segments.flatMap((segment) => segment.calls ?? []);
  if (calls.length === 0) return { role, content };
  const tool_calls = calls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(given) },
  }));
  return { role, content, tool_calls };
}

/** Left out where there are none: some servers refuse an empty list. */
function wireTools({ tools }: Prompt): object {
  return tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: 'function', function: tool })) };
}

// Servers that count a prompt they get as messages: vLLM by /tokenize, llama-server by an endpoint of its own. The sum is theirs; what each part
// has of it stays an estimate.

/** Tokens of messages and tools as the server would read them. */
type CountOfServer = (body: object) => Promise<number>;

const ways = [
  { path: '/v1/chat/completions/input_tokens', more: {}, count: 'input_tokens' },
  { path: '/tokenize', more: { add_generation_prompt: true }, count: 'count' },
] as const;

/** Returns null when the server does not count. */
async function countingOf(http: Http, model: string): Promise<CountOfServer | null> {
  const probe = { model, messages: [{ role: 'user', content: 'Hello.' }] };
  for (const { path, more, count } of ways) {
    const ask = async (body: object) => asCount(asShape(await http.json(path, { ...body, ...more }))[count]);
    const found = await ask(probe).catch(() => null);
    if (found === null || found === 0) continue;
    return async (body) => {
      const tokens = await ask(body);
      if (tokens === null) throw http.fault({ is: 'notUnderstood', reason: `${path} gives no count` });
      return tokens;
    };
  }
  return null;
}

/** The same parts, so that they add up to the count. */
function withTotal(measure: Measure, total: number): Measure {
  const scale = measure.total === 0 ? 0 : total / measure.total;
  const whole = (tokens: number) => Math.floor(tokens * scale);
  const [segments, tools] = [measure.segments.map(whole), measure.tools.map(whole)];
  const known = [...segments, ...tools].reduce((a, b) => a + b, 0);
  return { total, segments, tools, starts: measure.starts.map(whole), glue: total - known, exact: false, margin: 0 };
}

// Whether a server refuses a prompt because it is too long, and the numbers that it says: each server words it in a way of its own.
// Sources: OpenAI, vLLM, SGLang, llama-server, llama-cpp-python, LM Studio, TGI, Mistral, Anthropic, Gemini, xAI, OpenRouter, Fireworks.

interface TooLong {
  /** Tokens; null where it does not say. */
  readonly window: number | null;
  /** Tokens of the prompt, by its count; null where it does not say. */
  readonly prompt: number | null;
  /** The same, or with the tokens of the answer where it counts both. */
  readonly asked: number | null;
}

const number = String.raw`(\d[\d,_]*)`;
const ofWindow = [
  String.raw`(?:context|prompt|sequence|input)\s+(?:length|window|size|limit)\b(?:\s+(?:of|is|only|limit|size))*[\s:(=]*${number}`,
  String.raw`tokens allowed[\s:(=]*${number}`,
  String.raw`n_ctx"?[\s:(=]*${number}`,
  String.raw`(?:<=|>|at most|limit(?: of| is)?:?|maximum(?: of| is)?:?)\s*${number}`,
  String.raw`${number}\s*(?:tokens?\s*)?(?:maximum|max\b|limit)`,
];
const ofPrompt = [
  String.raw`${number}\s*(?:tokens\s*)?(?:in|from|of) (?:the |your )?(?:messages|input|prompt|text)`,
  String.raw`${number}\s*.?(?:inputs?|prompt).?\s*tokens`,
  String.raw`(?:prompt|input|inputs?. tokens|too long|n_prompt_tokens"?)(?: token count)?(?: is| contains| has)?[\s:(=]*${number}`,
];
const ofBoth = String.raw`(?:request(?:ed)?|resulted|contains|first)\D{0,24}?${number}`;
const words =
  /context|too (?:long|large|many tokens)|(?:prompt|input|sequence).*(?:exceed|longer|maximum)|maximum (?:prompt|input|sequence)|max_new_tokens|max_model_len/i;
/** A limit on how much may be sent in a while. */
const rate = /per (?:minute|day|hour|second)|\b[TR]P[MD]\b|rate limit|quota/i;

/** Returns null when the request failed for another reason. */
export function tooLongIn(fault: Fault): TooLong | null {
  if (fault.kind !== 'server' || fault.problem.is !== 'failed') return null;
  const { status, reason } = fault.problem;
  // Some answer with it as an event, or as if nothing had been.
  if (![200, 400, 413, 422, 500].includes(status)) return null;
  if (!words.test(reason) || !/token|context|length|prompt|input/i.test(reason) || rate.test(reason)) return null;
  const prompt = first(ofPrompt, reason);
  return { window: first(ofWindow, reason), prompt, asked: prompt ?? first([ofBoth], reason) };
}

function first(patterns: readonly string[], text: string): number | null {
  for (const pattern of patterns) {
    const found = new RegExp(pattern, 'i').exec(text)?.[1];
    const size = found === undefined ? null : asSize(Number(found.replace(/[,_]/g, '')));
    if (size !== null && size > 0) return size;
  }
  return null;
}
