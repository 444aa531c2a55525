// A server that takes token ids and gives token ids back: what an exact engine needs of one, whatever its wire is.
import type { PrefillProgress } from '../../../core/model/model.ts';
import type { Sampling } from '../../../core/model/sampling.ts';
import type { HiddenKey } from '../wire/hiddenKey.ts';
import type { ServerCounts } from '../wire/remoteSlot.ts';

/** Tokens: no vocabulary has more. */
export const largestVocabulary = 1_000_000;

export interface ServerFacts {
  /** The model, as the server calls it. */
  readonly model: string;
  /** Tells one model, vocabulary and template from others: what is kept of token ids is kept for the same only. */
  readonly identity: string;
  /** Tokens. */
  readonly window: number;
  readonly trainedWindow: number;
  readonly bytes: number;
  /** Weights of its model; null where it does not say. */
  readonly parameters: number | null;
  readonly chatTemplate: string | null;
  readonly bos: string;
  readonly eos: string;
  readonly software: string;
  /** Slots that can be asked for by number; null where it has none, or chooses itself. */
  readonly ownSlots: readonly number[] | null;
  readonly slots: number;
  /** A slot that no conversation uses; null where there is none, or the server chooses itself. */
  readonly spareSlot: number | null;
  /** Ids that the server puts in front of every text. */
  readonly beginning: readonly number[];
  /** The server keeps prompts in blocks of so many tokens. */
  readonly block: number;
}

export interface CompletionRequest {
  readonly ids: readonly number[];
  /** 0 only decodes the prompt. */
  readonly maxTokens: number;
  /** GBNF. */
  readonly grammar: string | null;
  readonly banned: readonly number[];
  readonly sampling: Sampling & { readonly seed: number | null };
  /** The server's number for a slot; null leaves the choice to it. */
  readonly slot: number | null;
  /** The probability of each token is told. */
  readonly probabilities?: true;
}

export interface CompletionHeard {
  readonly onProgress: (progress: PrefillProgress) => void;
  /** Ids in their order, without what ends a generation, their text where the server tells it, and the probability of the last one. False ends it here. */
  readonly onIds: (ids: readonly number[], text: string | null, probability?: number) => boolean;
}

/** Counts that a generation which was left did not bring are null. */
export interface ServerCompletion extends ServerCounts {
  /** `left`: ended by who heard it. `broken`: by the server, which stumbled over what it wrote; behind that it can go on. */
  readonly stop: 'end' | 'length' | 'left' | 'broken';
}

/** The kinds and texts of a server's tokens, as far as asking reveals them. */
export interface LearnedVocabulary {
  /** Ids that act where special strings are looked for. */
  readonly control: ReadonlySet<number>;
  /** Ids whose strings are matched in any text. */
  readonly userDefined: ReadonlySet<number>;
  /** The text of a token; null where it is a part of a character. */
  readonly texts: readonly (string | null)[];
  /** Ids of a line break, behind which a text has no blank of its own; null where none begins with one. */
  readonly lineBreak: readonly number[] | null;
}

export interface ExactServer {
  readonly facts: ServerFacts;
  /** The bytes of every token, by id; null where they are not told. */
  readonly pieces: readonly Uint8Array[] | null;
  /** Hides the key in what is said. */
  readonly hidden: HiddenKey;
  learn(): Promise<LearnedVocabulary>;
  /** The text of ids, special strings included; left out where the bytes of tokens tell it. */
  spell?(ids: readonly number[]): Promise<string>;
  /** Ids of each text, alone. `special`: strings that act become their ids. */
  tokenise(texts: readonly string[], special: boolean, signal?: AbortSignal): Promise<readonly (readonly number[])[]>;
  /** Rejects with a FaultError, or with the signal's reason. */
  complete(request: CompletionRequest, heard: CompletionHeard, signal: AbortSignal): Promise<ServerCompletion>;
  /** Rejects with a fault where it is not the server any more that it was when it was looked at. */
  check(signal?: AbortSignal): Promise<void>;
  /** The fault of a server that does not work with the ids it is sent. */
  otherTokens(reason: string): Error;
  close(): Promise<void>;
}
