// One slot: a llama.cpp sequence with its KV state. Keeps the longest common prefix, decodes the rest in cancellable chunks.
import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import type { Prefill } from '../../core/model.ts';

/** Thrown by the library's overflow hook; without it llama.cpp would silently drop the beginning of the prompt. */
export class WindowFull extends Error {}

export const neverShift = {
  size: 1,
  strategy: () => {
    throw new WindowFull('the context window is full');
  },
};

export interface Progress {
  readonly done: number;
  readonly of: number;
}

export class Slot {
  readonly sequence: LlamaContextSequence;
  private turn: Promise<unknown> = Promise.resolve();
  private warming: AbortController | null = null;

  constructor(sequence: LlamaContextSequence) {
    this.sequence = sequence;
  }

  /** Runs one job on the sequence at a time. */
  exclusive<T>(job: () => Promise<T>): Promise<T> {
    const result = this.turn.then(job);
    // The queue goes on after a failed job; whoever asked for it gets the failure.
    this.turn = result.catch(() => undefined);
    return result;
  }

  /** Like `exclusive`, but a job marked so gives way to the next foreground request within one chunk. */
  background<T>(job: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.interruptBackground();
    const controller = new AbortController();
    this.warming = controller;
    return this.exclusive(() => job(controller.signal));
  }

  interruptBackground(): void {
    this.warming?.abort();
    this.warming = null;
  }

  /** Whether the slot already begins with all of `tokens`. */
  beginsWith(tokens: readonly Token[]): boolean {
    return commonPrefix(this.sequence.contextTokens, tokens) === tokens.length;
  }

  /** Makes the slot hold exactly `tokens`. Stops between chunks when aborted; what was decoded stays. */
  async fill(
    tokens: readonly Token[],
    chunk: number,
    signal: AbortSignal,
    onProgress?: (progress: Progress) => void,
  ): Promise<Prefill> {
    const started = performance.now();
    const { sequence } = this;
    const slotTokens = sequence.nextTokenIndex;
    const meter = sequence.tokenMeter.getState();
    const keep = Math.min(commonPrefix(sequence.contextTokens, tokens), tokens.length);
    // A job that was cancelled while it waited must not cut what the next one may reuse.
    if (signal.aborted) return { reused: keep, shifted: 0, decoded: 0, slotTokens, milliseconds: 0 };
    if (keep < slotTokens) await sequence.adaptStateToTokens(tokens.slice(0, keep), false);
    // Sliding-window and recurrent models may have fallen back further than asked.
    const reused = sequence.nextTokenIndex;
    for (let at = reused; at < tokens.length && !signal.aborted; at += chunk) {
      await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + chunk), { contextShift: neverShift });
      onProgress?.({ done: Math.min(at + chunk, tokens.length), of: tokens.length });
    }
    const spent = sequence.tokenMeter.diff(meter);
    const decoded = spent.usedInputTokens + spent.usedOutputTokens;
    return { reused, shifted: 0, decoded, slotTokens, milliseconds: performance.now() - started };
  }
}

export function commonPrefix(a: readonly number[], b: readonly number[]): number {
  const n = Math.min(a.length, b.length);
  let i = 0;
  while (i < n && a[i] === b[i]) i++;
  return i;
}
