// The thread of the index: answers the host's requests, and reads the folder between them.

import { parentPort } from 'node:worker_threads';
import {
  type CancellationToken,
  createMessageConnection,
  PortMessageReader,
  PortMessageWriter,
} from 'vscode-jsonrpc/node';
import { createGrammars } from '../cut/grammars.ts';
import { Finder } from '../finder.ts';
import type { FindingNotices, FindingRequests, OpenParams } from '../messages.ts';

// The gate between two files: closed while a model needs the processor, and never passed for long without a look at the requests.

/** Milliseconds of reading after which requests are looked at. */
const slice = 10;

class Gate {
  private readonly now: () => number;
  private since: number;
  private opened: Promise<void> | null = null;
  private open: () => void = () => undefined;

  constructor(now: () => number) {
    this.now = now;
    this.since = now();
  }

  hold(paused: boolean): void {
    if (paused && this.opened === null) {
      this.opened = new Promise((resolve) => {
        this.open = resolve;
      });
    } else if (!paused && this.opened !== null) {
      this.opened = null;
      this.open();
    }
  }

  async pass(): Promise<void> {
    while (this.opened !== null) await this.opened;
    if (this.now() - this.since < slice) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.since = this.now();
  }
}

if (parentPort === null) throw new Error('The index runs in a thread of its own.');
const connection = createMessageConnection(new PortMessageReader(parentPort), new PortMessageWriter(parentPort));
const gate = new Gate(() => performance.now());
/** Never paused: the map is waited for. */
const pauses = new Gate(() => performance.now());
let finder: Finder | null = null;

function handle<K extends keyof FindingRequests>(
  name: K,
  answer: (
    params: FindingRequests[K]['params'],
    signal: AbortSignal,
  ) => Promise<FindingRequests[K]['result']> | FindingRequests[K]['result'],
): void {
  connection.onRequest(
    name,
    async (params: FindingRequests[K]['params'], token: CancellationToken): Promise<unknown> => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      if (token.isCancellationRequested) controller.abort();
      return answer(params, controller.signal);
    },
  );
}

function opened(): Finder {
  if (finder === null) throw new Error('No index is open.');
  return finder;
}

function open({ file, roots, exclude, limits, grammars }: OpenParams): Finder {
  const progress = (left: number) => void connection.sendNotification('progress', { left });
  const ports = { grammars: createGrammars(grammars), now: () => performance.now(), gate: () => gate.pass(), progress };
  return new Finder(file, { roots, exclude }, limits, ports);
}

/** Runs readings of the folder one after the other, since two at a time would only do the same work twice. */
let reading: Promise<unknown> = Promise.resolve();
function afterReading<T>(run: () => Promise<T>): Promise<T> {
  const job = reading.then(run);
  reading = job.catch(() => undefined);
  return job;
}

handle('open', (params) => {
  finder?.close();
  finder = open(params);
  return null;
});
handle('refresh', (_, signal) =>
  afterReading(async () => {
    if (!signal.aborted) await opened().refresh(signal);
    return null;
  }),
);
// A file that changed is read at once, between two files of a long reading.
handle('renew', async ({ paths }, signal) => opened().renew(paths, signal));
handle('buffer', ({ path, text }) => {
  opened().setBuffer(path, text);
  return null;
});
handle('find', (query, signal) => opened().find(query, signal));
handle('symbols', ({ typed, most }) => opened().symbols(typed, most));
handle('syntaxFaults', ({ path, text }) => opened().syntaxFaults(path, text));
handle('readCommand', (command) => opened().readCommand(command));
handle('named', ({ text }) => opened().named(text));
handle('failing', ({ output }) => opened().failing(output));
handle('declaring', (request) => opened().declaring(request));
handle('map', ({ most }) => opened().map(most, () => pauses.pass()));
handle('unembedded', ({ model, most, first }) => opened().unembedded(model, most, first));
handle('keepVectors', ({ model, vectors }) => {
  opened().keepVectors(model, vectors);
  return null;
});
handle('status', () => opened().status());
handle('leftOut', () => opened().leftOutFiles());
handle('close', () => {
  finder?.close();
  finder = null;
  return null;
});
connection.onNotification('hold', ({ paused }: FindingNotices['hold']) => gate.hold(paused));
connection.listen();
