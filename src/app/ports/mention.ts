// A mention: what a message names with an @.
import type { ToolResult } from '../../core/dialog/tool.ts';

export interface Mention {
  readonly kind: (typeof namedKinds)[number] | (typeof changingKinds)[number];
  /** The mention as it stands in the message, with its @. */
  readonly word: string;
  /** A path or a symbol, without quotes; '' where the kind says it all. */
  readonly name: string;
  /** From 1; null for all. */
  readonly lines: { readonly first: number; readonly last: number } | null;
}

export interface LineSpan {
  readonly first: number;
  readonly last: number;
  /** How many lines stand behind the place where lines are left out already; null where all are there. */
  readonly behind: number | null;
}

/** The text that a mention stands for, beside the message. */
export interface MentionText extends ToolResult {
  /** The numbers of the first and the last line, where the text is lines of a file. */
  readonly span?: LineSpan;
  /** The path of the file whose lines these are, and its lines above them, which may say that they are secrets. */
  readonly of?: { readonly path: string; readonly before: readonly string[] };
}

export const namedKinds = ['file', 'folder', 'symbol'] as const;

/** Kinds that mean another thing at any moment: what is selected, changed, wrong or written last. */
export const changingKinds = ['selection', 'changes', 'problems', 'terminal'] as const;
