// Has the model write one message: draws tokens, watches for calls, circles and thoughts that take too long, and says when it ends.

import { type Token, TokenBias } from 'node-llama-cpp';
import { LookUp } from '../../../core/model/lookUp.ts';
import { Repetition } from '../../../core/model/repetition.ts';
import { samplingFor } from '../../../core/model/sampling.ts';
import { watchThoughts } from '../../../core/model/thoughts.ts';
import { type CallWatch, watchCalls } from '../../grammar/callWatch.ts';
import { WindowFull } from '../slot/decode.ts';
import type { Slot } from '../slot/slot.ts';
import { asTokens } from '../slot/vocabulary.ts';
import { Drawing } from './drawing.ts';
import { type GrammarStates, grammarStates } from './grammars.ts';
import { firstToken, type GenerationJob, type GenerationRun, promptEndOf } from './job.ts';

/** Tokens that are generated between two looks at the machine. */
const stretchTokens = 8;

export async function draw(job: GenerationJob, run: GenerationRun): Promise<void> {
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
