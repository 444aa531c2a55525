// A server that is spoken to by chat completions, as OpenAI's API has them: what it tells of its model, and an answer event by event.
// Source: OpenAI's API reference; what others add is read where it is there.
import { faultOf } from '../../../core/faults/faults.ts';
import { leastAuto } from '../../../core/machine/autoWindow.ts';
import type { LoadParams, ServerParams } from '../../../protocol/engine.ts';
import { AnswerLimit } from '../wire/answerLimit.ts';
import type { HiddenKey } from '../wire/hiddenKey.ts';
import { type Http, streamEnd } from '../wire/http.ts';
import { asCount, asList, asName, asShape, asSize, asText, modelNamed, modelsIn, type Shape } from '../wire/shape.ts';
import { Silence } from '../wire/silence.ts';

export interface ChatFacts {
  readonly model: string;
  /** Tokens. */
  readonly window: number;
  /** Why it takes no tools; null where it takes them. */
  readonly noTools: string | null;
  /** Whether it is asked to count what it did; some refuse the question. */
  readonly counts: boolean;
  readonly reasons: readonly string[];
  /** Facts about the server's model that must stay the same, as JSON. */
  readonly identity: string;
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
  const models = await modelsOf(http);
  const names = models.map(({ id }) => asName(id)).filter((name) => name !== '');
  const model = asName(modelNamed(models, wanted)?.id) || wanted;
  if (model === '') throw http.fault({ is: 'notUnderstood', reason: '/v1/models names no model' });
  if (names.length > 0 && !names.includes(model))
    throw http.fault({
      is: 'badAddress',
      reason: `"model" is ${model}, and the server has ${names.slice(0, 8).join(', ')}`,
    });
  // A server that loads models when they are asked for tells the window only afterwards.
  const ways = await waysOf(http, model);
  const listed = models.find(({ id }) => id === model) ?? {};
  const told = windowIn(listed) ?? (await runningWindow(http, model));
  const reasons = [
    ...(wanted === '' && names.length > 1
      ? [`It has ${names.length} models: "model" in tidemark.servers chooses one.`]
      : []),
    told === null ? untoldWords(contextSize) : 'It tells its window.',
  ];
  return { model, window: told ?? contextSize ?? leastAuto, ...ways, reasons, identity: identityOf(listed) };
}

function untoldWords(contextSize: number | null): string {
  return contextSize === null
    ? `It does not tell its window: ${leastAuto} tokens are assumed. Set tidemark.model.contextSize to that of the server.`
    : 'It does not tell its window: tidemark.model.contextSize counts, and must not be larger than that of the server.';
}

/** Rejects with a fault where the model is not the one that it was, or there no more. */
export async function checkChat(http: Http, { model, identity }: ChatFacts, signal: AbortSignal): Promise<void> {
  const listed = (await modelsOf(http, signal)).find(({ id }) => id === model) ?? {};
  if (identityOf(listed) !== identity) throw http.fault({ is: 'changed', what: 'its model or its window changed' });
}

async function modelsOf(http: Http, signal?: AbortSignal): Promise<readonly Shape[]> {
  return modelsIn(await http.json('/v1/models', null, signal));
}

/** The model's entry in the list, without its time stamps. */
function identityOf(model: Shape): string {
  return JSON.stringify([asText(model.id), asText(model.root), windowIn(model)]);
}

/** Finds out by small requests what the server accepts: some servers must be started for tools, and some count nothing. */
async function waysOf(http: Http, model: string): Promise<Pick<ChatFacts, 'noTools' | 'counts'>> {
  const parameters = { type: 'object', properties: {}, required: [] };
  const tools = [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters } }];
  const plain = { model, messages: [{ role: 'user', content: 'Hello.' }], max_tokens: 1 };
  const refusal = (body: typeof plain, counts: boolean) =>
    chatCompletion(http, body, { counts, onText: () => undefined }, new AbortController().signal).then(
      () => null,
      (error: unknown) => refusedIn(error),
    );
  const why = await refusal({ ...plain, ...{ tools } }, true);
  if (why === null) return { noTools: null, counts: true };
  if ((await refusal(plain, true)) === null) return { noTools: why, counts: true };
  if ((await refusal({ ...plain, ...{ tools } }, false)) === null) return { noTools: null, counts: false };
  const still = await refusal(plain, false);
  if (still !== null) throw http.fault({ is: 'failed', status: 400, reason: still });
  return { noTools: why, counts: false };
}

/** Why a request is not taken as it is. Throws what ails any request. */
function refusedIn(error: unknown): string {
  const fault = faultOf(error);
  if (fault.kind === 'server' && fault.problem.is === 'failed' && fault.problem.status >= 400)
    return fault.problem.reason;
  throw error;
}

/** Reads the window by the names that vLLM, gateways, LM Studio and llama-server have for it. */
function windowIn(model: Shape): number | null {
  const { n_ctx: own } = asShape(model.meta);
  const all = [model.max_model_len, own, model.context_length, model.context_window, model.max_context_length];
  return all.map(asSize).find((count) => count !== null && count > 0) ?? null;
}

/** Ollama tells it of models that run. */
async function runningWindow(http: Http, model: string): Promise<number | null> {
  const running = await http.json('/api/ps').catch(() => null);
  const found = asList(asShape(running).models)
    .map(asShape)
    .find(({ name }) => name === model);
  return asSize(found?.context_length) || null;
}

interface Hearing {
  /** Whether it is asked for its counts. */
  readonly counts: boolean;
  /** Told each piece of what it says, and of what it thinks. */
  readonly onText: (text: string, isThought: boolean) => void;
}

/** Rejects with a FaultError, or with the signal's reason. */
export async function chatCompletion(
  http: Http,
  body: { readonly max_tokens: number },
  { counts, onText }: Hearing,
  signal: AbortSignal,
): Promise<ChatAnswer> {
  const leaving = new AbortController();
  const silence = new Silence(http, leaving, { busy: null, there: '/v1/models' });
  const limit = new AnswerLimit(http, body.max_tokens, silence);
  const answer = new AnswerReader(onText, limit, http.hidden);
  const request = { ...body, stream: true, ...(counts ? { stream_options: { include_usage: true } } : {}) };
  let isBegun = false;
  try {
    const both = AbortSignal.any([signal, leaving.signal]);
    for await (const event of http.events('/v1/chat/completions', request, both)) {
      isBegun = true;
      if (event === streamEnd) return answer.whole();
      answer.read(asShape(event));
    }
    if (answer.stop === null) throw http.fault({ is: 'cut' });
    return answer.whole();
  } catch (error) {
    // Behind the reason why it ended nothing of the answer comes.
    if (answer.stop !== null && isCut(error)) return answer.whole();
    if (!isBegun && isCut(error)) await refusedWithoutStream(http, body, signal);
    throw silence.fault ?? error;
  } finally {
    silence.stop();
    leaving.abort();
  }
}

/**
 * llama-cpp-python ends a stream without a word where it refuses a prompt; asked for one token without a stream it says why. Rejects with
 * that reason, or where the signal aborts; where it has none, it is not known.
 */
async function refusedWithoutStream(http: Http, body: object, signal: AbortSignal): Promise<void> {
  try {
    await http.json('/v1/chat/completions', { ...body, max_tokens: 1, stream: false }, signal);
  } catch (error) {
    const fault = faultOf(error);
    if (signal.aborted || (fault.kind === 'server' && fault.problem.is === 'failed')) throw error;
  }
}

function isCut(error: unknown): boolean {
  const fault = faultOf(error);
  return fault.kind === 'server' && fault.problem.is === 'cut';
}

class AnswerReader {
  stop: ChatAnswer['stop'] | null = null;
  private usage: ChatAnswer['usage'] = null;
  private readonly calls: { id: string; name: string; arguments: string }[] = [];
  /** Which of them each number of the server's means now. */
  private readonly numbered = new Map<number, number>();
  private readonly onText: Hearing['onText'];
  private readonly limit: AnswerLimit;
  private readonly hidden: HiddenKey;
  private readonly text: ReturnType<HiddenKey['stream']>;
  /** Whether what it said last was a thought. */
  private isThought = false;

  constructor(onText: Hearing['onText'], limit: AnswerLimit, hidden: HiddenKey) {
    this.onText = onText;
    this.limit = limit;
    this.hidden = hidden;
    this.text = hidden.stream();
  }

  read(event: Shape): void {
    const usage = asShape(event.usage);
    const [prompt, written] = [asSize(usage.prompt_tokens), asSize(usage.completion_tokens)];
    const cached = asSize(asShape(usage.prompt_tokens_details).cached_tokens);
    if (prompt !== null && written !== null) this.usage = { prompt, written, cached };
    const choice = asShape(asList(event.choices)[0]);
    const delta = asShape(choice.delta);
    const thought = asText(delta.reasoning_content) || asText(delta.reasoning);
    const said = asText(delta.content);
    const calls = asList(delta.tool_calls).map(pieceOfCall);
    const ofCalls = calls.reduce((sum, { id, name, given }) => sum + id.length + name.length + given.length + 1, 0);
    // Before anything of it is kept or shown.
    this.limit.took(thought.length + said.length + ofCalls);
    this.say(thought, true);
    this.say(said, false);
    for (const call of calls) this.called(call);
    const reason = asText(choice.finish_reason);
    if (reason !== '') this.stop = reason === 'length' ? 'length' : 'end';
  }

  whole(): ChatAnswer {
    this.flush();
    const calls = this.calls.map(({ id, name, arguments: given }) => ({
      id: this.hidden.in(id),
      name: this.hidden.in(name),
      arguments: this.hidden.in(given),
    }));
    return { calls, stop: this.stop ?? 'end', usage: this.usage };
  }

  /** Says what was held because the key could begin with it. */
  private flush(): void {
    const rest = this.text.end();
    if (rest !== '') this.onText(rest, this.isThought);
  }

  private say(text: string, isThought: boolean): void {
    if (text === '') return;
    if (isThought !== this.isThought) this.flush();
    this.isThought = isThought;
    const shown = this.text.push(text);
    if (shown !== '') this.onText(shown, isThought);
  }

  /** A piece of a call: of the one that it numbers, or of the last one, unless it begins another. */
  private called({ number, id, name, given }: PieceOfCall): void {
    const at = number === null ? this.calls.length - 1 : (this.numbered.get(number) ?? -1);
    const known = this.calls[at];
    // Some servers number all of them 0, and some none.
    const goesOn = known !== undefined && (id === '' || known.id === '' || id === known.id);
    const named = number === null && id === '' && name !== '' && known?.name !== '';
    if (goesOn && !named) {
      known.id ||= id;
      known.name += name;
      known.arguments += given;
      return;
    }
    if (number !== null) this.numbered.set(number, this.calls.length);
    this.calls.push({ id, name, arguments: given });
  }
}

type PieceOfCall = ReturnType<typeof pieceOfCall>;

function pieceOfCall(value: unknown) {
  const call = asShape(value);
  const { name, arguments: given } = asShape(call.function);
  return { number: asCount(call.index), id: asText(call.id), name: asText(name), given: argumentsIn(given) };
}

/** JSON, also where it comes as what it stands for. */
function argumentsIn(given: unknown): string {
  return typeof given === 'object' && given !== null ? JSON.stringify(given) : asText(given);
}
