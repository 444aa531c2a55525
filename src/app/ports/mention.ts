// A mention: what a message names with an @.
import type { ToolResult } from '../../core/dialog/tool.ts';

export interface Mention {
  readonly kind: (typeof namedKinds)[number] | (typeof changingKinds)[number];
  /** As it stands in the message. */
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

/** What is meant, as a text beside the message. */
export interface MentionText extends ToolResult {
  /** Of lines of a file: the numbers of the first and the last one. */
  readonly span?: LineSpan;
  /** The path of the file whose lines these are, and its lines above them, which may say that they are secrets. */
  readonly of?: { readonly path: string; readonly before: readonly string[] };
}

export const namedKinds = ['file', 'folder', 'symbol'] as const;

/** What is selected, changed, wrong or written last: another thing at any moment. */
export const changingKinds = ['selection', 'changes', 'problems', 'terminal'] as const;
