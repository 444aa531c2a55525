// The index as the host sees it: a thread, started with its folders, whose requests always settle.
import { Worker } from 'node:worker_threads';
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  PortMessageReader,
  PortMessageWriter,
} from 'vscode-jsonrpc/node';
import type { Signal } from '../core/dialog/tool.ts';
import type { FindingNotices, FindingRequests, OpenParams } from './messages.ts';

/** The error of requests that are not answered any more because the index thread ended. */
class FindingEnded extends Error {}

export class FindingClient {
  private readonly worker: Worker;
  private readonly connection: MessageConnection;
  private readonly ended: Promise<never>;
  private readonly ready: Promise<unknown>;

  /** `script` is the thread's; `onProgress` hears how many files are still to be read. */
  constructor(script: string | URL, params: OpenParams, onProgress: (left: number) => void) {
    this.worker = new Worker(script, { name: 'tidemark-index' });
    // A thread that does nothing keeps no process alive.
    this.worker.unref();
    this.connection = createMessageConnection(new PortMessageReader(this.worker), new PortMessageWriter(this.worker));
    this.ended = new Promise<never>((_, reject) => {
      this.worker.once('error', (error) => reject(new FindingEnded(error.message)));
      this.worker.once('exit', (code) => reject(new FindingEnded(`the thread of the index ended with ${code}`)));
    });
    this.ended.catch(() => undefined);
    this.connection.onNotification('progress', ({ left }: FindingNotices['progress']) => onProgress(left));
    this.connection.onError(() => undefined);
    this.connection.listen();
    this.ready = this.send('open', params);
    this.ready.catch(() => undefined);
  }

  async request<K extends keyof FindingRequests>(
    name: K,
    params: FindingRequests[K]['params'],
    signal?: Signal,
  ): Promise<FindingRequests[K]['result']> {
    await this.ready;
    return this.send(name, params, signal);
  }

  private async send<K extends keyof FindingRequests>(
    name: K,
    params: FindingRequests[K]['params'],
    signal?: Signal,
  ): Promise<FindingRequests[K]['result']> {
    const source = new CancellationTokenSource();
    const cancel = () => source.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted === true) cancel();
    // Work that is waited for keeps the process alive; a thread that idles does not.
    this.worker.ref();
    this.waiting += 1;
    try {
      const asked = this.connection.sendRequest<FindingRequests[K]['result']>(name, params, source.token);
      return await Promise.race([asked, this.ended]);
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0) this.worker.unref();
      signal?.removeEventListener('abort', cancel);
    }
  }

  private waiting = 0;

  /** Whether a model needs the processor now: nothing is read meanwhile, questions are answered. */
  hold(paused: boolean): void {
    void this.connection.sendNotification('hold', { paused });
  }

  /** Closes the database and ends the thread. */
  async dispose(): Promise<void> {
    const patience = new Promise((resolve) => setTimeout(resolve, 2000).unref());
    await Promise.race([this.request('close', null).catch(() => undefined), patience]);
    await this.worker.terminate();
    this.connection.dispose();
  }
}
