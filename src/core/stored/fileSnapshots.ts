// Snapshots of files before a change, and the state of the user's review: the rows, and the port to their storage.
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
  /** The content after the turn; if somebody else wrote in between, the content that the turn intended. */
  readonly after: Content;
  /** The base of the review before this turn: differences from it waited for the user. */
  readonly base: Content;
  /** Somebody else wrote to the file between two changes of the turn. */
  readonly between: boolean;
  /** Unix milliseconds. */
  readonly at: number;
}

/** The user's decisions on changes since the model was told last; '' for none. */
export type ReviewNews =
  | ''
  | 'kept'
  | 'kept in part'
  | 'undone'
  | 'undone in part'
  | 'both in part'
  | 'made again'
  | 'set aside';

/** Code blocks that were put into a file, over what an agent changed there, and wait for the user's word. */
export interface AppliedBlocks {
  /** The file's content without these blocks. */
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
  /** The base of the review: differences from it wait for the user's decision. */
  readonly base: Content;
  /** Somebody else wrote into what waits: it is not taken back without a question. */
  readonly mixed: boolean;
  /** The content that Tidemark wrote last: if the file differs, somebody else wrote it. */
  readonly now: Content;
  /** The content being written; left out when nothing is. */
  readonly wanted?: Content;
  /** The content before the user undid changes, to make them again; left out when there is none. */
  readonly redo?: Content;
  /** Left out where no code block waits. */
  readonly applied?: AppliedBlocks;
  /** The folders that were made for it; left out where none was. */
  readonly folders?: readonly string[];
  readonly news: ReviewNews;
}

export interface FileBytes {
  readonly file: string;
  /** The bytes, or null for no file. */
  readonly bytes: Uint8Array | null;
  /** The bytes without applied code blocks; left out when none waits. */
  readonly under?: Uint8Array | null;
}

export interface NewSnapshot extends Pick<FileSnapshot, 'file' | 'shown' | 'mode'> {
  readonly before: Uint8Array | null;
  /** The bytes after the change. */
  readonly wanted: Uint8Array | null;
  /** The base of the review: the user has to look at differences from it. */
  readonly base: Uint8Array | null;
  readonly under?: Uint8Array | null;
  readonly mixed: boolean;
  /** The folders that its change makes. */
  readonly folders: readonly string[];
}

/** A file that a command changed, with what it was; null is no file. */
export type FoundChange = Pick<NewSnapshot, 'file' | 'shown' | 'mode' | 'before' | 'folders'>;

/** Limits for the stored snapshots. */
export interface SnapshotLimits {
  /** Most bytes of all snapshots, compressed. */
  readonly bytes: number;
  /** Older ones go, Unix milliseconds. */
  readonly since: number;
}

/** The present size of the snapshots. */
export interface SnapshotSize {
  /** Compressed. */
  readonly bytes: number;
  readonly snapshots: number;
  /** Unix milliseconds; null where there is none. */
  readonly oldest: number | null;
}

/** Storage of snapshots. Every function may throw a `storeUnavailable` FaultError, and then nothing was stored. */
export interface FileSnapshots {
  /** Before the files are changed. The first snapshot of a turn and file stays. */
  begin(session: string, message: ItemId, files: readonly NewSnapshot[], at: number): void;
  /** Records the contents after the change. The snapshot of an unchanged file is deleted. */
  settle(session: string, message: ItemId, files: readonly FileBytes[]): void;
  /** Snapshots of a session, the oldest first. */
  of(session: string): readonly FileSnapshot[];
  /** Snapshots of a file in all sessions, the oldest first. */
  ofFile(file: string): readonly FileSnapshot[];
  file(file: string): ChangedFile | null;
  /** Files that the session was the last to change. */
  files(session: string): readonly ChangedFile[];
  /** Adds a row, or replaces the one of its file, with the contents that it names; null is no file. */
  put(file: ChangedFile, contents?: readonly (Uint8Array | null)[]): void;
  /** Folders that were made for files. */
  folders(): ReadonlySet<string>;
  /** Returns null when the content is no longer kept. */
  content(content: string): Uint8Array | null;
  /** The oldest turns go first; those in which something waits for the user's word stay. */
  trim(limits: SnapshotLimits): void;
  size(): SnapshotSize;
}
