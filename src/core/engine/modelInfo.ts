// A loaded model: who it is, what it can do, and what it takes.
import type { CallSyntax, Family } from '../calls/syntax.ts';
import type { MemoryTry } from '../machine/lessMemory.ts';
import type { MemoryPlan } from '../machine/memoryPlan.ts';
import type { SomeSampling } from '../model/sampling.ts';

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
  /** It is this machine. */
  readonly isLoopback: boolean;
  /** What it is, in words, such as `llama-server b6500`. */
  readonly software: string;
  readonly grade: Grade;
  /** What was tried, one sentence each: why it has this grade and none above it. */
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
