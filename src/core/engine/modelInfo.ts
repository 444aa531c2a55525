// A loaded model: who it is, what it can do, and what it takes.
import type { CallSyntax, Family } from '../calls/syntax.ts';
import type { MemoryTry } from '../machine/lessMemory.ts';
import type { MemoryPlan } from '../machine/memoryPlan.ts';
import type { SomeSampling } from '../model/sampling.ts';
import type { ThinkingSupport } from '../model/thinking.ts';

export interface ModelInfo {
  readonly name: string;
  /** Identifies the file: token ids are only reused for the same fingerprint. */
  readonly fingerprint: string;
  /** The real window of one slot in tokens. */
  readonly contextSize: number;
  readonly trainContext: number;
  /** The device that the model runs on, in words, with the reason, e.g. `CPU (no usable GPU was found)`. */
  readonly device: string;
  /** Layers on the GPU. */
  readonly layers: number;
  /** The larger try that failed for lack of memory when the model runs with less; null otherwise. */
  readonly asked: MemoryTry | null;
  readonly threads: number;
  readonly fileBytes: number;
  /** Weights in all; left out where a server does not say it. */
  readonly parameters?: number;
  readonly loadMilliseconds: number;
  /** Whether a slot can let go of tokens in its middle. If not, and why, what follows them is decoded again. */
  readonly erases: true | { readonly not: string };
  readonly toolCalls: ToolCallSupport;
  /** Left out where its template has neither marks of its own for thoughts nor a switch. */
  readonly thinking?: ThinkingSupport;
  /** Sampling values from the model's publisher or its file. */
  readonly sampling?: SomeSampling;
  /** The same for answers without thoughts, where the publisher has others for them. */
  readonly plainSampling?: SomeSampling;
  /** True where its file has tokens for filling in the middle of a text, and the engine does so. */
  readonly completes?: true;
  /** Sequences in all. */
  readonly slots: number;
  /** The planned memory; null when the header said too little. */
  readonly memory: MemoryPlan | null;
  /** Left out where it runs on this machine. */
  readonly server?: ServerInfo;
}

/**
 * How a server's prompts are known. `exact`: token ids go there and come back. `counted`: it counts, and gets text. `estimated`: neither.
 */
export type Grade = 'exact' | 'counted' | 'estimated';

/** A server that runs the model. */
export interface ServerInfo {
  /** Name and port. */
  readonly host: string;
  readonly isEncrypted: boolean;
  /** True when the server runs on this machine. */
  readonly isLoopback: boolean;
  /** The server's software in words, such as `llama-server b6500`. */
  readonly software: string;
  readonly grade: Grade;
  /** The checks that were tried, a sentence each: why the server has this grade and none above it. */
  readonly reasons: readonly string[];
  /** Numbers of its slots that are ours; null where it chooses them. */
  readonly ownSlots: readonly number[] | null;
}

/** How the model is to write tool calls, and who prints their schemas: its chat template, or we in the system text. */
export type ToolCallSupport =
  | { readonly format: Family; readonly syntax: CallSyntax; readonly schemas: 'template' | 'text' }
  | { readonly format: 'none'; readonly reason: string };

/** Tells a model here from the same one on a server. */
export function modelLabel({ name, server }: ModelInfo): string {
  return server === undefined ? name : `${name} (${server.host})`;
}
