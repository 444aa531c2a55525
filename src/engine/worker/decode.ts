// Decodes the rest of a prompt in chunks, looking at the signal between them.
import type { LlamaContextSequence, Token } from 'node-llama-cpp';

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
  /** Tokens decoded by this prefill so far, and in what time. */
  readonly decoded: number;
  readonly milliseconds: number;
}

/** Continues the sequence with the tokens it does not hold yet. It must hold a beginning of them. */
export async function decodeChunks(
  sequence: LlamaContextSequence,
  tokens: readonly Token[],
  chunk: number,
  signal: AbortSignal,
  onProgress: ((progress: Progress) => void) | undefined,
): Promise<void> {
  const started = performance.now();
  const start = sequence.nextTokenIndex;
  for (let at = start; at < tokens.length && !signal.aborted; at += chunk) {
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + chunk), { contextShift: neverShift });
    const done = Math.min(at + chunk, tokens.length);
    onProgress?.({ done, of: tokens.length, decoded: done - start, milliseconds: performance.now() - started });
  }
}
