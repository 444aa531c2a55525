// Searches that run beside the window: each in a thread, which reads the same file.
import type { Fault } from '../../core/faults/fault.ts';
import { FaultError, reasonOf } from '../../core/faults/faults.ts';
import type { Search, Searched, Searches } from '../../core/stored/storedSession.ts';
import { inThread } from './inThread.ts';

export interface SearchParams {
  readonly path: string;
  readonly workspace: string;
  readonly words: string;
  readonly limit: number;
}

const ended = new Error('The search was ended.');
const startsOver = new Error('The search starts over.');

export class Searcher implements Searches {
  private readonly path: string;
  private readonly script: string | URL;
  private readonly running = new Set<AbortController>();

  /** `script` is the thread's. */
  constructor(path: string, script: string | URL) {
    this.path = path;
    this.script = script;
  }

  readonly search: Search = async (workspace, words, limit, signal) => {
    for (;;) {
      const ending = new AbortController();
      const end = () => ending.abort(ended);
      signal?.addEventListener('abort', end, { once: true });
      if (signal?.aborted === true) end();
      this.running.add(ending);
      try {
        return await this.inThread({ path: this.path, workspace, words, limit }, ending.signal);
      } catch (error) {
        if (error !== startsOver) throw error;
      } finally {
        this.running.delete(ending);
        signal?.removeEventListener('abort', end);
      }
    }
  };

  startOver(): void {
    for (const ending of this.running) ending.abort(startsOver);
  }

  end(): void {
    for (const ending of this.running) ending.abort(ended);
  }

  private async inThread(params: SearchParams, signal: AbortSignal): Promise<Searched> {
    const found = await inThread<Searched | Fault>(this.script, 'tidemark-search', params, signal).catch((error) => {
      if (error === signal.reason) throw error;
      throw new FaultError({ kind: 'storeUnavailable', reason: reasonOf(error) });
    });
    if ('kind' in found) throw new FaultError(found);
    return found;
  }
}
