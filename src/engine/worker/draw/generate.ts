// A generation on a slot: prefill, then sample (or take the forced tokens), streaming whole characters.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  type ControlledEvaluateInputItem,
  type LlamaContextSequence,
  type LlamaGrammarEvaluationState,
  type SequenceEvaluateOptions,
  type Token,
  TokenBias,
} from 'node-llama-cpp';
import { FaultError, reasonOf } from '../../../core/faults/faults.ts';
import { cut, partedAtMessage } from '../../../core/kv/kvImage.ts';
import { chunkOf } from '../../../core/machine/askers.ts';
import { LookUp } from '../../../core/model/lookUp.ts';
import type { Generation } from '../../../core/model/model.ts';
import { Repetition } from '../../../core/model/repetition.ts';
import { samplingFor } from '../../../core/model/sampling.ts';
import { openedMark, watchThoughts } from '../../../core/model/thoughts.ts';
import { type CallWatch, watchCalls } from '../../grammar/callWatch.ts';
import { neverShift, WindowFull } from '../slot/decode.ts';
import type { Slot } from '../slot/slot.ts';
import { asTokens } from '../slot/vocabulary.ts';
import { type GrammarStates, grammarStates } from './grammars.ts';
import { firstToken, type GenerationJob, type GenerationRun, promptEndOf } from './job.ts';

/** Rejects with `doesNotFit` where the prompt is too long, and where the engine says itself that its context is full. */
export async function generate(job: GenerationJob): Promise<Generation> {
  try {
    return await generated(job);
  } catch (error) {
    throw isFull(error) ? tooLong(job.prompt.tokens.length, job.slot.sequence.contextSize) : error;
  }
}

/** The library's own hook, or what llama.cpp says when its cache has no cells left. */
function isFull(error: unknown): boolean {
  return error instanceof WindowFull || /\bKV[ -](?:slot|cache)\b/i.test(reasonOf(error));
}

async function generated(job: GenerationJob): Promise<Generation> {
  const started = performance.now();
  const { slot, loaded, signal, onProgress } = job;
  const { tokens, image } = job.prompt;
  const window = slot.sequence.contextSize;
  if (tokens.length >= window) throw tooLong(tokens.length, window);
  const { reuse, asker = 'answer' } = job.params;
  // The last token comes with the generation, whose first token needs its logits.
  const head = await slot.fill(cut(image, tokens.length - 1), { reuse, asker, signal, onProgress });
  const { before, begun } = partedAtMessage(image, job.params.prompt);
  const run: GenerationRun = {
    opened: openedMark(
      promptEndOf(loaded, tokens.slice(0, tokens.length - begun.length)),
      job.params,
      loaded.thinking.marks,
    ),
    ids: [...asTokens(begun)],
    kept: null,
    stop: 'cancelled',
    lastPromptTokens: 0,
    firstToken: null,
    quoted: 0,
    thought: 0,
  };
  if (!signal.aborted) {
    const generating = job.forced === null ? draw(job, run) : force(job, job.forced, run);
    await generating.finally(() => slot.grown(before, run.ids));
  }
  const first = run.firstToken ?? performance.now();
  const ids = run.ids.slice(0, run.kept ?? run.ids.length);
  return {
    raw: (ids.length === 0 ? '' : run.opened) + loaded.spelling.text(ids),
    generated: { model: loaded.fingerprint, ids },
    stop: run.stop,
    prefill: { ...head, decoded: head.decoded + run.lastPromptTokens, milliseconds: first - started },
    firstTokenMilliseconds: first - started,
    generateMilliseconds: performance.now() - first,
    quoted: run.quoted,
    ...(run.thought > 0 && { thoughtTokens: run.thought }),
  };
}

async function force(
  { slot: { sequence, pace }, prompt: { tokens } }: GenerationJob,
  forced: readonly number[],
  run: GenerationRun,
): Promise<void> {
  const meter = sequence.tokenMeter.getState();
  await sequence.evaluateWithoutGeneratingNewTokens(asTokens(tokens.slice(-1)), { contextShift: neverShift });
  firstToken(run, sequence.tokenMeter.diff(meter));
  // The last token of a message is not in the sequence yet, as after sampling: the next prompt brings it.
  const left = sequence.contextSize - sequence.nextTokenIndex - 1;
  const known = asTokens(forced.slice(0, Math.min(forced.length - 1, left)));
  // Before they are decoded: should that fail half way, the slot is to know what it holds.
  run.ids.push(...asTokens(forced));
  const size = chunkOf('answer', pace);
  for (let at = 0; at < known.length; at += size) {
    const chunk = known.slice(at, at + size);
    await sequence.evaluateWithoutGeneratingNewTokens(chunk, { contextShift: neverShift });
  }
  run.stop = 'end';
}

export function tooLong(needed: number, window: number): FaultError {
  return new FaultError({ kind: 'doesNotFit', needed, high: window - 1, window, reserve: 1, pinned: 0 });
}

// Has the model write one message: draws tokens, watches for calls, circles and thoughts that take too long, and says when it ends.

/** Tokens that are generated between two looks at the machine. */
const stretchTokens = 8;

async function draw(job: GenerationJob, run: GenerationRun): Promise<void> {
  const { loaded, params, prompt, slot, signal } = job;
  const { sequence } = slot;
  const begun = [...run.ids];
  const calls = watchCalls(loaded, params);
  const grammars = grammarStates(loaded, calls);
  await grammars.follow();
  const { hear, take, end } = takerOf(job, run, calls, grammars);
  const asked = prompt.tokens.slice(0, prompt.tokens.length - begun.length);
  const said: string[] = [];
  for (const id of begun) said.push((await hear(id)).piece);
  const thoughts = watchThoughts({
    budget: params.thoughtTokens ?? Infinity,
    promptEnd: promptEndOf(loaded, asked),
    channels: loaded.syntax?.channels ?? false,
    marks: loaded.thinking.marks,
    begun: said,
  });
  let close: string | null = null;
  const drawing = drawingFor(job, begun, calls, grammars);
  const pace = paceOf(slot, drawing);
  const meter = sequence.tokenMeter.getState();
  const maxTokens = begun.length + Math.min(params.maxTokens, sequence.contextSize - prompt.tokens.length);
  try {
    for await (const id of drawing.tokens()) {
      if (run.firstToken === null) firstToken(run, sequence.tokenMeter.diff(meter));
      run.stop = signal.aborted ? 'cancelled' : loaded.model.isEogToken(id) ? 'end' : 'length';
      if (run.stop !== 'length') break;
      pace();
      const piece = await take(id);
      close ??= thoughts.hear(piece);
      // Within a call it would make nonsense of it.
      if (close !== null && run.stop === 'length' && grammars.state() === undefined) {
        const ids = asTokens(loaded.safe.glue(close));
        drawing.insert(ids);
        for (const one of ids) await take(one);
        close = null;
      }
      if (run.stop !== 'length' || run.ids.length >= maxTokens) break;
    }
  } catch (error) {
    if (!(error instanceof WindowFull)) throw error;
    run.stop = 'length';
  }
  run.quoted = drawing.quoted;
  run.thought = thoughts.tokens();
  end();
}

/** `take` has a token drawn for the message, and says whether it ends there; `hear` is for those that stood there before. */
function takerOf({ loaded, onText }: GenerationJob, run: GenerationRun, calls: CallWatch, grammars: GrammarStates) {
  const text = loaded.spelling.stream();
  const circles = new Repetition();
  const say = (words: string) => {
    if (words !== '') onText(words);
  };
  const hear = async (id: Token) => {
    const piece = text.push(id);
    const called = calls.see(piece);
    await grammars.follow();
    return { piece, called, kept: called ? null : circles.push(id) };
  };
  const take = async (id: Token) => {
    if (run.ids.length === 0) say(run.opened);
    run.ids.push(id);
    const { piece, called, kept } = await hear(id);
    say(piece);
    run.kept = kept;
    if (called) run.stop = 'end';
    else if (run.kept !== null) run.stop = 'repeats';
    return piece;
  };
  return { hear, take, end: () => say(text.end()) };
}

function drawingFor(
  job: GenerationJob,
  begun: readonly Token[],
  { banned }: CallWatch,
  grammars: GrammarStates,
): Drawing {
  const { slot, prompt, params, loaded, guesses = true } = job;
  const { repeatPenalty, ...values } = samplingFor(params.sampling, loaded.sampling).values;
  const { seed } = params.sampling;
  // With a seed the text is to be the same another time, whatever a step takes then.
  const isFree = guesses && (seed === null || values.temperature === 0) && !slot.sequence.needsCheckpoints;
  return new Drawing(slot.sequence, prompt.tokens.at(-1) as Token, {
    sampling: { ...values, ...(seed !== null && { seed }) },
    repeatPenalty,
    begun,
    grammar: grammars.state,
    ...(banned.length > 0 && { tokenBias: TokenBias.for(loaded.model).set(asTokens(banned), 'never') }),
    lookUp: isFree ? new LookUp(prompt.tokens, slot.stepCosts) : null,
  });
}

/** Told of each token. Guessing says nothing of how fast tokens are drawn. */
function paceOf({ threading }: Slot, drawing: Drawing): () => void {
  let [tokens, checks, end] = [0, 0, threading.begin('generation')];
  return () => {
    tokens += 1;
    if (tokens < stretchTokens) return;
    end(drawing.checks === checks ? tokens : 0);
    [tokens, checks, end] = [0, drawing.checks, threading.begin('generation')];
  };
}

// Draws tokens one after another. Where no grammar holds, the model checks guesses of what comes next: several tokens in one step,
// of which those stay that it draws itself.

// Has the memory of short-lived native objects given back. V8 does not know how large they are: the library's sampler, one for each
// step in which guesses are checked, holds 12 bytes for each token of the vocabulary until it is collected.

type Collect = (how: { readonly type: 'minor' }) => void;

/** Steps between two collections, each of which takes about half a millisecond. */
const steps = 32;

/** Told of each step. */
function collectAfterSteps(): () => void {
  let collect: Collect | null = null;
  let taken = 0;
  return () => {
    taken += 1;
    if (taken % steps !== 0) return;
    collect ??= exposed();
    collect({ type: 'minor' });
  };
}

function exposed(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}

interface How {
  readonly sampling: Pick<SequenceEvaluateOptions, 'temperature' | 'topK' | 'topP' | 'minP' | 'seed'>;
  readonly tokenBias?: TokenBias | undefined;
  /** Draws the tokens of the message so far more rarely; 1 is as often as others. */
  readonly repeatPenalty: number;
  /** Tokens of the message that stand in the prompt. */
  readonly begun: readonly Token[];
  /** Asked before each token; undefined is any text. */
  readonly grammar: () => LlamaGrammarEvaluationState | undefined;
  /** The guesser, or null when nothing is to be guessed. */
  readonly lookUp: LookUp | null;
}

/** Seeds are below. */
const seeds = 2 ** 31;

class Drawing {
  /** Steps in which guesses were checked. */
  checks = 0;
  /** Guesses that were right. */
  quoted = 0;
  private readonly sequence: LlamaContextSequence;
  private readonly how: How;
  private readonly plain: ReturnType<LlamaContextSequence['evaluate']>;
  /** All that was taken. */
  private readonly ids: Token[] = [];
  /** Tokens to decode for the next one. */
  private input: Token[];
  private put: readonly Token[] = [];
  private readonly collect = collectAfterSteps();

  /** `last`: the token of the prompt that is not in the sequence yet. */
  constructor(sequence: LlamaContextSequence, last: Token, how: How) {
    this.sequence = sequence;
    this.how = how;
    this.input = [last];
    this.plain = sequence.evaluate(this.input, {
      ...how.sampling,
      ...this.biasWith([]),
      grammarEvaluationState: how.grammar,
      contextShift: neverShift,
      yieldEogToken: true,
    });
  }

  /** Puts tokens behind the last one taken, as if they had been drawn. */
  insert(ids: readonly Token[]): void {
    this.put = ids;
  }

  /** At its end the sequence holds all that was taken but the last token, which the next prompt brings. */
  async *tokens(): AsyncGenerator<Token, void, undefined> {
    const start = this.sequence.nextTokenIndex;
    try {
      for (;;) {
        for (const id of await this.step()) {
          this.take([id]);
          yield id;
          if (this.put.length === 0 && this.how.grammar() === undefined) continue;
          // Guesses checked behind this token belong to another text.
          await this.drop(start + this.ids.length);
          this.take(this.put);
          this.input = [id, ...this.put];
          this.put = [];
          break;
        }
      }
    } finally {
      await this.plain.return();
      if (this.ids.length > 0) await this.drop(start + this.ids.length);
    }
  }

  private take(ids: readonly Token[]): void {
    this.input = [...ids];
    this.ids.push(...ids);
    for (const id of ids) this.how.lookUp?.push(id);
  }

  /** At least one token. */
  private async step(): Promise<readonly Token[]> {
    const { input, how, ids, sequence } = this;
    // The time of the first token is that of the prompt.
    const lookUp = ids.length > 0 && input.length === 1 && how.grammar() === undefined ? how.lookUp : null;
    const left = Math.max(0, sequence.contextSize - sequence.nextTokenIndex - 2);
    const guess = (lookUp?.guess() ?? []).slice(0, left) as Token[];
    const started = performance.now();
    const drawn = guess.length === 0 ? await this.one() : await this.checked(guess);
    lookUp?.told(guess.length, drawn.length - 1, performance.now() - started);
    return drawn;
  }

  private async one(): Promise<readonly Token[]> {
    const { value } = await this.plain.next(this.input);
    if (value === undefined) throw new Error('no token was drawn');
    return [value];
  }

  /** The guesses that are right, and the token behind them. */
  private async checked(guess: readonly Token[]): Promise<readonly Token[]> {
    const start = this.sequence.nextTokenIndex;
    const input = [...this.input, ...guess].map((id, at): ControlledEvaluateInputItem => {
      const bias = this.biasWith(guess.slice(0, at));
      // A sampler of its own: with the same seed each one would draw the same.
      const seed = Math.floor(Math.random() * seeds);
      return [id, { generateNext: { token: true, options: { ...this.how.sampling, ...bias, seed } } }];
    });
    const output = await this.sequence.controlledEvaluate(input, { contextShift: neverShift });
    const drawn = output.map((one) => one?.next.token ?? null);
    const wrong = guess.findIndex((id, at) => id !== drawn[at]);
    const right = wrong < 0 ? guess.length : wrong;
    this.checks += 1;
    this.collect();
    this.quoted += right;
    await this.drop(start + 1 + right);
    const taken = drawn.slice(0, right + 1).filter((id) => id !== null);
    if (taken.length <= right) throw new Error('no token was drawn');
    return taken;
  }

  private biasWith(guess: readonly Token[]) {
    const { repeatPenalty: penalty, tokenBias, begun } = this.how;
    return {
      ...(tokenBias !== undefined && { tokenBias }),
      // The penalty covers this message only: names from the prompt must not be avoided.
      ...(penalty !== 1 && { repeatPenalty: { penalty, punishTokens: () => [...begun, ...this.ids, ...guess] } }),
    };
  }

  private async drop(from: number): Promise<void> {
    const end = this.sequence.nextTokenIndex;
    if (end > from) await this.sequence.eraseContextTokenRanges([{ start: from, end }]);
  }
}
