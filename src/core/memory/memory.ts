// Durable memory: what the user asked to be remembered beyond a session, and every write to it.

/** Who asked for a write: a typed command or a button, or a compaction's proposal that the user confirmed. */
export type MemorySource = 'command' | 'proposal';

export interface Memory {
  readonly id: string;
  /** The folders it belongs to, as sessions name them; null for what holds everywhere. */
  readonly workspace: string | null;
  readonly kind: 'fact' | 'preference';
  readonly text: string;
  /** Unix milliseconds. */
  readonly created: number;
  readonly changed: number;
  readonly source: MemorySource;
}

/** A piece of work on the board of a workspace. */
export interface WorkItem {
  readonly id: string;
  readonly workspace: string;
  readonly state: 'open' | 'doing' | 'done';
  readonly text: string;
  readonly created: number;
  readonly changed: number;
  readonly source: MemorySource;
}

export interface DecisionRecord {
  readonly id: string;
  readonly workspace: string;
  readonly text: string;
  /** Why; '' where nobody said. */
  readonly reason: string;
  /** The day it was taken, Unix milliseconds. */
  readonly created: number;
  readonly changed: number;
  readonly source: MemorySource;
}

export type NoteKind = 'memory' | 'work' | 'decision';

/** A single write. Forgotten words are erased from all rows, the audit included. */
export interface AuditRow {
  /** Unix milliseconds. */
  readonly at: number;
  readonly kind: NoteKind;
  readonly action: 'added' | 'changed' | 'forgotten';
  readonly id: string;
  readonly source: MemorySource;
  /** The record before and after, as JSON; '' where there is none or it was forgotten. */
  readonly before: string;
  readonly after: string;
}

/** Storage of the memory. Each write is one transaction with its audit row. Every function may throw a `storeUnavailable` FaultError. */
export interface MemoryStore {
  /** Memories of the workspace and those that hold everywhere, in the order in which they were added. */
  memories(workspace: string): readonly Memory[];
  work(workspace: string): readonly WorkItem[];
  decisions(workspace: string): readonly DecisionRecord[];
  /** Adds a record, or replaces the one with its id. */
  putMemory(memory: Memory): void;
  putWork(item: WorkItem): void;
  putDecision(decision: DecisionRecord): void;
  /** `source` is who asked for it. No error where the id is not there. */
  forget(kind: NoteKind, id: string, at: number, source: MemorySource): void;
  /** The latest writes first. */
  audit(limit: number): readonly AuditRow[];
}

/** A secret, or data about a person, in words; with `asks` the user may keep it all the same. */
export type NoteCheck = (text: string) => Promise<{ readonly words: string; readonly asks: boolean } | null>;
