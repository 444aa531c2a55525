// Messages between the extension host and the engine process: plain JSON over vscode-jsonrpc, one map of requests and one of notices.

import type { ToolCall } from '../core/dialog/dialog.ts';
import type { Quotable } from '../core/dialog/quotable.ts';
import type { Attempt } from '../core/engine/attempt.ts';
import type { Completed, FillRequest } from '../core/engine/completion.ts';
import type { ModelInfo } from '../core/engine/modelInfo.ts';
import type { WarmParams, Warmth } from '../core/engine/prefill.ts';
import type {
  LoadSnapshotParams,
  SaveSnapshotParams,
  SnapshotLoaded,
  SnapshotSaved,
} from '../core/engine/slotState.ts';
import type { SpelledPiece } from '../core/engine/spelled.ts';
import type { Fault } from '../core/faults/fault.ts';
import type { Asker } from '../core/machine/askers.ts';
import type { Bytes, MemoryPlan } from '../core/machine/memoryPlan.ts';
import type { CacheReuse, Generation, PrefillProgress, ToolCallMode } from '../core/model/model.ts';
import type { SeededSampling, SomeSampling } from '../core/model/sampling.ts';
import type { Speed } from '../core/model/speed.ts';
import type { Measure, Prompt } from '../core/prompt/prompt.ts';

/** A server elsewhere that runs the model. */
export interface ServerParams {
  /** With the path in front of the server's own, where a proxy asks for one. */
  readonly url: string;
  readonly kind: 'auto' | 'llama-server' | 'vllm' | 'openai';
  /** Its name for the model; '' is the one it has. */
  readonly model: string;
  /** The first of its slots that is ours; null takes those that nobody used, or leaves the choice to it. */
  readonly slot: number | null;
  /** '' where it asks for none. */
  readonly key: string;
  /** An authority of the user's own; '' is none. */
  readonly caFile: string;
  /** The user allows http to another machine. */
  readonly insecure: boolean;
  /** The network is switched off: nothing may be sent, not even to this machine. */
  readonly offline: boolean;
}

export interface LoadParams {
  /** '' where a server runs the model. */
  readonly modelPath: string;
  /** Takes the place of all that is about this machine. */
  readonly server?: ServerParams;
  /** Tokens wanted per slot; the model's training length is the upper bound. `null` chooses by memory, pace and training length. */
  readonly contextSize: number | null;
  /** Tokens per second that models read here, by fingerprint, of those that were tested: for a window that is chosen. */
  readonly paces?: Readonly<Record<string, number>>;
  readonly gpu: 'auto' | 'off' | 'cuda' | 'vulkan' | 'metal';
  /** A folder with further packs of llama.cpp; none where it is empty or not said. */
  readonly packs?: string;
  /** Layers to put on the GPU; `null` lets the library decide. */
  readonly gpuLayers: number | null;
  /** How its publisher advises to draw tokens; goes over what the file says. */
  readonly sampling?: SomeSampling;
  /** The same for answers without thoughts. */
  readonly plainSampling?: SomeSampling;
  /** CPU threads; `null` finds their number while they work. */
  readonly threads: number | null;
  /** Slots of one conversation. */
  readonly slots: number;
  /** Conversations that have slots at the same time, if the memory suffices; one where it is not said. */
  readonly conversations?: number;
  /** Who will ask it; those of the editor, if not said. */
  readonly askers?: readonly Asker[];
  /** Bytes of main memory that the model may take; no limit where it is not said. */
  readonly memoryBytes?: number;
  /** Compares slot and prompt token by token after every prefill; a difference is a fault. For tests. */
  readonly verify?: boolean;
}

export interface EmbeddingParams extends Pick<LoadParams, 'modelPath' | 'gpu' | 'packs'> {
  /** The number of threads. Null takes all cores: a text takes a fraction of a second, and nothing else of ours runs meanwhile. */
  readonly threads: number | null;
}

export interface EmbeddingInfo {
  /** In its header. */
  readonly name: string;
  /** On the disk, without its folder. */
  readonly file: string;
  /** The name that llama.cpp has for its kind. */
  readonly architecture: string;
  /** Identifies the file: vectors of another one cannot be compared with its own. */
  readonly fingerprint: string;
  readonly dimensions: number;
  /** Tokens of a text that it can read. */
  readonly window: number;
}

/** Notices of a running request name it by this number. */
interface Heard {
  readonly of?: number;
}

export interface GenerateParams extends Heard {
  /** An answer, if not said. */
  readonly asker?: Asker;
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
  readonly quotable?: Quotable;
  /** Puts this assistant message into the slot instead of sampling one (replay of a recorded trace). */
  readonly forced?: { readonly text: string; readonly calls: readonly ToolCall[] };
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
  /** Generates once in a context of its own, without randomness. Ends early when cancelled. */
  attempt: { params: Attempt; result: Generation };
  /** Fills in the middle, in a context of its own. Ends early when cancelled, and when a later one comes. */
  complete: { params: FillRequest & Heard; result: Completed };
  warm: { params: WarmParams & Heard; result: Warmth };
  /** Stores what a slot holds, unless a request waits for the slot. */
  saveSnapshot: { params: SaveSnapshotParams; result: SnapshotSaved };
  loadSnapshot: { params: LoadSnapshotParams; result: SnapshotLoaded };
  /**
   * Free memory, how much of the GPU's is main memory, the kinds of weights that the processor copies, bytes of weights that all
   * processors go through in a second, about, and how many of these there are. Only for a process that has loaded nothing.
   */
  machine: {
    params: Pick<LoadParams, 'gpu'>;
    result: {
      readonly free: Bytes;
      readonly shared: number;
      readonly copies: readonly string[];
      readonly readRate: number;
      readonly processors: number;
    };
  };
  /** Loads an embedding model beside the chat model, in the place of the one before it. */
  loadEmbedding: { params: EmbeddingParams; result: EmbeddingInfo };
  /** The vector of each text, of length one; what is longer than the model's window is cut. Ends early, with fewer, when cancelled. */
  embed: { params: { readonly texts: readonly string[] }; result: readonly Float32Array[] };
  /** Estimates a file's memory by its header. Only for a process that has loaded nothing. */
  estimate: { params: LoadParams; result: MemoryPlan };
}

/** Notice name -> parameters, engine to host. */
/** Milliseconds between two beats of the process. */
export const beat = 1000;

export interface EngineNotices {
  /** The memory that the model will take, told before it is loaded. */
  planned: { readonly memory: MemoryPlan };
  /** 0 to 1 while a model loads. */
  loading: { readonly progress: number };
  /** Whole characters of a generation. */
  text: { readonly of: number; readonly text: string };
  prefilling: { readonly of: number; readonly progress: PrefillProgress };
  /** The chat template is tried, or was. */
  template: { readonly runs: boolean };
  /** Each second while a request is under way. Only objects pass the channel. */
  alive: Readonly<Record<string, never>>;
}

/**
 * How a prompt crosses the channel: whole and with a number (`as`) the first time, by that number from then on. The process keeps a
 * few, so it may say that it does not know one.
 */
export interface PromptByNumber {
  readonly prompt: Prompt | number;
  readonly as?: number;
}

/** The `data` of an error response. */
export interface EngineErrorData {
  readonly fault: Fault;
  /** The prompt was named by a number that the process does not keep. */
  readonly unknownPrompt?: boolean;
}
