// Decodes the rest of a prompt in chunks, looking at the signal between them.

import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { type Pace, paced } from '../../../core/kv/pace.ts';
import type { PrefillProgress } from '../../../core/model/model.ts';
import type { Threading } from './threading.ts';

/** Thrown by the library's overflow hook; without it llama.cpp would silently drop the beginning of the prompt. */
export class WindowFull extends Error {}

export const neverShift = {
  size: 1,
  strategy: () => {
    throw new WindowFull('the context window is full');
  },
};

/** Positions where decoding stops to do something. */
export interface Stops {
  /** The next one behind `at`, if any. */
  next(at: number): number | null;
  reached(): Promise<void>;
}

export interface Decoding {
  /** Tokens between two looks at the signal, by how fast they are decoded. */
  readonly chunk: (pace: Pace) => number;
  /** How fast they were so far. */
  readonly pace: Pace;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: PrefillProgress) => void) | undefined;
  readonly stops: Stops | null;
  readonly threading: Threading;
}

/** Continues the sequence with the tokens it does not hold yet. It must hold a beginning of them. */
export async function decodeChunks(
  sequence: LlamaContextSequence,
  tokens: readonly Token[],
  { chunk, signal, onProgress, stops, threading, pace: before }: Decoding,
): Promise<void> {
  const started = performance.now();
  const start = sequence.nextTokenIndex;
  let [at, pace] = [start, before];
  while (at < tokens.length && !signal.aborted) {
    const stop = stops?.next(at) ?? null;
    const to = Math.min(at + chunk(pace), tokens.length, stop ?? tokens.length);
    const some = tokens.slice(at, to);
    const began = performance.now();
    await threading.during('prefill', some.length, () =>
      sequence.evaluateWithoutGeneratingNewTokens(some, { contextShift: neverShift }),
    );
    pace = paced(pace, some.length, performance.now() - began);
    at = to;
    if (at === stop) await stops?.reached();
    onProgress?.({ done: at, of: tokens.length, decoded: at - start, milliseconds: performance.now() - started });
  }
}
