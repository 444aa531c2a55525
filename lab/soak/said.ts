// Messages between the host under test and its watcher: what the host says about itself, one line of JSON each, and what it is told.
import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import type { Item } from '../../src/core/dialog/dialog.ts';
import type { NoteKind } from '../../src/core/memory/memory.ts';

/** A call of the store that writes. `sha` is the digest of the JSON that it has to keep, byte for byte. */
export type Write =
  | { readonly kind: 'session'; readonly session: string }
  | { readonly kind: 'item'; readonly session: string; readonly id: string; readonly sha: string }
  | { readonly kind: 'report' | 'marks' | 'pruned'; readonly session: string; readonly sha: string }
  | {
      readonly kind: 'compaction';
      readonly session: string;
      readonly id: string;
      readonly sha: string;
      readonly pruned: string;
      readonly outcome: string;
    }
  | { readonly kind: 'put'; readonly of: NoteKind; readonly id: string; readonly sha: string }
  | { readonly kind: 'forget'; readonly of: NoteKind; readonly id: string }
  | { readonly kind: 'delete'; readonly session: string };

/** Kinds of work that a host may be in the middle of, the most telling first. */
export const moments = ['store', 'compaction', 'tool', 'stream', 'start', 'load', 'turn', 'command'] as const;
export type Moment = (typeof moments)[number] | 'idle';

/** A conversation as the chat has it. */
export interface Shown {
  readonly session: string;
  readonly path: readonly { readonly id: string; readonly sha: string }[];
  /** Ids of all branches. */
  readonly items: readonly string[];
  readonly compactions: readonly string[];
  readonly pruned: string;
  readonly marks: string;
  /** Digests of the entries that the view shows. */
  readonly entries: readonly string[];
  readonly notice: string;
}

export type Said =
  | { readonly say: 'begin'; readonly write: Write }
  | { readonly say: 'done' }
  | { readonly say: 'refused'; readonly words: string }
  | { readonly say: 'in' | 'out'; readonly moment: Moment }
  | { readonly say: 'engine'; readonly pid: number }
  /** `closed`: the items that the chat appended to a turn that had been cut off. */
  | { readonly say: 'resumed'; readonly shown: Shown; readonly closed: readonly Item[] }
  | { readonly say: 'asked'; readonly turn: number }
  | { readonly say: 'answered'; readonly turn: number; readonly problem: string }
  | { readonly say: 'still'; readonly shown: Shown }
  | { readonly say: 'ended' };

/** Words to the host: do more of this, stop the process, end as a window does that is closed. */
export type Told = 'compact' | 'command' | 'talk' | 'be still' | 'end';

export type Say = (said: Said) => void;

/** A plain write of one line. What was written is the reader's, however the writer ends. */
export const say: Say = (said) => {
  const line = Buffer.from(`${JSON.stringify(said)}\n`);
  for (let at = 0; at < line.length; ) at += written(line, at);
};

const cell = new Int32Array(new SharedArrayBuffer(4));

/** Bytes that the pipe took; it takes none for a while when it is full. */
function written(line: Buffer, from: number): number {
  try {
    return writeSync(1, line, from);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    Atomics.wait(cell, 0, 0, 1);
    return 0;
  }
}

export function shaOf(json: string): string {
  return createHash('sha256').update(json).digest('hex');
}

export interface HostOptions {
  readonly database: string;
  readonly model: string;
  readonly seed: number;
  readonly window: number;
  readonly compactAt: number;
  /** Who writes summaries: a script that does it well, or the random model itself. */
  readonly summariser: 'script' | 'model';
  /** Stretches each transaction, so that a kill meets one more often. */
  readonly slow: boolean;
}
