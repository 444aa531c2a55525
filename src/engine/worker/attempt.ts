// A single generation in a temporary context of its own, so that no conversation loses its slot.
import type { ProbeAttempt } from '../../core/abilities/probe.ts';
import type { Generation } from '../../core/model/model.ts';
import { generate } from './draw/generate.ts';
import type { LoadedEngine } from './load/loadModel.ts';
import { contextOptions } from './load/memory.ts';
import { Slot } from './slot/slot.ts';

/** Tokens of that context. */
const window = 1024;
/** Tokens decoded between two looks at the signal: whoever writes meanwhile waits no longer. */
const chunk = 64;

/** Without any randomness. Ends early, as cancelled, when aborted. */
export async function attempt(
  { loaded, tokeniser, info }: LoadedEngine,
  { prompt, toolCalls, maxTokens }: ProbeAttempt,
  signal: AbortSignal,
): Promise<Generation> {
  const { llama, model } = loaded;
  // The number of threads found for the slots would limit this context too.
  llama.maxThreads = Math.max(llama.maxThreads, info.threads);
  const context = await model.createContext({ ...contextOptions, contextSize: window, threads: info.threads });
  try {
    return await generate({
      loaded,
      slot: new Slot(context.getSequence(), false, false),
      params: { slot: -1, prompt, maxTokens, toolCalls, reuse: 'none', sampling: { temperature: 0, seed: null } },
      prompt: tokeniser.prompt(prompt),
      forced: null,
      chunk,
      // Guesses would distort the tokens per second.
      guesses: false,
      onText: () => undefined,
      onProgress: () => undefined,
      signal,
    });
  } finally {
    await context.dispose();
  }
}
