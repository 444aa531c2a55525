// The port to what the editor does around a conversation.

/** Begins, opens and deletes conversations, one of which is open. */
export interface OpensSessions {
  /** The one that is open. */
  readonly session: { readonly id: string };
  /** Names the open folders. */
  readonly workspace: string;
  newSession(): void;
  /** Goes on with a stored session. Words when it cannot be. `seizes`: another window that has it loses it. */
  openSession(id: string, seizes?: boolean): string | null;
  /** Whether another window has it. */
  isElsewhere(id: string): boolean;
  /** Deletes a session with everything stored for it; words when it cannot be. */
  deleteSession(id: string): string | null;
  /** Shows the list of conversations, or puts it away. */
  list(shown: boolean): void;
}

export interface EditorActs {
  /** Shows a text in an editor of its own. */
  openText(language: 'json' | 'markdown' | 'plaintext', text: string): void;
  /** Shows a conversation where it is open in this window; false where it is not. */
  showsElsewhere(session: string): boolean;
  /** Lets the user choose an exported session and takes it in. */
  importFile(into: OpensSessions): void;
}
