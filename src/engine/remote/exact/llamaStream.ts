// A completion of llama-server, event by event: the ids that it sends and those that it leaves out, its own counts, and how it ends.
import type { PrefillProgress } from '../../../core/model/model.ts';
import type { AnswerLimit } from '../wire/answerLimit.ts';
import type { ServerCounts } from '../wire/remoteSlot.ts';
import { asCount, asIds, asList, asShape, asText, type Shape } from '../wire/shape.ts';
import type { CompletionRequest, ServerCompletion } from './exactServer.ts';
import { type IdsByBytes, missingIds } from './missingIds.ts';

/** Seconds between two signs of life while nothing else is sent; servers before 2026 know none. */
const pingSeconds = 5;
/** Tokens that may come behind the last one asked for: the server ends within a character only at its end. */
const slack = 8;

/** The parts of a server that a stream needs. */
export interface Streaming {
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

export function bodyOf({ ids, maxTokens, grammar, banned, sampling, slot, probabilities }: CompletionRequest) {
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
