// The state of a slot on disk: what is stored of it, and what comes back.
import type { Pace } from '../kv/pace.ts';
import type { CacheReuse } from '../model/model.ts';
import type { Prompt } from '../prompt/prompt.ts';

export interface SaveSnapshotParams {
  readonly slot: number;
  /** The file the state goes to; what describes it goes beside it, to this with `.json`. */
  readonly path: string;
  /** Whose it is; written down with it. */
  readonly session: string;
  /** Only if the slot holds just so many tokens. */
  readonly tokens?: number;
  /** Only if decoding it again would take longer, in milliseconds. */
  readonly worthMilliseconds: number;
  readonly maxBytes: number;
}

export type SnapshotSaved =
  | {
      readonly saved: true;
      readonly tokens: number;
      readonly bytes: number;
      readonly milliseconds: number;
      /** The part of the time during which no request could run on the slot. */
      readonly slotMilliseconds: number;
    }
  | { readonly saved: false; readonly reason: string };

/** Brings a stored state, or another slot's, into the slot if it leaves less of the prompt to decode than what the slot holds. */
export interface LoadSnapshotParams {
  readonly slot: number;
  readonly path: string;
  readonly prompt: Prompt;
  readonly reuse: CacheReuse;
  /** Another slot's only if decoding what it spares would take longer, in milliseconds. */
  readonly worthMilliseconds: number;
}

export type SnapshotLoaded =
  | {
      readonly loaded: true;
      /** `slot`: another one, whose beginning is that of the prompt. */
      readonly from: 'disk' | 'slot';
      /** Why what was on disk could not be used and was deleted, where another slot served instead. */
      readonly refused?: string;
      readonly tokens: number;
      readonly bytes: number;
      readonly milliseconds: number;
      /** How fast such prompts were decoded, as far as known. */
      readonly pace: Pace;
    }
  /** `deleted`: it could not be used, so it is gone. */
  | { readonly loaded: false; readonly reason: string; readonly deleted: boolean };
