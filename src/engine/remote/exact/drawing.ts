// Has a server write one message. It is one request as long as nothing changes; where a grammar begins, or thoughts are ended, the request
// is left and another one goes on behind the ids so far, which the server still holds.
import { Repetition } from '../../../core/model/repetition.ts';
import { openedMark, watchThoughts } from '../../../core/model/thoughts.ts';
import type { GenerateParams } from '../../../protocol/engine.ts';
import type { ModelLanguage } from '../../../templates/language.ts';
import type { Spelling } from '../../../templates/spelling.ts';
import { type CallWatch, type GrammarStart, type Speaks, watchCalls } from '../../grammar/callWatch.ts';
import type { Heard } from '../../workerEngine.ts';
import type { HiddenKey } from '../wire/hiddenKey.ts';
import type { ServerCounts } from '../wire/remoteSlot.ts';
import type { CompletionRequest, ExactServer } from './exactServer.ts';
import type { FetchedTokens } from './fetchedTokens.ts';

export interface DrawingJob {
  readonly server: ExactServer;
  readonly tokens: FetchedTokens;
  readonly speaks: Speaks & Pick<ModelLanguage, 'template'>;
  readonly params: Pick<
    GenerateParams,
    'prompt' | 'maxTokens' | 'thoughtTokens' | 'toolCalls' | 'grammar' | 'quotable'
  >;
  /** Without the tokens of a message that the prompt ends within. */
  readonly prompt: readonly number[];
  readonly sampling: CompletionRequest['sampling'];
  /** The server's number of the slot. */
  readonly slot: number | null;
  readonly heard: Heard;
}

/** The message so far; it is kept when a request fails. */
export interface Drawn {
  /** The mark of the thoughts that the template opened, which stands in front of the texts. */
  opened: string;
  readonly ids: number[];
  /** The text of each. */
  readonly texts: string[];
  /** How many of them count, where it went round in circles. */
  kept: number | null;
  stop: 'end' | 'length' | 'repeats' | 'cancelled';
  /** The server's counts of the first request. */
  counts: ServerCounts;
  /** `performance.now()`; null before the first token. */
  firstToken: number | null;
  /** Tokens that were thoughts. */
  thought: number;
  /** All tokens that were taken are in the slot, not all but the last. */
  isWhole: boolean;
}

/** `begun`: tokens of the message that the prompt brings. */
export function nothingDrawn(begun: readonly number[], spelling: Spelling): Drawn {
  const text = spelling.stream();
  return {
    opened: '',
    ids: [...begun],
    texts: begun.map((id) => text.push(id)),
    kept: null,
    stop: 'cancelled',
    counts: { cached: null, decoded: null },
    firstToken: null,
    thought: 0,
    isWhole: false,
  };
}

export async function drawMessage(job: DrawingJob, drawn: Drawn, signal: AbortSignal): Promise<void> {
  const { server, tokens, speaks, params, prompt, sampling, slot, heard } = job;
  const calls = await tokens.whole(() => watchCalls(speaks, params), signal);
  const taker = new Taker(job, drawn, calls);
  const begun = drawn.ids.length;
  const maxTokens = begun + Math.min(params.maxTokens, server.facts.window - prompt.length - begun);
  for (let first = true; ; first = false) {
    const start = calls.grammar();
    const request = {
      ids: [...prompt, ...drawn.ids],
      maxTokens: maxTokens - drawn.ids.length,
      grammar: start?.text ?? null,
      banned: calls.banned,
      sampling,
      slot,
    };
    const onProgress = first ? heard.onProgress : () => undefined;
    const onIds = (ids: readonly number[], text: string | null) => taker.take(ids, text, start);
    const before = drawn.ids.length;
    const done = await server.complete(request, { onProgress, onIds }, signal);
    if (first) drawn.counts = done;
    if (done.stop === 'broken') {
      drawn.stop = 'length';
      if (drawn.ids.length > before && drawn.ids.length < maxTokens) continue;
      break;
    }
    if (done.stop !== 'left') {
      drawn.stop = done.stop;
      drawn.isWhole = done.stop === 'end';
      break;
    }
    const { close } = taker;
    if (close !== null) taker.put(await tokens.whole(() => speaks.safe.glue(close), signal), close);
    else if (!taker.goesOn) break;
    if (drawn.ids.length >= maxTokens) {
      drawn.stop = 'length';
      break;
    }
  }
  taker.end();
}

class Taker {
  /** The text that ends the thoughts, which is due now. */
  close: string | null = null;
  /** The request was left for another one. */
  goesOn = false;
  private readonly drawn: Drawn;
  private readonly calls: CallWatch;
  private readonly text: ReturnType<Speaks['spelling']['stream']>;
  private readonly circles = new Repetition();
  private readonly thoughts: ReturnType<typeof watchThoughts>;
  private readonly onText: Heard['onText'];
  private readonly shown: ReturnType<HiddenKey['stream']>;
  private readonly tokens: FetchedTokens;

  constructor({ server, speaks, params, heard, tokens }: DrawingJob, drawn: Drawn, calls: CallWatch) {
    this.shown = server.hidden.stream();
    this.tokens = tokens;
    this.drawn = drawn;
    this.calls = calls;
    this.text = speaks.spelling.stream();
    this.onText = heard.onText;
    for (const piece of drawn.texts) calls.see(piece);
    for (const id of drawn.ids) this.circles.push(id);
    const last = speaks.template.render(params.prompt, true).findLast((part) => 'glue' in part);
    const promptEnd = last?.glue ?? '';
    const { marks } = speaks.thinking;
    drawn.opened = openedMark(promptEnd, params, marks);
    this.thoughts = watchThoughts({
      budget: params.thoughtTokens ?? Infinity,
      promptEnd,
      channels: speaks.syntax?.channels ?? false,
      marks,
      begun: [...drawn.texts],
    });
  }

  /** Whether the request goes on, whose grammar began with `start`. */
  take(ids: readonly number[], text: string | null, start: GrammarStart | undefined): boolean {
    this.goesOn = false;
    const told = text === null ? null : this.shared(text, ids);
    for (const [at, id] of ids.entries()) {
      this.drawn.firstToken ??= performance.now();
      const { piece, over } = this.one(id, told === null ? null : (told[at] ?? ''));
      if (over) return false;
      const close = this.thoughts.hear(piece);
      // Within a call it would make nonsense of it.
      if (close !== null && this.calls.grammar() === undefined) {
        this.close = close;
        return false;
      }
      const now = this.calls.grammar();
      const changed = now !== start && !(start?.opening === true && now === undefined);
      this.goesOn = changed;
      // Tokens behind this one were drawn without the grammar.
      if (changed) return false;
    }
    return true;
  }

  /** Splits an event's text among its tokens: each gets its own text as far as the event has it, and the last one the rest. */
  private shared(text: string, ids: readonly number[]): readonly string[] {
    let rest = text;
    return ids.map((id, at) => {
      const own = at === ids.length - 1 ? rest : this.tokens.vocabulary.detokenise([id], [id]);
      if (!rest.startsWith(own)) return '';
      rest = rest.slice(own.length);
      return own;
    });
  }

  /** Puts tokens behind the last one taken, as if they had been drawn. */
  put(ids: readonly number[], text: string): void {
    this.close = null;
    for (const [at, id] of ids.entries()) this.one(id, at === ids.length - 1 ? text : '');
  }

  end(): void {
    this.drawn.thought = this.thoughts.tokens();
    const rest = this.text.end();
    this.drawn.texts.push(rest);
    this.say(rest);
    this.tell(this.shown.end());
  }

  private one(id: number, told: string | null): { readonly piece: string; readonly over: boolean } {
    const { drawn } = this;
    if (drawn.ids.length === 0) this.say(drawn.opened);
    drawn.ids.push(id);
    const piece = told ?? this.text.push(id);
    drawn.texts.push(piece);
    const called = this.calls.see(piece);
    this.say(piece);
    drawn.kept = called ? null : this.circles.push(id);
    if (called) drawn.stop = 'end';
    else if (drawn.kept !== null) drawn.stop = 'repeats';
    return { piece, over: called || drawn.kept !== null };
  }

  private say(words: string): void {
    this.tell(this.shown.push(words));
  }

  private tell(words: string): void {
    if (words !== '') this.onText(words);
  }
}
