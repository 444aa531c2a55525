// Measures prefill and generation of the loaded model with several numbers of threads, in contexts of their own.
import type { Llama, LlamaModel, Token } from 'node-llama-cpp';
import type { Speed, SpeedRow } from '../../core/model/speed.ts';
import { passingContext } from './load/memory.ts';
import { usableCores } from './slot/allowed.ts';
import { neverShift } from './slot/decode.ts';
import { looksForOthers } from './slot/threading.ts';

/** Tokens that are read and written for a row. */
const read = 512;
const written = 24;
/** Milliseconds a part of a row may take: then what was done so far counts. */
const longest = 10_000;

/** `chunk`: tokens decoded at once. That nothing else is computed meanwhile is the caller's care. Ends early when aborted, with the rows so far. */
export async function measureSpeed(
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
