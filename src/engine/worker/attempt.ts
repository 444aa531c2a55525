// A single generation in a temporary context of its own, so that no conversation loses its slot. A slot is borrowed when the memory is too
// short for that context, and is empty afterwards.
import type { Attempt } from '../../core/engine/attempt.ts';
import { passing } from '../../core/machine/askers.ts';
import { type Generation, nothingSaid } from '../../core/model/model.ts';
import { generate } from './draw/generate.ts';
import type { LoadedEngine } from './load/loadModel.ts';
import { passingContext } from './load/memory.ts';
import { checkpointLimits } from './slot/checkpoints.ts';
import { Slot } from './slot/slot.ts';
import { looksForOthers } from './slot/threading.ts';

/** Without any randomness. Ends early, as cancelled, when aborted. */
export async function attempt(
  engine: LoadedEngine,
  borrowed: Slot | null,
  asked: Attempt,
  signal: AbortSignal,
): Promise<Generation> {
  if (signal.aborted) return nothingSaid;
  if (borrowed !== null) return attempted(engine, borrowed, asked, signal).finally(() => borrowed.clear());
  const { loaded, tokeniser, info, slots } = engine;
  const { llama, model } = loaded;
  // The number of threads found for the slots would limit this context too.
  llama.maxThreads = Math.max(llama.maxThreads, info.threads);
  const tokens = tokeniser.prompt(asked.prompt).tokens.length + asked.maxTokens;
  const contextSize = Math.max(passing.window, Math.min(info.contextSize, tokens + 1));
  const context = await model.createContext({ ...passingContext, contextSize, threads: info.threads });
  // Threads follow the cores that others use, as they do for the slots: one too many costs a multiple.
  const kind = { erases: false, checkpoints: 0, ...(slots[0] && { threading: slots[0].threading }) };
  const slot = new Slot(context.getSequence({ checkpoints: checkpointLimits }), kind);
  return attempted(engine, slot, asked, signal).finally(() => context.dispose());
}

async function attempted(
  { loaded, tokeniser }: LoadedEngine,
  slot: Slot,
  { prompt, toolCalls, maxTokens, asker = 'probe' }: Attempt,
  signal: AbortSignal,
): Promise<Generation> {
  const sampling = { temperature: 0, seed: null };
  const isBusy = looksForOthers();
  const generation = await generate({
    loaded,
    slot,
    params: { asker, slot: -1, prompt, maxTokens, toolCalls, reuse: 'none', sampling },
    prompt: tokeniser.prompt(prompt),
    forced: null,
    // Guesses would distort the tokens per second that a test measures.
    guesses: asker !== 'probe',
    onText: () => undefined,
    onProgress: () => undefined,
    signal,
  });
  return isBusy() ? { ...generation, busy: true } : generation;
}
