// The port to an engine: what runs a model, a process of this machine or a server elsewhere. What an engine may lack is a facet, null
// where it does. Everything rejects with a FaultError only.
import type { Signal } from '../dialog/tool.ts';
import type { Generation, Model, PrefillProgress } from '../model/model.ts';
import type { SeededSampling } from '../model/sampling.ts';
import type { Speed } from '../model/speed.ts';
import type { Measure, Prompt } from '../prompt/prompt.ts';
import type { Attempt } from './attempt.ts';
import type { Completed, FillRequest } from './completion.ts';
import type { WarmParams, Warmth } from './prefill.ts';
import type { LoadSnapshotParams, SaveSnapshotParams, SnapshotLoaded, SnapshotSaved } from './slotState.ts';
import type { SpelledPiece } from './spelled.ts';

export interface Engine {
  /** Tokens of a prompt, exactly as they will be decoded. `signal`: somebody stopped waiting for them. */
  measure(prompt: Prompt, signal?: Signal): Promise<Measure>;
  /** Tokens of each text as content. */
  count(texts: readonly string[]): Promise<readonly number[]>;
  /** A slot as the turn loop's model. */
  model(slot: number, sampling: SeededSampling): Model;
  /** Prefills a slot while nobody waits for it. Ends early, with what there is, when the signal says so. */
  prefill(request: WarmParams, onProgress: (progress: PrefillProgress) => void, signal?: Signal): Promise<Warmth>;
  readonly states: SlotStates | null;
  readonly spelling: PromptSpelling | null;
  /** Takes some seconds, in which nothing else should run. */
  readonly speed: ((signal?: Signal) => Promise<Speed>) | null;
  /** A single generation without randomness that leaves every slot as it is. */
  readonly attempt: ((attempt: Attempt, signal?: Signal) => Promise<Generation>) | null;
  /** Text at a caret. A later request ends the one before it, with what it has. */
  readonly complete: FillsIn | null;
}

export type FillsIn = (request: FillRequest, onText: (text: string) => void, signal?: Signal) => Promise<Completed>;

/** Files with what slots hold. */
export interface SlotStates {
  /** Stores what a slot holds, unless a request waits for the slot. */
  save(request: SaveSnapshotParams): Promise<SnapshotSaved>;
  load(request: LoadSnapshotParams): Promise<SnapshotLoaded>;
}

/** The text of a prompt as the model gets it, special strings included. */
export interface PromptSpelling {
  text(prompt: Prompt): Promise<string>;
  pieces(prompt: Prompt): Promise<readonly SpelledPiece[]>;
}

/** Throws, with words for the user, where the engine lacks it. */
export function spellingOf({ spelling }: Pick<Engine, 'spelling'>): PromptSpelling {
  if (spelling === null) throw new Error('This engine does not tell the text of its prompts.');
  return spelling;
}
