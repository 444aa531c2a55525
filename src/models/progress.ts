// The ports of a download, and its progress.
import type { Wire } from './reach.ts';

export interface DownloadPorts {
  readonly wire: Wire;
  /** Bytes that are free where a folder lies. */
  readonly free: (folder: string) => Promise<number>;
  /** Milliseconds before each try after one that brought nothing; as many tries as there are waits, and one. */
  readonly waits: readonly number[];
  /** Rejects with the signal's reason. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export interface DownloadProgress {
  /** `elsewhere`: another window fetches it. */
  readonly state: 'receiving' | 'waiting' | 'checking' | 'elsewhere';
  readonly bytes: number;
  /** Bytes in all; null while unknown. */
  readonly total: number | null;
  /** Why it waits; '' otherwise. */
  readonly why: string;
}
