// What a turn is given and what it gives back: state in, ports to the world, events while it runs, state and report out.
import type { Budget, Policy } from './budget.ts';
import type { CallSyntax } from './calls/syntax.ts';
import type { Dialog, Item } from './dialog.ts';
import type { Fitted } from './fitPrompt.ts';
import type { Held } from './held.ts';
import type { Model } from './model.ts';
import type { Stack } from './projection.ts';
import type { CallReport, Report } from './report.ts';
import type { Tool } from './tool.ts';

/** Distributes over the union, so that an item's own fields stay with its origin. */
type WithoutPlace<T> = T extends Item ? Omit<T, 'id' | 'parent'> : never;
export type NewItem = WithoutPlace<Item>;

export interface TurnState {
  readonly dialog: Dialog;
  readonly held: Held;
}

export interface TurnSetup {
  readonly stack: Stack;
  readonly budget: Budget;
  readonly policy: Policy;
  /** How the model writes tool calls; null when it has none. */
  readonly syntax: CallSyntax | null;
}

export type TurnEvent =
  | { readonly type: 'appended'; readonly item: Item }
  /** The visible text of the running generation, complete so far. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'called'; readonly fitted: Fitted; readonly call: CallReport };

export interface TurnPorts {
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly newId: () => string;
  /** Must store the item before it returns: the model is called only afterwards. */
  readonly emit: (event: TurnEvent) => void;
}

export interface TurnOutcome extends TurnState {
  readonly report: Report;
}
