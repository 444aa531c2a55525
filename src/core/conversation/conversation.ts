// A conversation as data: what it is, the changes it can undergo, and the reducer that applies them. Whoever changes one says so by
// a change, so that what a turn gives back meets what the user did meanwhile in one place.
import type { CompactionRow } from '../compaction/compactionRow.ts';
import { append, type Dialog, type Item, type ItemId, moveHead, type ThinkingMode } from '../dialog/dialog.ts';
import { type Mark, type Marks, mark, noMarks } from '../dialog/marks.ts';
import type { ToolSchema } from '../dialog/tool.ts';
import type { Bundle, BundlePart } from '../prompt/bundle.ts';
import { type PruneState, pruneStateOf, pruneStateOn, pruneStates, withCompaction } from '../pruning/pruneState.ts';
import type { UserMessage } from '../turn/turnPorts.ts';

export interface ConversationState {
  readonly dialog: Dialog;
  /** Pruned items of each slot's prompts. */
  readonly pruned: readonly PruneState[];
  readonly marks: Marks;
  /** Every attempt to compact, the oldest first. */
  readonly compactions: readonly CompactionRow[];
  /** Goes with the next message: what the user brings back into the prompt. */
  readonly restored: UserMessage['attachments'];
  /** The workspace texts that were frozen when it first spoke to a model; null before. */
  readonly bundle: Bundle | null;
  /** The memory and the work board as they stood then; null before. */
  readonly digest: readonly BundlePart[] | null;
  /** The tools that there were then, in their words of then; null before. */
  readonly tools: readonly ToolSchema[] | null;
  readonly choices: ConversationChoices;
  /** Tokens by which each turn made the prompt grow. */
  readonly grown: readonly number[];
}

/** The user's choices for this conversation. */
export interface ConversationChoices {
  /** Name of the agent that answers; null for the one of the settings. */
  readonly agent: string | null;
  /** Files are changed at once and looked at afterwards; left out, each change is asked for. */
  readonly atOnce?: boolean;
  /** Left out, the settings say whether the model thinks. */
  readonly thinking?: ThinkingMode;
}

export const noChoices: ConversationChoices = { agent: null };

export const emptyConversation: Omit<ConversationState, 'dialog' | 'pruned'> = {
  marks: noMarks,
  compactions: [],
  restored: [],
  bundle: null,
  digest: null,
  tools: null,
  choices: noChoices,
  grown: [],
};

/** A change of a slot's pruned items: from the state when the work began to the state when it ended. */
export interface SlotChange {
  readonly slot: number;
  readonly from: PruneState;
  readonly to: PruneState;
}

export type ConversationChange =
  /** Another branch: `to` is its last item, or the one behind which a new branch begins; null before the first item. */
  | { readonly type: 'headMoved'; readonly to: ItemId | null }
  /** An item outside of a turn. */
  | { readonly type: 'added'; readonly item: Item }
  | { readonly type: 'turnEnded'; readonly dialog: Dialog; readonly grown: number }
  | { readonly type: 'marked'; readonly item: ItemId; readonly as: Mark }
  | { readonly type: 'pruned'; readonly slots: readonly SlotChange[] }
  /** An attempt to compact, new or changed, and what the slots let go of with it. */
  | { readonly type: 'compacted'; readonly row: CompactionRow; readonly slots: readonly SlotChange[] }
  | { readonly type: 'restored'; readonly attachments: ConversationState['restored'] }
  | { readonly type: 'chosen'; readonly choices: ConversationChoices }
  | {
      readonly type: 'headFrozen';
      readonly bundle: ConversationState['bundle'];
      readonly digest: ConversationState['digest'];
      readonly tools: ConversationState['tools'];
    };

/** Pure. Throws where a change names an item that the dialog does not have. */
export function changed(state: ConversationState, change: ConversationChange): ConversationState {
  switch (change.type) {
    case 'headMoved': {
      const dialog = moveHead(state.dialog, change.to);
      return { ...state, dialog, pruned: state.pruned.map((pruned) => pruneStateOn(dialog.path, pruned)) };
    }
    case 'added':
      return { ...state, dialog: append(state.dialog, change.item) };
    case 'turnEnded':
      return { ...state, dialog: change.dialog, grown: [...state.grown, change.grown] };
    case 'marked':
      return { ...state, marks: mark(state.marks, change.item, change.as) };
    case 'pruned':
      return { ...state, pruned: pruned(state.pruned, change.slots) };
    case 'compacted':
      return {
        ...state,
        compactions: withRow(state.compactions, change.row),
        pruned: pruned(state.pruned, change.slots),
      };
    case 'restored':
      return { ...state, restored: change.attachments };
    case 'chosen':
      return { ...state, choices: change.choices };
    case 'headFrozen':
      return { ...state, bundle: change.bundle, digest: change.digest, tools: change.tools };
    default:
      return change satisfies never;
  }
}

/** Each slot's change, from what it is now. */
export function slotChanges(pruned: readonly PruneState[], to: readonly PruneState[]): readonly SlotChange[] {
  return to.flatMap((now, slot) => {
    const from = pruneStateOf(pruned, slot);
    return from === now ? [] : [{ slot, from, to: now }];
  });
}

function pruned(states: readonly PruneState[], slots: readonly SlotChange[]): readonly PruneState[] {
  if (slots.length === 0) return states;
  const next = pruneStates(states, Math.max(...slots.map(({ slot }) => slot)) + 1);
  for (const { slot, from, to } of slots) next[slot] = rebased(pruneStateOf(next, slot), from, to);
  return next;
}

/**
 * Two worked on the same slot. What prompts let go of only grows, so the later work has it all; but a summary that the user took
 * back or rewrote meanwhile stays as the user left it, unless the later work has built upon it.
 */
function rebased(now: PruneState, from: PruneState, to: PruneState): PruneState {
  return now.compaction === from.compaction || to.compaction !== from.compaction
    ? to
    : withCompaction(to, now.compaction);
}

function withRow(rows: readonly CompactionRow[], row: CompactionRow): readonly CompactionRow[] {
  return rows.some(({ id }) => id === row.id) ? rows.map((one) => (one.id === row.id ? row : one)) : [...rows, row];
}
