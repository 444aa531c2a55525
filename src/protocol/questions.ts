// Questions from a view to the host, and the answers: for data that is too large, or too seldom needed, to be part of the view's state.
import type { ItemId } from '../core/dialog/dialog.ts';
import type { Layer, Message } from '../core/prompt/prompt.ts';
import type { State } from '../core/report/decisions.ts';
import type { CallReport, StackReport } from '../core/report/report.ts';
import type { CaretRow } from './caretView.ts';
import type { BlockOfAnswer } from './reviewView.ts';

/** Name of a question -> its parameters and answer. */
export interface Questions {
  /** Does what a typed command does, and gives its words instead of writing them into the conversation. */
  command: { params: { readonly line: string }; result: CommandWords };
  /** A dialog item by its number on the path; null where there is none. */
  item: { params: { readonly at: number }; result: ItemView | null };
  /** A prompt as the model gets it: the one that the next message extends, or the one of the latest call. */
  prompt: { params: { readonly of: 'next' | 'sent' }; result: PromptView };
  /** The prompt as it would be in a window of so many tokens. Rejects with words where there could be none. */
  whatIf: { params: { readonly window: number }; result: WhatIfView };
  /** Every attempt to compact, the oldest first. */
  compactions: { params: Nothing; result: readonly CompactionView[] };
  /** The latest requests for inline suggestions, the latest first. */
  caret: { params: Nothing; result: readonly CaretRow[] };
  /** Saves the report where the user says, and gives words about it; none when the user says nothing. */
  saveReport: { params: Nothing; result: string };
  /** A saved report that the user chooses; null when none. */
  openReport: { params: Nothing; result: ReportFile | null };
  /** Completions for the typed word, the likeliest first: `typed` begins with `@` or `/`. */
  complete: { params: { readonly typed: string }; result: readonly Completion[] };
  /** Paths or URIs, one a line, as mentions in their order; null for each that is no file or folder of the workspace. */
  mention: { params: { readonly places: string }; result: readonly (string | null)[] };
  /** Places that an answer names, one `path:line` a line: the file of each, null for each that is not there, '' where nothing may be looked at. */
  places: { params: { readonly places: string }; result: readonly (string | null)[] };
  /** Stored conversations of this folder, the latest first; those with all the words, where some are given. */
  sessions: { params: { readonly words: string }; result: readonly SessionView[] };
  /** Suggested messages, about the open folder. */
  examples: { params: Nothing; result: readonly string[] };
  /** The change that a code block of an answer would make if it were applied now. */
  blockChange: { params: BlockOfAnswer; result: ForeseenChange };
  /** Does something with a stored conversation; '' where it was done, else why not. */
  changeSession: { params: SessionChange; result: string };
}

export type Nothing = Readonly<Record<string, never>>;

export interface CommandWords {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

export interface ItemView {
  readonly label: string;
  /** The item's text in the prompt; '' when it has none there. */
  readonly sent: string;
  /** All of it. */
  readonly raw: string;
}

/** A run of the prompt's text: the chat template's own, or a segment. */
export interface PromptPiece {
  readonly layer: Layer;
  readonly item: ItemId | null;
  readonly role: Message['role'] | null;
  readonly tokens: number;
  readonly text: string;
}

export interface PromptView {
  readonly total: number;
  /** In order: together they are the exact text. */
  readonly pieces: readonly PromptPiece[];
}

export interface WhatIfView {
  /** The prefix of the next message, had the conversation been held in that window from its first message on. */
  readonly stack: StackReport;
  /** The present prefix of the next message. */
  readonly now: StackReport;
  /** The items that something else became of, in runs. */
  readonly changes: readonly WhatIfChange[];
  /** How often turns would have been let go of. */
  readonly crossings: number;
  /** Turns that would have got no answer, because a message with its results alone was too large. */
  readonly unanswered: number;
  /**
   * The prompt after the window was changed now, when what is out already stays out: all of it is read anew, because the model
   * is loaded anew. About how long that takes; null before anything was measured.
   */
  readonly anew: { readonly tokens: number; readonly milliseconds: number | null };
  /** Bytes of the KV cache of all slots; null where unknown. */
  readonly memory: { readonly now: number; readonly would: number } | null;
  /** The model wrote a summary of this conversation; in this one there are only those by rules. */
  readonly byModel: boolean;
}

export interface WhatIfChange {
  /** Path indices, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly now: State;
  readonly would: State;
  /** The rule by which it would be so, and why; '' where it simply stays. */
  readonly by: string;
  readonly why: string;
}

export interface CompactionView {
  readonly id: string;
  /** Unix milliseconds. */
  readonly created: number;
  /** How it ended, in words. */
  readonly words: string;
  /** Prompt tokens. */
  readonly before: number;
  readonly after: number;
  readonly milliseconds: number;
  /** Whether its summary stands in the prompt now: it can be edited and undone. */
  readonly standing: boolean;
  readonly undone: boolean;
  readonly edited: boolean;
  /** Entries by section, numbered as `/compact edit N` counts them; empty when nothing was compacted. */
  readonly entries: readonly { readonly number: number; readonly section: string; readonly text: string }[];
  /** The items it took in, without those of the compaction it built upon; their words are asked for one by one. */
  readonly compacted: readonly { readonly at: number; readonly label: string }[];
}

/** A report that was saved, as it is looked at again. */
export interface ReportFile {
  readonly name: string;
  readonly stack: StackReport;
  readonly calls: readonly CallReport[];
  /** The exact prompt. */
  readonly prompt: string;
}

export interface Completion {
  /** Replaces what was typed. */
  readonly insert: string;
  readonly label: string;
  /** A short explanation of the completion. */
  readonly detail: string;
  /** Name of a codicon. */
  readonly icon: string;
  /** Whether more is to be typed behind it, as behind a folder. */
  readonly open: boolean;
}

export interface ForeseenChange {
  /** The file, lines that come and go, and where; '' where nothing may be looked at. */
  readonly words: string;
  /** Why it is refused, or asked about; '' for neither. */
  readonly why: string;
}

export interface SessionView {
  readonly id: string;
  readonly title: string;
  readonly turns: number;
  /** Unix milliseconds. */
  readonly written: number;
  /** A line that has the words which were searched for; '' without a search. */
  readonly line: string;
  readonly current: boolean;
  /** Open in the editor beside. */
  readonly beside: boolean;
  /** Open in another window, or in one that was cut off and still holds it. */
  readonly elsewhere: boolean;
}

export interface SessionChange {
  readonly id: string;
  /** `seize`: opens it although another window has it. */
  readonly what: 'open' | 'seize' | 'beside' | 'rename' | 'delete' | 'exportMarkdown' | 'exportJson';
  /** The new name; without one the first message names it. */
  readonly title: string;
}

export const questionNames = [
  'command',
  'item',
  'prompt',
  'whatIf',
  'compactions',
  'caret',
  'saveReport',
  'openReport',
  'complete',
  'mention',
  'places',
  'sessions',
  'changeSession',
  'examples',
  'blockChange',
] as const;
questionNames satisfies readonly (keyof Questions)[];

/** View to host: `id` is the view's own number for it. */
export interface Asked<K extends keyof Questions = keyof Questions> {
  readonly type: 'ask';
  readonly id: number;
  readonly question: K;
  readonly params: Questions[K]['params'];
}

/** Host to the view that asked. Every question gets one. */
export type Answered =
  | { readonly type: 'answer'; readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly type: 'answer'; readonly id: number; readonly ok: false; readonly words: string };

/** Answers by name. A rejection is said in words. */
export type Answers = {
  readonly [K in keyof Questions]: (
    params: Questions[K]['params'],
  ) => Promise<Questions[K]['result']> | Questions[K]['result'];
};
