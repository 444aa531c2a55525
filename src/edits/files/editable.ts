// The port to files that are changed: the editor's buffers, or the disk. Paths are absolute and free of symbolic links.

/** A file as text. `hash`: SHA-256 of its bytes, in hexadecimal; of an unsaved buffer, of its text. */
export interface EditableText {
  readonly text: string;
  readonly hash: string;
  /** The editor has changes of it that are not saved. */
  readonly unsaved: boolean;
}

/** `refused`: it is there and is no text, or may not be written; `why` says so in words. */
export type ReadFile =
  | ({ readonly is: 'text' } & EditableText)
  | { readonly is: 'absent' }
  | { readonly is: 'refused'; readonly why: string };

/** The change of a single file. `before`: the hash that was read; null where nothing was there. */
export type FileChange =
  | { readonly do: 'write'; readonly path: string; readonly before: string | null; readonly text: string }
  /** These bytes, as they are. `mode`: permission bits for a file that was not there; null where nothing is known of them. */
  | {
      readonly do: 'put';
      readonly path: string;
      readonly before: string | null;
      readonly bytes: Uint8Array;
      readonly mode: number | null;
    }
  | { readonly do: 'delete'; readonly path: string; readonly before: string }
  | { readonly do: 'move'; readonly path: string; readonly before: string; readonly to: string };

export interface EditableFiles {
  /** Never rejects. */
  read(path: string): Promise<ReadFile>;
  /**
   * Makes all of the changes, in their order. Rejects with words where a file is not as it was read, or the first that cannot be written;
   * what was changed before it stays. Gives what each written file holds afterwards, by path: an editor may have formatted it.
   */
  change(changes: readonly FileChange[]): Promise<ReadonlyMap<string, EditableText>>;
  /** Writes what the editor has unsaved of a file. Rejects with words where that is not possible. */
  save(path: string): Promise<void>;
}
