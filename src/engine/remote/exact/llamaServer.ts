// llama-server of llama.cpp: ids there and back by /completion, texts by /tokenize, the model and its template by /props.
// Source: tools/server/README.md of llama.cpp.
import { faultOf } from '../../../core/faults/faults.ts';
import type { LoadParams, ServerParams } from '../../../protocol/engine.ts';
import { AnswerLimit } from '../wire/answerLimit.ts';
import type { HiddenKey } from '../wire/hiddenKey.ts';
import { type Http, mostTokenBytes, streamEnd } from '../wire/http.ts';
import { asIds, asShape, type Shape } from '../wire/shape.ts';
import { Silence } from '../wire/silence.ts';
import type {
  CompletionHeard,
  CompletionRequest,
  ExactServer,
  LearnedVocabulary,
  ServerCompletion,
  ServerFacts,
} from './exactServer.ts';
import { learnVocabulary } from './learnVocabulary.ts';
import { identityOf, type LookedAt, lookAtLlamaServer, propsAndMeta } from './llamaLook.ts';
import { bodyOf, StreamReader } from './llamaStream.ts';
import { type IdsByBytes, idsByBytes } from './missingIds.ts';

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
