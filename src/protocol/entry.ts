// A row of the conversation, as the views show it.
import type { Proposal } from '../core/compaction/compactionRow.ts';
import type { ItemId } from '../core/dialog/dialog.ts';
import type { Action } from '../core/faults/faultActions.ts';

export type Entry =
  | { readonly kind: 'user'; readonly id: string; readonly text: string; readonly item: ItemId }
  | {
      readonly kind: 'answer';
      readonly id: string;
      readonly text: string;
      readonly end: 'running' | 'done' | 'length' | 'cancelled' | 'repeats' | 'interrupted';
      /** Where its message was asked in other words, or again: the message, and which of them it is, from 1. */
      readonly branch?: { readonly item: ItemId; readonly at: number; readonly of: number };
    }
  | {
      readonly kind: 'step';
      readonly id: string;
      readonly tool: string;
      /** The arguments as the model wrote them, JSON. */
      readonly input: string;
      readonly state: 'running' | 'ok' | 'failed';
      readonly head: string;
      readonly body: string;
      /** How long the tool ran; null while it runs, and where it is not known. */
      readonly milliseconds: number | null;
      /** What its result took of the first prompt with it; null before there is one. */
      readonly tokens: number | null;
    }
  | {
      readonly kind: 'info';
      readonly id: string;
      readonly title: string;
      /** Markdown. */
      readonly text: string;
      readonly folded: boolean;
    }
  | {
      /** What a compaction found that may outlive the session, once the user says so. */
      readonly kind: 'proposals';
      readonly id: string;
      readonly fold: string;
      readonly proposals: readonly Proposal[];
    }
  | {
      readonly kind: 'fault';
      readonly id: string;
      readonly message: string;
      readonly advice: string;
      readonly actions: readonly Action[];
      readonly canContinue: boolean;
    };
