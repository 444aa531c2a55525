// A generation on a slot: prefill, then sample (or take the forced tokens), streaming whole characters.

import { FaultError, reasonOf } from '../../../core/faults/faults.ts';
import { cut, partedAtMessage } from '../../../core/kv/kvImage.ts';
import { chunkOf } from '../../../core/machine/askers.ts';
import type { Generation } from '../../../core/model/model.ts';
import { openedMark } from '../../../core/model/thoughts.ts';
import { neverShift, WindowFull } from '../slot/decode.ts';
import { asTokens } from '../slot/vocabulary.ts';
import { draw } from './draw.ts';
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
