// The model as the views show it: its state in words, with the buttons of the advice, and the model itself once it is ready.
import type { ServerInfo } from '../core/engine/modelInfo.ts';
import type { Action } from '../core/faults/faultActions.ts';

/** The state of the model process: a word for logic, and words for the user. */
export interface EngineView {
  readonly state: 'off' | 'loading' | 'ready' | 'failed' | 'restarting';
  /** A line with the model and device when ready, else with the present activity. */
  readonly message: string;
  readonly advice: string;
  /** 0 to 1 while loading, else null. */
  readonly progress: number | null;
  /** For instance that the demo model errs often. */
  readonly note: string;
  /** The model's memory in words, from before it is loaded; '' while unknown. */
  readonly memory: string;
  /** Buttons for the advice. */
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
  /** Size of the file, in bytes. */
  readonly bytes: number;
  readonly device: string;
  /** The abilities that the model has shown, in words. */
  readonly nature: string;
  /** The tiny model of the first run, for which nothing is looked up. */
  readonly pocket: boolean;
  /** The server that runs the model; null for this machine. */
  readonly server: ServerInfo | null;
}

/** Whether nothing goes on before a model file is chosen. */
export function needsModel({ state, actions }: EngineView): boolean {
  return state === 'failed' && actions[0]?.do.type === 'chooseModel';
}
