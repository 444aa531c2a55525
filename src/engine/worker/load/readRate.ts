// How fast this machine's processors get at memory together. A token of a reply reads all weights, so this bounds how fast one comes.
import { Worker } from 'node:worker_threads';
import { allowedProcessors } from '../slot/allowed.ts';

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
