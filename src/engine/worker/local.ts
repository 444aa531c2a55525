// The engine of this machine: requests on the slots of a model that llama.cpp has loaded.
import { spellPieces } from '../../templates/spellPieces.ts';
import type { WorkerEngine } from '../workerEngine.ts';
import { attempt } from './attempt.ts';
import { generate } from './draw/generate.ts';
import { warm } from './draw/warm.ts';
import { type LoadedEngine, type Loading, loadEngine } from './load/loadModel.ts';
import type { Slot } from './slot/slot.ts';
import { measureSpeed } from './speed.ts';

export async function loadLocal(params: Parameters<typeof loadEngine>[0], loading: Loading): Promise<WorkerEngine> {
  return localEngine(await loadEngine(params, loading));
}

function localEngine(current: LoadedEngine): WorkerEngine {
  const { loaded, tokeniser, slots, snapshots, info } = current;
  const slotOf = (index: number): Slot => {
    const slot = slots[index];
    if (slot === undefined) throw new Error(`there is no slot ${index}`);
    return slot;
  };
  /** The latest wish counts: a conversation that was left does not take the processor from the one that is open. */
  const interruptBackground = () => {
    for (const slot of slots) slot.interruptBackground();
  };
  return {
    info,
    tokens: async (prompt) => tokeniser.prompt(prompt),
    count: async (texts) => tokeniser.count(texts),
    spell: async ({ tokens, image }) => ({
      text: loaded.spelling.text(tokens),
      pieces: spellPieces(loaded.spelling, image),
    }),
    message: async (text, calls) => tokeniser.message(text, calls),
    generate: async (params, prompt, forced, heard, signal) => {
      const slot = slotOf(params.slot);
      interruptBackground();
      return slot.exclusive(() => generate({ loaded, slot, params, prompt, forced, ...heard, signal }));
    },
    warm: async (params, prompt, onProgress, signal) => {
      interruptBackground();
      return warm(slotOf(params.slot), prompt, { ...params, onProgress }, signal);
    },
    attempt: (params, signal) => {
      interruptBackground();
      return attempt(current, params, signal);
    },
    speed: (signal) => {
      interruptBackground();
      return speedOf(current, signal);
    },
    states: {
      save: async (params) => snapshots.save(slotOf(params.slot), params),
      load: async ({ slot, ...loading }, { image }) => {
        interruptBackground();
        return snapshots.load(slotOf(slot), { ...loading, prompt: image }, slots);
      },
    },
    dispose: () => current.dispose(),
  };
}

function speedOf({ loaded: { llama, model }, info, slots, found }: LoadedEngine, signal: AbortSignal) {
  const { device, contextSize: window } = info;
  const threads = found ? Math.min(llama.maxThreads, info.threads) : info.threads;
  // No slot is used meanwhile.
  const all = slots.reduceRight<() => ReturnType<typeof measureSpeed>>(
    (job, slot) => () => slot.exclusive(job),
    () => measureSpeed(llama, model, { device, threads, found, window }, signal),
  );
  return all();
}
