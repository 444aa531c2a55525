// A row of the conversation, as the views show it.

import type { Intent } from '../core/agent/intent.ts';
import type { Proposal } from '../core/compaction/compactionRow.ts';
import type { ItemId } from '../core/dialog/dialog.ts';
import type { Action } from '../core/faults/faultActions.ts';

export type Entry =
  | {
      readonly kind: 'user';
      readonly id: string;
      readonly text: string;
      readonly item: ItemId;
      /** Its intent, once that was decided; left out after the window was opened again. */
      readonly intent?: Intent;
    }
  | {
      readonly kind: 'answer';
      readonly id: string;
      readonly text: string;
      /** The thoughts before it; left out where there are none. */
      readonly thoughts?: string;
      readonly end: 'running' | 'done' | 'length' | 'cancelled' | 'repeats' | 'interrupted';
      /** The places of the passages that its message brought, such as `src/a.ts:3-9`; left out for none. */
      readonly places?: readonly string[];
      /** Set when the user's message was edited or asked again: the message, and which of its versions this is, from 1. */
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
      /** The user started it: its output is open, and where it failed a button asks for a fix. */
      readonly own?: true;
      /** It asked for a network that it was not given: a button runs it with one. */
      readonly lacksNetwork?: true;
      /** Tokens of the step's result in the first prompt that has it; null before there is one. */
      readonly tokens: number | null;
    }
  | {
      readonly kind: 'info';
      readonly id: string;
      readonly title: string;
      /** Markdown. */
      readonly text: string;
      readonly folded: boolean;
      /**
       * Set where texts of it are out of the prompt: the numbers by which they come back, how many texts it has, and the tokens that those
       * would cost; 0 where they are not known.
       */
      readonly pruned?: { readonly at: readonly number[]; readonly of: number; readonly tokens: number };
      /** Set for the summary that can be undone. */
      readonly undoes?: boolean;
      /** The window has no space for the turns that it stands for. */
      readonly tight?: boolean;
    }
  | {
      /** Entries of a summary that may outlive the session, once the user agrees. */
      readonly kind: 'proposals';
      readonly id: string;
      readonly compaction: string;
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
