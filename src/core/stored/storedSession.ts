// A session in storage: the row it begins with, and the parts it is restored from.
import type { Said } from '../calls/read.ts';
import type { CompactionRow } from '../compaction/compactionRow.ts';
import type { Summary } from '../compaction/summary.ts';
import type { ConversationChoices, ConversationState } from '../conversation/conversation.ts';
import type { Dialog, ItemId } from '../dialog/dialog.ts';
import type { Marks } from '../dialog/marks.ts';
import type { Signal } from '../dialog/tool.ts';
import type { Capped, Cleared } from '../pruning/pruneState.ts';
import type { PrunedRun } from '../pruning/run.ts';
import type { Report } from '../report/report.ts';

export interface SessionRow {
  readonly id: string;
  /** Which workspace it belongs to: the same text for the same folders. */
  readonly workspace: string;
  /** The system text's words about the workspace, frozen when the session began, so that its prompt's prefix stays byte-stable. */
  readonly system: string;
  /** Unix milliseconds. */
  readonly created: number;
}

/** A slot's pruned items as plain JSON. */
export interface StoredPruneState {
  readonly runs: readonly PrunedRun[];
  readonly cleared: readonly (readonly [ItemId, Cleared])[];
  readonly capped: readonly (readonly [ItemId, Capped])[];
  /** Id of the compaction whose summary stands in the prompt. */
  readonly fold: string | null;
  /** The summary as it stands in the prompt; a slot may have cut it to another size than the compaction's row says. */
  readonly checkpoint?: Summary | null;
  /** The item with which it comes, where it does not stand behind the pinned head. */
  readonly summaryAt?: ItemId | null;
}

export interface UnfinishedAnswer extends Said {
  readonly parent: ItemId;
}

export interface StoredSession extends Pick<SessionRow, 'id' | 'workspace' | 'system' | 'created'> {
  /** The name the user gave it; '' without one. */
  readonly title: string;
  readonly dialog: Dialog;
  /** Items that are damaged, or hang on such ones, and are not in the dialog; left out where there is none. */
  readonly leftOut?: number;
  /** The text of an answer that was never finished, and the item it follows; null when there is none. */
  readonly unfinished: UnfinishedAnswer | null;
  readonly marks: Marks;
  readonly choices: ConversationChoices;
  /** Items that go with the next message. */
  readonly restored: ConversationState['restored'];
  /** States by slot. */
  readonly pruned: readonly StoredPruneState[];
  /** In the order in which they were made. */
  readonly compactions: readonly CompactionRow[];
}

/** A session in a list. */
export interface SessionSummary extends Pick<SessionRow, 'id' | 'workspace' | 'created'> {
  /** The name the user gave it, else the beginning of its first message. */
  readonly title: string;
  readonly turns: number;
  /** When something was last added, Unix milliseconds. */
  readonly written: number;
}

/** A place in a past session where the words searched for stand. */
export interface SearchHit {
  readonly session: SessionSummary;
  readonly item: ItemId;
  /** A line of the item around the words. */
  readonly line: string;
}

/** All that was found for the words. */
export interface Searched {
  /** The latest first. */
  readonly hits: readonly SearchHit[];
  /** Sessions that a hit is in, and ones whose title has all the words; the latest first. */
  readonly sessions: readonly SessionSummary[];
}

/** Looks through the messages of users and the answers of a workspace. Rejects with `storeUnavailable`, and where the signal ends it. */
export type Search = (workspace: string, words: string, limit: number, signal?: Signal) => Promise<Searched>;

/** A place where searches run. */
export interface Searches {
  readonly search: Search;
  /** Lets those that run begin anew: while they read, deleted words stay in the log. */
  startOver(): void;
  /** Ends those that run, which reject. */
  end(): void;
}

/** Storage of sessions. Every function may throw a `storeUnavailable` FaultError. */
export interface Journal {
  createSession(row: SessionRow): void;
  appendItem(session: string, item: Dialog['items'][number]): void;
  /** Opens the branch that ends with this item. */
  setHead(session: string, head: ItemId): void;
  /** Stores the running answer's text so far. It counts as long as its parent is the dialog's head. */
  setUnfinished(session: string, unfinished: UnfinishedAnswer): void;
  setMarks(session: string, marks: Marks): void;
  setChoices(session: string, choices: ConversationChoices): void;
  setRestored(session: string, restored: StoredSession['restored']): void;
  addReport(session: string, report: Report): void;
  setPruned(session: string, pruned: readonly StoredPruneState[]): void;
  /** Adds a row, or replaces the one with its id, and with it sets what the slots let go of, in one transaction. */
  putCompaction(session: string, row: CompactionRow, pruned: readonly StoredPruneState[]): void;
  /** Reports of the session's turns, in their order: unchecked, since an imported session brings its own. */
  reports(session: string): readonly object[];
  /** The session of the workspace that was written to last, or null. */
  latestSession(workspace: string): StoredSession | null;
  session(id: string): StoredSession | null;
  /** Whether it is there, without reading it. */
  has(id: string): boolean;
}

/** All stored sessions of this machine, for the user's own hands. Every function may throw a `storeUnavailable` FaultError. */
export interface Archive {
  /** The sessions of a workspace that hold anything, the latest first. */
  sessions(workspace: string): readonly SessionSummary[];
  /** An empty title goes back to the first message. */
  rename(session: string, title: string): void;
  /** The session and all its traces: items, reports, compactions, leases; nothing of their words stays in the file. */
  delete(session: string): void;
  /** A whole session as one JSON document. */
  exportJson(session: string): string;
  /** Takes an exported session in, under a new id and in this workspace. Throws an Error whose words say what is wrong with the document. */
  importJson(document: string, workspace: string, newId: () => string, keepSystem?: boolean): string;
  /** The workspace words that an exported session freezes in its system text. Throws like `importJson`. */
  systemOf(document: string): string;
  /** Messages that contain all the words, as many as the limit. */
  readonly search: Search;
}

/** Names that one holder has at a time, in any process on this machine. Every function may throw a `storeUnavailable` FaultError. */
export interface Leases {
  /** True when the holder has it now: it was free, its own, expired, or its holder is no longer alive. Times in milliseconds. */
  acquire(name: string, holder: string, now: number, ttl: number): boolean;
  /** Whether another holder has it, who is alive as far as is known. */
  isTaken(name: string, holder: string, now: number): boolean;
  /** Gives it to the holder, whoever had it. */
  seize(name: string, holder: string, now: number, ttl: number): void;
  /** Gives it up; nothing where another holds it. */
  release(name: string, holder: string): void;
}
