// The engine process: answers the host's requests over process IPC. The only process that loads llama.cpp.
import {
  type CancellationToken,
  createMessageConnection,
  IPCMessageReader,
  IPCMessageWriter,
  ResponseError,
} from 'vscode-jsonrpc/node';
import { FaultError, faultOf, reasonOf } from '../../core/faults/faults.ts';
import type { PrefillProgress } from '../../core/model/model.ts';
import type { Speed } from '../../core/model/speed.ts';
import { beat, type EngineErrorData, type EngineNotices, type EngineRequests } from '../../protocol/engine.ts';
import { isMessage } from '../../protocol/message.ts';
import { spellPieces } from '../../templates/spellPieces.ts';
import { attempt } from './attempt.ts';
import { generate } from './draw/generate.ts';
import { warm } from './draw/warm.ts';
import { type EmbeddingContext, loadEmbedding } from './embedding.ts';
import { startLibrary } from './load/library.ts';
import { type LoadedEngine, loadEngine } from './load/loadModel.ts';
import { lookAtFile, lookAtMachine } from './load/look.ts';
import { KeptPrompts, UnknownPrompt } from './prompts.ts';
import type { Slot } from './slot/slot.ts';
import { measureSpeed } from './speed.ts';
import { watchHost } from './watchdog.ts';

/** Leaves out what is no message. */
class SoundReader extends IPCMessageReader {
  override listen(hear: Parameters<IPCMessageReader['listen']>[0]) {
    return super.listen((message) => isMessage(message) && hear(message));
  }
}

const connection = createMessageConnection(new SoundReader(process), new IPCMessageWriter(process));
/** Of a request that hears nothing. */
const nobody = -1;
const unknownPrompt = true;
let engine: LoadedEngine | null = null;
let loading: Promise<unknown> = Promise.resolve();
const prompts = new KeptPrompts(() => loaded().tokeniser);
let embedding: Promise<EmbeddingContext | null> = Promise.resolve(null);

/** Requests under way; as long as there is one, the host hears once a second that this process is not stuck. */
let underWay = 0;
setInterval(() => {
  if (underWay > 0) notify('alive', {});
}, beat).unref();

function handle<K extends keyof EngineRequests>(
  name: K,
  answer: (params: EngineRequests[K]['params'], signal: AbortSignal) => Promise<EngineRequests[K]['result']>,
): void {
  connection.onRequest(
    name,
    async (params: EngineRequests[K]['params'], token: CancellationToken): Promise<unknown> => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      // A request that was cancelled before it got here has a token that never fires.
      if (token.isCancellationRequested) controller.abort();
      underWay += 1;
      try {
        return await answer(prompts.whole(params), controller.signal);
      } catch (error) {
        const data: EngineErrorData = {
          fault: faultOf(error),
          ...(error instanceof UnknownPrompt ? { unknownPrompt } : {}),
        };
        throw new ResponseError(1, reasonOf(error), data);
      } finally {
        underWay -= 1;
      }
    },
  );
}

function notify<K extends keyof EngineNotices>(name: K, params: EngineNotices[K]): void {
  void connection.sendNotification(name, params);
}

function loaded(): LoadedEngine {
  if (engine === null) throw new FaultError({ kind: 'engineStopped' });
  return engine;
}

function slotOf(current: LoadedEngine, index: number): Slot {
  const slot = current.slots[index];
  if (slot === undefined) throw new Error(`there is no slot ${index}`);
  return slot;
}

handle('load', (params) => {
  const job = loading.then(async () => {
    const former = engine;
    engine = null;
    prompts.forgetTokens();
    // First the old weights go: two models at once may not fit in memory.
    await former?.dispose();
    engine = await loadEngine(params, {
      planned: (memory) => notify('planned', { memory }),
      progress: (progress) => notify('loading', { progress }),
      // It has to be out before the template runs: from then on this process may hear and say nothing.
      template: (runs) => connection.sendNotification('template', { runs }),
    });
    return engine.info;
  });
  // The next load starts either way; whoever asked for this one gets its failure.
  loading = job.catch(() => undefined);
  return job;
});

handle('measure', async ({ prompt }) => prompts.tokens(prompt).measure);

handle('count', async ({ texts }) => loaded().tokeniser.count(texts));

handle('spell', async ({ prompt }) => {
  return loaded().loaded.spelling.text(prompts.tokens(prompt).tokens);
});

handle('spellPieces', async ({ prompt }) => {
  return spellPieces(loaded().loaded.spelling, prompts.tokens(prompt).image);
});

handle('generate', async (params, signal) => {
  const current = loaded();
  const slot = slotOf(current, params.slot);
  for (const other of current.slots) other.interruptBackground();
  const prompt = prompts.tokens(params.prompt);
  const forced =
    params.forced === undefined ? null : current.tokeniser.message(params.forced.text, params.forced.calls);
  return slot.exclusive(() =>
    generate({
      loaded: current.loaded,
      slot,
      params,
      prompt,
      forced,
      onText: (text) => notify('text', { of: params.of ?? nobody, text }),
      onProgress: (progress) => notify('prefilling', { of: params.of ?? nobody, progress }),
      signal,
    }),
  );
});

handle('warm', async (params, signal) => {
  const current = loaded();
  // The latest wish counts: a conversation that was left does not take the processor from the one that is open.
  for (const other of current.slots) other.interruptBackground();
  const slot = slotOf(current, params.slot);
  const onProgress = (progress: PrefillProgress) => notify('prefilling', { of: params.of ?? nobody, progress });
  return warm(slot, prompts.tokens(params.prompt), { ...params, onProgress }, signal);
});

handle('speed', (_, signal) => {
  const current = loaded();
  for (const slot of current.slots) slot.interruptBackground();
  const { llama, model } = current.loaded;
  const { device, contextSize: window } = current.info;
  const { found } = current;
  const threads = found ? Math.min(llama.maxThreads, current.info.threads) : current.info.threads;
  // No slot is used meanwhile.
  const all = current.slots.reduceRight<() => Promise<Speed>>(
    (job, slot) => () => slot.exclusive(job),
    () => measureSpeed(llama, model, { device, threads, found, window }, signal),
  );
  return all();
});

handle('attempt', (params, signal) => {
  const current = loaded();
  for (const slot of current.slots) slot.interruptBackground();
  return attempt(current, params, signal);
});

handle('saveSnapshot', async (params) => {
  const current = loaded();
  return current.snapshots.save(slotOf(current, params.slot), params);
});

handle('loadSnapshot', async ({ slot, prompt, ...loading }) => {
  const current = loaded();
  const { image } = prompts.tokens(prompt);
  for (const other of current.slots) other.interruptBackground();
  return current.snapshots.load(slotOf(current, slot), { ...loading, prompt: image }, current.slots);
});

handle('loadEmbedding', async (params) => {
  const job = embedding.then(async (former) => {
    await former?.dispose();
    return loadEmbedding(params);
  });
  embedding = job.catch(() => null);
  return (await job).info;
});

handle('embed', async ({ texts }, signal) => {
  const current = await embedding;
  if (current === null) throw new FaultError({ kind: 'engineStopped' });
  return current.embed(texts, signal);
});

handle('machine', async (params) => lookAtMachine((await startLibrary(params)).llama));

handle('estimate', async (params) => lookAtFile((await startLibrary(params)).llama, params));

// The host is gone: so is the reason to be.
watchHost();
process.on('disconnect', () => process.exit(0));
connection.listen();
