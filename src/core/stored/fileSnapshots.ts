// What files were before they were changed, and how far the user has looked at the changes: the rows, and the port to where they are kept.
import type { ItemId } from '../dialog/dialog.ts';

/** SHA-256 of a file's bytes, in hexadecimal; of an unsaved buffer, of its text in UTF-8. Null is no file. */
export type Content = string | null;

/** A file before the first change of a turn, and after the last. */
export interface FileSnapshot {
  /** Grows with each. */
  readonly id: number;
  readonly session: string;
  /** The message of the turn. */
  readonly message: ItemId;
  /** Absolute, free of links. */
  readonly file: string;
  readonly shown: string;
  /** Its permission bits before; null where there was no file, or the system has none. */
  readonly mode: number | null;
  readonly before: Content;
  /** What the turn meant it to be; where nothing came between, what it was. */
  readonly after: Content;
  /** What waited for the user before this turn is what differed from this. */
  readonly base: Content;
  /** Somebody else wrote to the file between two changes of the turn. */
  readonly between: boolean;
  /** Unix milliseconds. */
  readonly at: number;
}

/** What the user did with changes since the model was told last; '' for nothing. */
export type ReviewNews = '' | 'kept' | 'kept in part' | 'undone' | 'undone in part' | 'both in part' | 'made again';

/** Code blocks that were put into a file, over what an agent changed there, and wait for the user's word. */
export interface AppliedBlocks {
  /** What the file would be without them. */
  readonly under: Content;
  /** Each by `blockKey`. */
  readonly keys: readonly string[];
  /** Nothing of the file was unsaved before: once they are decided upon it is saved again. */
  readonly saves: boolean;
  /** The file's permission bits before; null where there was none. */
  readonly mode: number | null;
}

/** How it stands with a file that was changed. */
export interface ChangedFile {
  readonly file: string;
  readonly shown: string;
  /** The conversation that changed it last. */
  readonly session: string;
  /** What differs from this waits for the user's word. */
  readonly base: Content;
  /** Somebody else wrote into what waits: it is not taken back without a question. */
  readonly mixed: boolean;
  /** As Tidemark left it last: where the file is something else, somebody else wrote it. */
  readonly now: Content;
  /** What is being written; left out when nothing is. */
  readonly wanted?: Content;
  /** What it was before the user took changes back, to make them again; left out when there is nothing of that. */
  readonly redo?: Content;
  /** Left out where no code block waits. */
  readonly applied?: AppliedBlocks;
  readonly news: ReviewNews;
}

export interface FileBytes {
  readonly file: string;
  /** Null is no file. */
  readonly bytes: Uint8Array | null;
  /** What it would be without code blocks; left out where none waits. */
  readonly under?: Uint8Array | null;
}

export interface NewSnapshot extends Pick<FileSnapshot, 'file' | 'shown' | 'mode'> {
  readonly before: Uint8Array | null;
  /** What the change will make of it. */
  readonly wanted: Uint8Array | null;
  /** What the user has to look at is what differs from this. */
  readonly base: Uint8Array | null;
  readonly under?: Uint8Array | null;
  readonly mixed: boolean;
}

/** What snapshots may take. */
export interface SnapshotLimits {
  /** Of all, compressed. */
  readonly bytes: number;
  /** Older ones go, Unix milliseconds. */
  readonly since: number;
}

/** What they take now. */
export interface SnapshotSize {
  /** Compressed. */
  readonly bytes: number;
  readonly snapshots: number;
  /** Unix milliseconds; null where there is none. */
  readonly oldest: number | null;
}

/** Where snapshots are kept. Every function may throw a `storeUnavailable` FaultError, and then nothing of it was kept. */
export interface FileSnapshots {
  /** Before the files are changed. The first snapshot of a turn and file stays. */
  begin(session: string, message: ItemId, files: readonly NewSnapshot[], at: number): void;
  /** What the files are now. Where nothing was changed the snapshot goes. */
  settle(session: string, message: ItemId, files: readonly FileBytes[]): void;
  /** Of a session, the oldest first. */
  of(session: string): readonly FileSnapshot[];
  /** Of a file in all sessions, the oldest first. */
  ofFile(file: string): readonly FileSnapshot[];
  file(file: string): ChangedFile | null;
  /** What the session changed last. */
  files(session: string): readonly ChangedFile[];
  /** Adds a row, or replaces the one of its file, with the contents that it names; null is no file. */
  put(file: ChangedFile, contents?: readonly (Uint8Array | null)[]): void;
  /** Null where it is no longer kept. */
  content(content: string): Uint8Array | null;
  /** The oldest turns go first; those in which something waits for the user's word stay. */
  trim(limits: SnapshotLimits): void;
  size(): SnapshotSize;
}
