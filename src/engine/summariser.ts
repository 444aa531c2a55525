// A model of its own for summaries lives only while one is written, because two models at once need the memory of both.
import type { ChildProcess } from 'node:child_process';
import type { LoadParams } from '../protocol/engine.ts';
import { EngineClient } from './client.ts';

export interface Summarising {
  readonly engine: EngineClient;
  /** Tokens. */
  readonly window: number;
  readonly slot: number;
  readonly done: () => Promise<void>;
}

/** Loads `path` with the settings of the other model. Rejects with a FaultError where it cannot be loaded. */
export async function startSummariser(fork: () => ChildProcess, path: string, load: LoadParams): Promise<Summarising> {
  const engine = new EngineClient(fork);
  try {
    // The summariser runs on this machine, even when the chat's model is on a server.
    const { server: _, ...own } = load;
    const params = { ...own, modelPath: path, slots: 1, conversations: 1, askers: ['summary'] } as const;
    const { contextSize } = await engine.load(params);
    return { engine, window: contextSize, slot: 0, done: () => engine.close() };
  } catch (error) {
    await engine.close();
    throw error;
  }
}
