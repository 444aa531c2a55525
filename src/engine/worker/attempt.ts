// One generation in a context of its own, which goes with it: no conversation loses what its slot holds. Where the memory is too short for it, a
// slot is borrowed, and is empty then.
import type { ProbeAttempt } from '../../core/abilities/probe.ts';
import { type Generation, nothingSaid } from '../../core/model/model.ts';
import { generate } from './draw/generate.ts';
import type { LoadedEngine } from './load/loadModel.ts';
import { passingContext } from './load/memory.ts';
import { Slot } from './slot/slot.ts';

/** Without any randomness. Ends early, as cancelled, when aborted. */
export async function attempt(
  engine: LoadedEngine,
  borrowed: Slot | null,
  asked: ProbeAttempt,
  signal: AbortSignal,
): Promise<Generation> {
  if (signal.aborted) return nothingSaid;
  if (borrowed !== null) return attempted(engine, borrowed, asked, signal).finally(() => borrowed.clear());
  const { loaded, info } = engine;
  const { llama, model } = loaded;
  // What was found for the slots would limit this context too.
  llama.maxThreads = Math.max(llama.maxThreads, info.threads);
  const context = await model.createContext({ ...passingContext, threads: info.threads });
  const slot = new Slot(context.getSequence(), false, false);
  return attempted(engine, slot, asked, signal).finally(() => context.dispose());
}

function attempted(
  { loaded, tokeniser }: LoadedEngine,
  slot: Slot,
  { prompt, toolCalls, maxTokens }: ProbeAttempt,
  signal: AbortSignal,
): Promise<Generation> {
  const sampling = { temperature: 0, seed: null };
  return generate({
    loaded,
    slot,
    params: { asker: 'probe', slot: -1, prompt, maxTokens, toolCalls, reuse: 'none', sampling },
    prompt: tokeniser.prompt(prompt),
    forced: null,
    // What it writes per second is to be its own.
    guesses: false,
    onText: () => undefined,
    onProgress: () => undefined,
    signal,
  });
}
