// One generation in a context of its own, which goes with it: no conversation loses what its slot holds.
import type { ProbeAttempt } from '../../core/abilities/probe.ts';
import { type Generation, nothingSaid } from '../../core/model/model.ts';
import { generate } from './draw/generate.ts';
import type { LoadedEngine } from './load/loadModel.ts';
import { passingContext } from './load/memory.ts';
import { Slot } from './slot/slot.ts';

/** Without any randomness. Ends early, as cancelled, when aborted. */
export async function attempt(
  { loaded, tokeniser, info }: LoadedEngine,
  { prompt, toolCalls, maxTokens }: ProbeAttempt,
  signal: AbortSignal,
): Promise<Generation> {
  if (signal.aborted) return nothingSaid;
  const { llama, model } = loaded;
  // What was found for the slots would limit this context too.
  llama.maxThreads = Math.max(llama.maxThreads, info.threads);
  const context = await model.createContext({ ...passingContext, threads: info.threads });
  try {
    return await generate({
      loaded,
      slot: new Slot(context.getSequence(), false, false),
      params: {
        asker: 'probe',
        slot: -1,
        prompt,
        maxTokens,
        toolCalls,
        reuse: 'none',
        sampling: { temperature: 0, seed: null },
      },
      prompt: tokeniser.prompt(prompt),
      forced: null,
      // What it writes per second is to be its own.
      guesses: false,
      onText: () => undefined,
      onProgress: () => undefined,
      signal,
    });
  } finally {
    await context.dispose();
  }
}
