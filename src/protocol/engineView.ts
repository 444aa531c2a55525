// What the views show of the model: its state in words, with the buttons of the advice, and the model itself once it is ready.
import type { ServerInfo } from '../core/engine/modelInfo.ts';
import type { Action } from '../core/faults/faultActions.ts';

/** What the model process is doing, in a word for logic and in words for the user. */
export interface EngineView {
  readonly state: 'off' | 'loading' | 'ready' | 'failed' | 'restarting';
  /** One line: the model and device when ready, else what is going on. */
  readonly message: string;
  readonly advice: string;
  /** 0 to 1 while loading, else null. */
  readonly progress: number | null;
  /** For instance that the demo model errs often. */
  readonly note: string;
  /** What the model takes of the memory, from before it is loaded; '' while unknown. */
  readonly memory: string;
  /** What the advice says, as buttons. */
  readonly actions: readonly Action[];
  /** The model that is ready; null otherwise. */
  readonly model: ModelView | null;
}

/** Whether it can go on within an answer: a server that takes messages alone begins another one. */
export function continuesAnswers({ server }: Pick<ModelView, 'server'>): boolean {
  return server === null || server.grade === 'exact';
}

export interface ModelView {
  readonly name: string;
  /** Tokens. */
  readonly window: number;
  /** Tokens that it was trained for, the largest window there is. */
  readonly trained: number;
  /** Of the file. */
  readonly bytes: number;
  readonly device: string;
  /** What it was seen to do, in words. */
  readonly nature: string;
  /** The tiny model of the first run, for which nothing is looked up. */
  readonly pocket: boolean;
  /** Where it runs; null for this machine. */
  readonly server: ServerInfo | null;
}
