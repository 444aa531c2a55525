// A server that is spoken to by chat completions, as OpenAI's API has them: what it tells of its model, and an answer event by event.
// Source: OpenAI's API reference; what others add is read where it is there.
import { faultOf } from '../../../core/faults/faults.ts';
import type { LoadParams, ServerParams } from '../../../protocol/engine.ts';
import type { Http } from '../wire/http.ts';
import { asCount, asList, asShape, asText, type Shape } from '../wire/shape.ts';
import { Silence } from '../wire/silence.ts';

export interface ChatFacts {
  readonly model: string;
  /** Tokens. */
  readonly window: number;
  readonly reasons: readonly string[];
}

export interface ChatCall {
  readonly id: string;
  readonly name: string;
  /** JSON, as far as it came. */
  readonly arguments: string;
}

export interface ChatAnswer {
  readonly calls: readonly ChatCall[];
  readonly stop: 'end' | 'length';
  /** Tokens by the server's own count; null where it does not say. */
  readonly usage: { readonly prompt: number; readonly written: number; readonly cached: number | null } | null;
}

export async function lookAtChat(
  http: Http,
  { model: wanted }: ServerParams,
  { contextSize }: Pick<LoadParams, 'contextSize'>,
): Promise<ChatFacts> {
  const models = asList(asShape(await http.json('/v1/models')).data).map(asShape);
  const names = models.map(({ id }) => asText(id)).filter((name) => name !== '');
  const model = wanted === '' ? names[0] : wanted;
  if (model === undefined) throw http.fault({ is: 'notUnderstood', reason: '/v1/models names no model' });
  if (names.length > 0 && !names.includes(model))
    throw http.fault({
      is: 'badAddress',
      reason: `"model" is ${model}, and the server has ${names.slice(0, 8).join(', ')}`,
    });
  const told = windowIn(models.find(({ id }) => id === model) ?? {}) ?? (await runningWindow(http, model));
  const reasons = [
    ...(wanted === '' && names.length > 1
      ? [`It has ${names.length} models: "model" in tidemark.servers chooses one.`]
      : []),
    told === null
      ? 'It does not tell its window: tidemark.model.contextSize counts, and must not be larger than that of the server.'
      : 'It tells its window.',
  ];
  return { model, window: told ?? contextSize, reasons };
}

/** Why it takes no tools; null where it takes them. A question of its own finds out: some servers must be started for it. */
export async function whyNoTools(http: Http, model: string): Promise<string | null> {
  const parameters = { type: 'object', properties: {}, required: [] };
  const tools = [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters } }];
  const body = { model, messages: [{ role: 'user', content: 'Hello.' }], tools, max_tokens: 1 };
  return chatCompletion(http, body, () => undefined, new AbortController().signal).then(
    () => null,
    (error: unknown) => {
      const fault = faultOf(error);
      if (fault.kind === 'server' && fault.problem.is === 'failed' && fault.problem.status === 400)
        return fault.problem.reason;
      throw error;
    },
  );
}

/** By the names that vLLM, gateways, LM Studio and llama-server have for it. */
function windowIn(model: Shape): number | null {
  const { n_ctx: own } = asShape(model.meta);
  const all = [model.max_model_len, own, model.context_length, model.context_window, model.max_context_length];
  return all.map(asCount).find((count) => count !== null && count > 0) ?? null;
}

/** Ollama tells it of models that run. */
async function runningWindow(http: Http, model: string): Promise<number | null> {
  const running = await http.json('/api/ps').catch(() => null);
  const found = asList(asShape(running).models)
    .map(asShape)
    .find(({ name }) => name === model);
  return asCount(found?.context_length);
}

/** Rejects with a FaultError, or with the signal's reason. `onText` is told each piece of what it says, and of what it thinks. */
export async function chatCompletion(
  http: Http,
  body: object,
  onText: (text: string, isThought: boolean) => void,
  signal: AbortSignal,
): Promise<ChatAnswer> {
  const leaving = new AbortController();
  const silence = new Silence(http, leaving, { busy: null, there: '/v1/models' });
  const answer = new AnswerReader(onText);
  const request = { ...body, stream: true, stream_options: { include_usage: true } };
  try {
    const both = AbortSignal.any([signal, leaving.signal]);
    for await (const event of http.events('/v1/chat/completions', request, () => silence.heard(), both))
      answer.read(asShape(event));
    if (answer.stop === null) throw http.fault({ is: 'cut' });
    return answer.whole();
  } catch (error) {
    throw silence.fault ?? error;
  } finally {
    silence.stop();
    leaving.abort();
  }
}

class AnswerReader {
  stop: ChatAnswer['stop'] | null = null;
  private usage: ChatAnswer['usage'] = null;
  private readonly calls: { id: string; name: string; arguments: string }[] = [];
  private readonly onText: (text: string, isThought: boolean) => void;

  constructor(onText: (text: string, isThought: boolean) => void) {
    this.onText = onText;
  }

  read(event: Shape): void {
    const usage = asShape(event.usage);
    const [prompt, written] = [asCount(usage.prompt_tokens), asCount(usage.completion_tokens)];
    const cached = asCount(asShape(usage.prompt_tokens_details).cached_tokens);
    if (prompt !== null && written !== null) this.usage = { prompt, written, cached };
    const choice = asShape(asList(event.choices)[0]);
    const delta = asShape(choice.delta);
    this.say(asText(delta.reasoning_content) || asText(delta.reasoning), true);
    this.say(asText(delta.content), false);
    for (const [at, call] of asList(delta.tool_calls).map(asShape).entries())
      this.called(asCount(call.index) ?? at, call);
    const { finish_reason: reason } = choice;
    if (typeof reason === 'string') this.stop = reason === 'length' ? 'length' : 'end';
  }

  whole(): ChatAnswer {
    return { calls: this.calls.filter(Boolean), stop: this.stop ?? 'end', usage: this.usage };
  }

  private say(text: string, isThought: boolean): void {
    if (text !== '') this.onText(text, isThought);
  }

  private called(at: number, call: Shape): void {
    const { name, arguments: given } = asShape(call.function);
    // An answer with thousands of calls is none.
    if (at > 63) return;
    const known = this.calls[at] ?? { id: '', name: '', arguments: '' };
    this.calls[at] = {
      id: known.id || asText(call.id),
      name: known.name + asText(name),
      arguments: known.arguments + asText(given),
    };
  }
}
