// The engine of this machine: requests on the slots of a model that llama.cpp has loaded.

import type { Llama, LlamaModel, Token } from 'node-llama-cpp';
import type { Attempt } from '../../core/engine/attempt.ts';
import { noPace } from '../../core/kv/pace.ts';
import { chunkOf, passing } from '../../core/machine/askers.ts';
import { type Generation, nothingSaid } from '../../core/model/model.ts';
import type { Speed, SpeedRow } from '../../core/model/speed.ts';
import { spellPieces } from '../../templates/spellPieces.ts';
import type { WorkerEngine } from '../workerEngine.ts';
import { Completer, fillTokens } from './completion.ts';
import { generate } from './draw/generate.ts';
import { warm } from './draw/warm.ts';
import { type LoadedEngine, type Loading, loadEngine } from './load/loadModel.ts';
import { passingContext } from './load/memory.ts';
import { usableCores } from './slot/allowed.ts';
import { checkpointLimits } from './slot/checkpoints.ts';
import { neverShift } from './slot/decode.ts';
import { Slot } from './slot/slot.ts';
import { looksForOthers } from './slot/threading.ts';

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

// A single generation in a temporary context of its own, so that no conversation loses its slot. A slot is borrowed when the memory is too
// short for that context, and is empty afterwards.

/** Without any randomness. Ends early, as cancelled, when aborted. */
async function attempt(
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

// Measures prefill and generation of the loaded model with several numbers of threads, in contexts of their own.

/** Tokens that are read and written for a row. */
const read = 512;
const written = 24;
/** Milliseconds a part of a row may take: then what was done so far counts. */
const longest = 10_000;

/** `chunk`: tokens decoded at once. That nothing else is computed meanwhile is the caller's care. Ends early when aborted, with the rows so far. */
async function measureSpeed(
  llama: Llama,
  model: LlamaModel,
  now: Omit<Speed, 'rows' | 'busy'>,
  chunk: number,
  signal: AbortSignal,
): Promise<Speed> {
  const rows: SpeedRow[] = [];
  const { maxThreads } = llama;
  const isBusy = looksForOthers();
  // The number of threads found while the model works limits all contexts.
  llama.maxThreads = Math.max(usableCores(llama), now.threads);
  try {
    for (const threads of candidates(llama, model, now.threads)) {
      if (signal.aborted) break;
      const row = await measureRow(model, threads, chunk, signal);
      if (signal.aborted) break;
      rows.push(row);
    }
  } finally {
    llama.maxThreads = maxThreads;
  }
  return { ...now, rows, busy: isBusy() };
}

/** On a GPU that holds the whole model threads hardly matter. */
function candidates(llama: Llama, model: LlamaModel, now: number): readonly number[] {
  if (model.gpuLayers >= model.fileInsights.totalLayers) return [now];
  const cores = usableCores(llama);
  const all = new Set([now, Math.ceil(cores / 2), Math.max(1, cores - 1), cores]);
  return [...all].sort((a, b) => a - b);
}

/** Means nothing once the signal has fired. */
async function measureRow(model: LlamaModel, threads: number, chunk: number, signal: AbortSignal): Promise<SpeedRow> {
  const context = await model.createContext({ ...passingContext, threads });
  try {
    const sequence = context.getSequence();
    const tokens = anyTokens(model, read + chunk);
    const decode = (some: readonly Token[]) =>
      sequence.evaluateWithoutGeneratingNewTokens([...some], { contextShift: neverShift });
    // The first batch pays for what is set up once.
    if (!signal.aborted) await decode(tokens.slice(0, chunk));
    const prefill = await pace(Math.floor(read / chunk), signal, (i) =>
      decode(tokens.slice((i + 1) * chunk, (i + 2) * chunk)),
    );
    await sequence.clearHistory();
    if (!signal.aborted) await decode(tokens.slice(0, chunk));
    const generation = await pace(written, signal, (i) => decode(tokens.slice(chunk + i, chunk + i + 1)));
    return { threads, prefill: prefill * chunk, generation };
  } finally {
    await context.dispose();
  }
}

/** Steps per second. */
async function pace(steps: number, signal: AbortSignal, step: (index: number) => Promise<void>): Promise<number> {
  const started = performance.now();
  let done = 0;
  while (!signal.aborted && done < steps && (done === 0 || performance.now() - started < longest)) {
    await step(done);
    done += 1;
  }
  return (done * 1000) / (performance.now() - started);
}

/** Tokens of any text: the content does not change the cost. */
function anyTokens(model: LlamaModel, count: number): readonly Token[] {
  const some = model.tokenize(
    'The tide rises and the tide falls, and the gauge in the harbour writes down each level. ',
  );
  return Array.from({ length: count }, (_, i) => some[i % some.length] as Token);
}
