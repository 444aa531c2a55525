// Messages between the extension host and the engine process: plain JSON over vscode-jsonrpc, one map of requests and one of notices.
import type { ProbeAttempt } from '../core/abilities/probe.ts';
import type { CallSyntax, Family } from '../core/calls/syntax.ts';
import type { ToolCall } from '../core/dialog/dialog.ts';
import type { Fault } from '../core/faults/fault.ts';
import type { Pace } from '../core/kv/pace.ts';
import type { MemoryTry } from '../core/machine/lessMemory.ts';
import type { Bytes, MemoryPlan } from '../core/machine/memoryPlan.ts';
import type { CacheReuse, Generation, Prefill, ToolCallMode } from '../core/model/model.ts';
import type { SomeSampling } from '../core/model/sampling.ts';
import type { Speed } from '../core/model/speed.ts';
import type { Measure, Prompt } from '../core/prompt/prompt.ts';

export interface LoadParams {
  readonly modelPath: string;
  /** Tokens wanted per slot; the model's training length is the upper bound. */
  readonly contextSize: number;
  readonly gpu: 'auto' | 'off' | 'cuda' | 'vulkan' | 'metal';
  /** A folder with further packs of llama.cpp; none where it is empty or not said. */
  readonly packs?: string;
  /** Layers to put on the GPU; `null` lets the library decide. */
  readonly gpuLayers: number | null;
  /** How its publisher advises to draw tokens; goes over what the file says. */
  readonly sampling?: SomeSampling;
  /** CPU threads; `null` finds their number while they work. */
  readonly threads: number | null;
  /** Slots of one conversation. */
  readonly slots: number;
  /** Conversations that have slots at the same time, if the memory suffices; one where it is not said. */
  readonly conversations?: number;
  /** Bytes of main memory that the model may take; no limit where it is not said. */
  readonly memoryBytes?: number;
  /** Compares slot and prompt token by token after every prefill; a difference is a fault. For tests. */
  readonly verify?: boolean;
}

export interface ModelInfo {
  readonly name: string;
  /** Identifies the file: token ids are only reused for the same fingerprint. */
  readonly fingerprint: string;
  /** The real window of one slot in tokens. */
  readonly contextSize: number;
  readonly trainContext: number;
  /** What it computes on, in words, and why, e.g. `CPU (no usable GPU was found)`. */
  readonly device: string;
  /** Layers on the GPU. */
  readonly layers: number;
  /** What there was not enough memory for, where it runs with less; null otherwise. */
  readonly asked: MemoryTry | null;
  readonly threads: number;
  readonly fileBytes: number;
  readonly loadMilliseconds: number;
  /** Whether a slot can let go of tokens in its middle. If not, and why, what follows them is decoded again. */
  readonly erases: true | { readonly not: string };
  readonly toolCalls: ToolCallSupport;
  /** What its publisher or its file says of how to draw tokens. */
  readonly sampling?: SomeSampling;
  /** Sequences in all. */
  readonly slots: number;
  /** What was expected of the memory; null where the header said too little. */
  readonly memory: MemoryPlan | null;
}

/** How the model is to write tool calls, and who prints their schemas: its chat template, or we in the system text. */
export type ToolCallSupport =
  | { readonly format: Family; readonly syntax: CallSyntax; readonly schemas: 'template' | 'text' }
  | { readonly format: 'none'; readonly reason: string };

export interface EmbeddingParams extends Pick<LoadParams, 'modelPath' | 'gpu' | 'packs'> {
  /** Null takes all cores: a text takes a fraction of a second, and nothing else of ours runs meanwhile. */
  readonly threads: number | null;
}

export interface EmbeddingInfo {
  readonly name: string;
  /** Identifies the file: vectors of another one cannot be compared with its own. */
  readonly fingerprint: string;
  readonly dimensions: number;
  /** Tokens of a text that it can read. */
  readonly window: number;
}

export interface GenerateParams {
  readonly slot: number;
  readonly prompt: Prompt;
  readonly maxTokens: number;
  /** Thoughts that take more of them are ended. */
  readonly thoughtTokens?: number;
  readonly toolCalls: ToolCallMode;
  readonly reuse: CacheReuse;
  readonly sampling: SeededSampling;
  /** GBNF for the whole message; no tool call then. */
  readonly grammar?: string;
  /** Puts this assistant message into the slot instead of sampling one (replay of a recorded trace). */
  readonly forced?: { readonly text: string; readonly calls: readonly ToolCall[] };
}

/** What is not said here is the model's own, or ours. */
export interface SeededSampling extends SomeSampling {
  readonly seed: number | null;
}

/** Prefills everything before the last message's text: what any next user message will share. */
export interface WarmParams {
  readonly slot: number;
  readonly prompt: Prompt;
  /** `auto` and `exact` settle the slot: what is approximate in it is decoded again. */
  readonly reuse: CacheReuse;
  /** With `auto` only if that will take no longer, in milliseconds. */
  readonly settleMilliseconds: number;
}

export interface Warmth {
  /** Tokens of the stable prefix now in the slot, and how many it has. */
  readonly warmed: number;
  readonly of: number;
  readonly prefill: Prefill;
  /** Tokens that were approximate and are exact now. */
  readonly settled: number;
  /** Milliseconds that settling would have taken, where that was too long; otherwise null. */
  readonly unsettled: number | null;
}

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
      /** Of these, how long no request could have run on the slot. */
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

/** A run of a prompt's text. */
export interface SpelledPiece {
  /** Its number in `segmentsOf(prompt)`; null for what the chat template writes. */
  readonly segment: number | null;
  readonly tokens: number;
  readonly text: string;
}

/** Request name -> parameters and result. */
export interface EngineRequests {
  /** How fast the loaded model is here. Takes some seconds, in which nothing else should run. */
  speed: { params: Readonly<Record<string, never>>; result: Speed };
  load: { params: LoadParams; result: ModelInfo };
  measure: { params: { readonly prompt: Prompt }; result: Measure };
  /** Tokens of each text as content. */
  count: { params: { readonly texts: readonly string[] }; result: readonly number[] };
  /** The prompt's text as the model gets it, special strings included. */
  spell: { params: { readonly prompt: Prompt }; result: string };
  /** The same text piece by piece. */
  spellPieces: { params: { readonly prompt: Prompt }; result: readonly SpelledPiece[] };
  generate: { params: GenerateParams; result: Generation };
  /** One generation in a context of its own, without randomness. Ends early when cancelled. */
  attempt: { params: ProbeAttempt; result: Generation };
  warm: { params: WarmParams; result: Warmth };
  /** Stores what a slot holds, unless a request waits for the slot. */
  saveSnapshot: { params: SaveSnapshotParams; result: SnapshotSaved };
  loadSnapshot: { params: LoadSnapshotParams; result: SnapshotLoaded };
  /** What is free, how much of the GPU's is main memory, and the kinds of weights that the processor copies. Only of a process that has loaded nothing. */
  machine: {
    params: Pick<LoadParams, 'gpu'>;
    result: { readonly free: Bytes; readonly shared: number; readonly copies: readonly string[] };
  };
  /** Loads an embedding model beside the chat model, in the place of the one before it. */
  loadEmbedding: { params: EmbeddingParams; result: EmbeddingInfo };
  /** The vector of each text, of length one; what is longer than the model's window is cut. Ends early, with fewer, when cancelled. */
  embed: { params: { readonly texts: readonly string[] }; result: readonly Float32Array[] };
  /** What a file would take, by its header. Only of a process that has loaded nothing. */
  estimate: { params: LoadParams; result: MemoryPlan };
}

export interface Prefilling {
  readonly slot: number;
  /** Prompt tokens in the slot, and all of them. */
  readonly done: number;
  readonly of: number;
  /** Tokens decoded so far for this request, and in what time. */
  readonly decoded: number;
  readonly milliseconds: number;
}

/** Notice name -> parameters, engine to host. */
export interface EngineNotices {
  /** What the model that is about to be loaded will take. */
  planned: { readonly memory: MemoryPlan };
  /** 0 to 1 while a model loads. */
  loading: { readonly progress: number };
  /** Whole characters of the generation that runs on a slot. */
  text: { readonly slot: number; readonly text: string };
  /** Prompt tokens in the slot so far, while it prefills. */
  prefilling: Prefilling;
  /** The same while idle work prefills. */
  warming: Prefilling;
}

/** The `data` of an error response. */
export interface EngineErrorData {
  readonly fault: Fault;
}
