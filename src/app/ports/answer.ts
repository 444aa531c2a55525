// The answer of a command.

/** A command's answer to the user; one without text shows nothing. */
export interface CommandAnswer {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
  /** The line goes back to the composer, because it was not understood. */
  readonly again?: boolean;
  /** Opens in an editor of its own. */
  readonly document?: { readonly language: 'json' | 'markdown' | 'plaintext'; readonly text: string };
  /** Idle work that follows from it. */
  readonly after?: () => Promise<void>;
}
