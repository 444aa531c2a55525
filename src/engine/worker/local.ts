// The engine of this machine: requests on the slots of a model that llama.cpp has loaded.

import { noPace } from '../../core/kv/pace.ts';
import { chunkOf } from '../../core/machine/askers.ts';
import { spellPieces } from '../../templates/spellPieces.ts';
import type { WorkerEngine } from '../workerEngine.ts';
import { attempt } from './attempt.ts';
import { Completer, fillTokens } from './completion.ts';
import { generate } from './draw/generate.ts';
import { warm } from './draw/warm.ts';
import { type LoadedEngine, type Loading, loadEngine } from './load/loadModel.ts';
import type { Slot } from './slot/slot.ts';
import { measureSpeed } from './speed.ts';

export async function loadLocal(params: Parameters<typeof loadEngine>[0], loading: Loading): Promise<WorkerEngine> {
  return localEngine(await loadEngine(params, loading));
}

function localEngine(current: LoadedEngine): WorkerEngine {
  const { loaded, tokeniser, slots, snapshots, info, line } = current;
  const slotOf = (index: number): Slot => {
    const slot = slots[index];
    if (slot === undefined) throw new Error(`there is no slot ${index}`);
    return slot;
  };
  /** Stands for the context for a while, which only one has at a time. */
  const passing = {};
  /** True when there is no memory for that context, or nobody knows. */
  const borrowed = (info.memory?.passing ?? null) === null ? (slots.at(-1) ?? null) : null;
  const fill = fillTokens(loaded.model);
  const completer = fill === null ? null : new Completer(current, fill);
  return {
    info: fill === null ? info : { ...info, completes: true },
    tokens: async (prompt) => tokeniser.prompt(prompt),
    count: async (texts) => tokeniser.count(texts),
    spell: async ({ tokens, image }) => ({
      text: loaded.spelling.text(tokens),
      pieces: spellPieces(loaded.spelling, image),
    }),
    message: async (text, calls) => tokeniser.message(text, calls),
    generate: async (params, prompt, forced, heard, signal) => {
      const slot = slotOf(params.slot);
      const job = { loaded, slot, params, prompt, forced, ...heard };
      return line.ask(params.asker ?? 'answer', slot, signal, (own) => generate({ ...job, signal: own }));
    },
    warm: async (params, prompt, onProgress, signal) => {
      const slot = slotOf(params.slot);
      return line.ask('warm', slot, signal, (own) => warm(slot, prompt, { ...params, onProgress }, own));
    },
    attempt: (params, signal) =>
      line.ask(params.asker ?? 'probe', borrowed ?? passing, signal, (own) => attempt(current, borrowed, params, own)),
    complete:
      completer === null
        ? null
        : (request, onText, signal) =>
            line.ask('completion', completer, signal, (own) => completer.complete(request, onText, own)),
    speed: (signal) => line.ask('speed', passing, signal, (own) => speedOf(current, own)),
    states: {
      save: async (params) => snapshots.save(slotOf(params.slot), params),
      load: async ({ slot, ...loading }, { image }) => {
        // The tokens warmed there are of no use to the next request.
        line.giveWay('warm');
        return snapshots.load(slotOf(slot), { ...loading, prompt: image }, slots);
      },
    },
    dispose: () => current.dispose(),
  };
}

function speedOf({ loaded: { llama, model }, info, slots, found }: LoadedEngine, signal: AbortSignal) {
  const { device, contextSize: window } = info;
  const threads = found ? Math.min(llama.maxThreads, info.threads) : info.threads;
  const pace = slots.reduce((best, slot) => (slot.pace.tokens > best.tokens ? slot.pace : best), noPace);
  return measureSpeed(llama, model, { device, threads, found, window }, chunkOf('speed', pace), signal);
}
