// The engine process: answers the host's requests over process IPC. The only process that loads llama.cpp.

import { Worker } from 'node:worker_threads';
import { GgmlType, type Llama } from 'node-llama-cpp';
import {
  type CancellationToken,
  createMessageConnection,
  IPCMessageReader,
  IPCMessageWriter,
  ResponseError,
} from 'vscode-jsonrpc/node';
import { FaultError, faultOf, reasonOf } from '../../core/faults/faults.ts';
import type { PrefillProgress } from '../../core/model/model.ts';
import {
  beat,
  type EngineErrorData,
  type EngineNotices,
  type EngineRequests,
  type LoadParams,
} from '../../protocol/engine.ts';
import { isMessage } from '../../protocol/message.ts';
import { openServer } from '../remote/openServer.ts';
import type { WorkerEngine } from '../workerEngine.ts';
import { type EmbeddingContext, loadEmbedding } from './embedding.ts';
import { checkFile } from './load/checkFile.ts';
import { startLibrary } from './load/library.ts';
import { memoryFor } from './load/memory.ts';
import { copiedTypes } from './load/repack.ts';
import { loadLocal } from './local.ts';
import { KeptPrompts, UnknownPrompt } from './prompts.ts';
import { allowedMemory, allowedProcessors } from './slot/allowed.ts';

// How fast this machine's processors get at memory together. A token of a reply reads all weights, so this bounds how fast one comes.

/** More than a processor's cache, so that memory is what is measured. */
const bytes = 96 * 2 ** 20;
/** Each processor's own time: what other programs take of it meanwhile slows nothing down. */
const milliseconds = 80;
/** More do not get at it faster. */
const most = 8;
/**
 * Weights read for each byte copied, which is read and written. Measured on two cores of an AMD EPYC: 1.73 with Qwen2.5-Coder 1.5B
 * (Q4_K_M), 1.16 with 0.5B, whose large vocabulary costs more than its memory.
 */
const readForCopied = 1.6;

const source = `
  const { parentPort, workerData: { bytes, milliseconds } } = require('node:worker_threads');
  const [from, to] = [Buffer.alloc(bytes, 1), Buffer.alloc(bytes, 2)];
  // Node before 23.9 does not tell the time of a thread.
  const used = process.threadCpuUsage ? () => process.threadCpuUsage() : () => ({ user: performance.now() * 1000, system: 0 });
  const now = () => (used().user + used().system) / 1000;
  let copies = 0;
  const started = now();
  for (; now() - started < milliseconds; copies++) from.copy(to);
  parentPort.postMessage((copies * bytes * 1000) / (now() - started));
`;

/** Bytes of weights per second that all processors it may use go through together, about. */
export async function readRate(): Promise<number> {
  const threads = Math.min(most, allowedProcessors());
  const rates = await Promise.all(Array.from({ length: threads }, copied));
  return readForCopied * rates.reduce((sum, rate) => sum + rate, 0);
}

function copied(): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(source, { eval: true, workerData: { bytes, milliseconds } });
    worker.once('message', (rate: number) => {
      resolve(rate);
      void worker.terminate();
    });
    worker.once('error', reject);
  });
}

// Measures this machine's memory for a model, and estimates a file's needs, without loading anything.
async function lookAtMachine(llama: Llama): Promise<EngineRequests['machine']['result']> {
  const copies = [...copiedTypes(llama.systemInfo)].map((type) => GgmlType[type]);
  // The memory of some GPUs is the machine's own: it must not count twice.
  const { free, shared } = await allowedMemory(llama);
  return { free, shared, copies, readRate: await readRate(), processors: allowedProcessors() };
}

/** Rejects with a fault for what is no model, or one whose header cannot be read. */
async function lookAtFile(llama: Llama, params: LoadParams): Promise<EngineRequests['estimate']['result']> {
  const { modelPath: path } = params;
  const { fingerprint } = await checkFile(path, 'chat');
  const memory = await memoryFor(llama, params, fingerprint);
  if (memory === null) throw new FaultError({ kind: 'modelDamaged', path, reason: 'its header cannot be read' });
  return memory;
}

// Ends the engine process when its host is gone, from a thread of its own: a loop that never ends does not hear that the channel closed.

/**
 * The watching code as text, because the engine is a single file, wherever it is run from. A process whose parent died gets another parent,
 * or, on Windows, one that does not exist.
 */
const watch = `
  const { workerData: parent } = require('node:worker_threads');
  const isGone = () => {
    if (process.ppid !== parent) return true;
    try {
      return !process.kill(parent, 0);
    } catch (error) {
      return error.code === 'ESRCH';
    }
  };
  setInterval(() => isGone() && process.kill(process.pid, 'SIGKILL'), 1000);
`;

function watchHost(): void {
  const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2, codeRangeSizeMb: 2 };
  new Worker(watch, { eval: true, workerData: process.ppid, resourceLimits }).unref();
}

/** Leaves out what is no message. */
class SoundReader extends IPCMessageReader {
  override listen(hear: Parameters<IPCMessageReader['listen']>[0]) {
    return super.listen((message) => isMessage(message) && hear(message));
  }
}

const connection = createMessageConnection(new SoundReader(process), new IPCMessageWriter(process));
/** The hearer's number for a request without one. */
const nobody = -1;
const unknownPrompt = true;
let engine: WorkerEngine | null = null;
let loading: Promise<unknown> = Promise.resolve();
const prompts = new KeptPrompts(loaded);
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

function loaded(): WorkerEngine {
  if (engine === null) throw new FaultError({ kind: 'engineStopped' });
  return engine;
}

handle('load', (params) => {
  const job = loading.then(async () => {
    const former = engine;
    engine = null;
    prompts.forgetTokens();
    // First the old weights go: two models at once may not fit in memory.
    await former?.dispose();
    if (params.server !== undefined) {
      engine = await openServer(params.server, params, undefined, (runs) =>
        connection.sendNotification('template', { runs }),
      );
      return engine.info;
    }
    engine = await loadLocal(params, {
      planned: (memory) => notify('planned', { memory }),
      progress: (progress) => notify('loading', { progress }),
      // The notice has to be out before the template runs: from then on this process may hear and say nothing.
      template: (runs) => connection.sendNotification('template', { runs }),
    });
    return engine.info;
  });
  // The next load starts either way; whoever asked for this one gets its failure.
  loading = job.catch(() => undefined);
  return job;
});

handle('measure', async ({ prompt }) => (await prompts.tokens(prompt)).measure);

handle('count', async ({ texts }) => loaded().count(texts));

handle('spell', async ({ prompt }) => (await loaded().spell(await prompts.tokens(prompt))).text);

handle('spellPieces', async ({ prompt }) => (await loaded().spell(await prompts.tokens(prompt))).pieces);

handle('generate', async (params, signal) => {
  const current = loaded();
  const prompt = await prompts.tokens(params.prompt);
  const { forced, of = nobody } = params;
  const recorded = forced === undefined ? null : await current.message(forced.text, forced.calls);
  const heard = {
    onText: (text: string) => notify('text', { of, text }),
    onProgress: (progress: PrefillProgress) => notify('prefilling', { of, progress }),
  };
  return current.generate(params, prompt, recorded, heard, signal);
});

handle('warm', async (params, signal) => {
  const { of = nobody } = params;
  const prompt = await prompts.tokens(params.prompt);
  return loaded().warm(params, prompt, (progress) => notify('prefilling', { of, progress }), signal);
});

handle('complete', async ({ of = nobody, ...request }, signal) =>
  facet(loaded().complete)(request, (text) => notify('text', { of, text }), signal),
);

handle('speed', async (_, signal) => facet(loaded().speed)(signal));

handle('attempt', async (params, signal) => loaded().attempt(params, signal));

handle('saveSnapshot', async (params) => facet(loaded().states).save(params));

handle('loadSnapshot', async ({ prompt, ...loading }) =>
  facet(loaded().states).load(loading, await prompts.tokens(prompt)),
);

/** The host asks for what the engine says it has. */
function facet<T>(one: T | null): T {
  if (one === null) throw new Error('this engine cannot do that');
  return one;
}

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
