// Inputs and outputs of a turn: state in, ports to the world, events while it runs, state and report out.
import type { Graph } from '../agent/graph.ts';
import type { Intent } from '../agent/intent.ts';
import type { Switches } from '../agent/mechanisms.ts';
import type { ThoughtMarks } from '../answer/thoughts.ts';
import type { Said } from '../calls/read.ts';
import type { CallSyntax } from '../calls/syntax.ts';
import type { AttachmentItem, Dialog, Item, KnowledgeItem } from '../dialog/dialog.ts';
import type { Marks } from '../dialog/marks.ts';
import type { Signal, Tool } from '../dialog/tool.ts';
import type { Model, PrefillProgress } from '../model/model.ts';
import type { SamplingInForce } from '../model/sampling.ts';
import type { Budget, Policy } from '../prompt/budget.ts';
import type { Fitted } from '../pruning/fitted.ts';
import type { Stack } from '../pruning/projection.ts';
import type { PruneState } from '../pruning/pruneState.ts';
import type { CallReport, Report } from '../report/report.ts';
import type { SlotCache } from './cache.ts';
import type { Approve, CallEvent, Conceal, MayCallShow } from './gate.ts';

/** Distributes over the union, so that an item's own fields stay with its origin. */
type WithoutPlace<T> = T extends Item ? Omit<T, 'id' | 'parent'> : never;
export type NewItem = WithoutPlace<Item>;

export interface TurnState {
  readonly dialog: Dialog;
  /** Pruned items by slot. */
  readonly pruned: readonly PruneState[];
}

export type Attachment = Pick<AttachmentItem, 'head' | 'body' | 'of' | 'found'>;

/** A message from the user: words, what they are about, and texts beside them. */
export interface UserMessage {
  readonly text: string;
  /** The day as YYYY-MM-DD; left out when the model is not to know it. */
  readonly day?: string;
  /** Left out: an answer is wanted. */
  readonly intent?: Intent;
  readonly attachments: readonly Attachment[];
}

/** The model for which prompts are made. */
export interface ModelSetup {
  readonly budget: Budget;
  readonly cache: SlotCache;
  /** How the model writes tool calls; null when it has none. */
  readonly syntax: CallSyntax | null;
  /** The marks of its thoughts, where its template has others than the common ones. */
  readonly thoughts?: readonly ThoughtMarks[];
  /** Tokens that thoughts may take, where its template has a switch for them; left out they take half of an answer at most. */
  readonly thoughtTokens?: number;
  /** How tokens are drawn, for the report. */
  readonly sampling?: SamplingInForce;
  /** Its name, for the report of a turn that asks several. */
  readonly model?: string;
}

/** Model-specific fields describe the answering node's model; `others` has the rest. */
export interface TurnSetup extends ModelSetup {
  /** The agent's name, for the report. */
  readonly agent: string;
  readonly graph: Graph;
  readonly stack: Stack;
  /** A newer head, where the workspace changed since the session began. */
  readonly fresh?: Stack;
  readonly policy: Policy;
  readonly switches: Switches;
  readonly marks: Marks;
  /** The models of nodes that another one than the answering node's runs, by slot. */
  readonly others?: ReadonlyMap<number, ModelSetup>;
}

export type TurnEvent =
  | { readonly type: 'appended'; readonly item: Item }
  /** The running generation's text so far, complete. */
  | ({ readonly type: 'text' } & Said)
  | { readonly type: 'prefilling'; readonly progress: PrefillProgress }
  | { readonly type: 'called'; readonly fitted: Fitted; readonly call: CallReport }
  /** The intent of the turn's message, once that is decided. */
  | { readonly type: 'intended'; readonly intent: Intent }
  | CallEvent;

export type Knowledge = Omit<KnowledgeItem, 'id' | 'parent'>;

/** Either rendered by the agent's template around the message, or as passages behind it, each an item of its own. */
export interface Retrieved {
  readonly knowledge: Knowledge | null;
  readonly passages: readonly Attachment[];
}

export interface TurnPorts {
  /** The model in the slot of a node. */
  readonly model: (slot: number) => Model;
  readonly tools: readonly Tool[];
  /** The search for secrets, which every result of a tool passes. */
  readonly conceal: Conceal;
  /** Asked before anything that has an effect; without it nothing that has one is done. */
  readonly approve?: Approve;
  /** Asked before a tool shows what is not for everybody to read; without it nothing of that is shown. */
  readonly mayShow?: MayCallShow;
  /** Finds passages for the message before the model is asked. Never rejects. */
  readonly retrieve?: (text: string, signal: Signal) => Promise<Retrieved>;
  /**
   * The model is asked by a token what a message wants, where nothing else decides it: as soon as its words are there, or behind all that stands
   * beside them, where the slot has that already.
   */
  readonly asksAct?: 'first' | 'last' | 'never';
  /** A message that wants a known command is answered by its line, which then runs. */
  readonly runs?: boolean;
  /** A note for the model at the end of a message, about what it wants and the texts beside it. */
  readonly note?: (message: string, intent: Intent, beside: readonly Attachment[]) => string;
  /** The whole answer keeps to this GBNF, in at most so many tokens, and calls no tools. */
  readonly drawn?: { readonly grammar: string; readonly maxTokens: number };
  readonly newId: () => string;
  /** Must store the item before it returns: the model is called only afterwards. */
  readonly emit: (event: TurnEvent) => void;
}

export interface TurnOutcome extends TurnState {
  /** The head that the last prompt had: the fresh one, if it entered. */
  readonly stack: Stack;
  /** The intent of its message; null for an answer that was continued. */
  readonly intent: Intent | null;
  readonly report: Report;
}
