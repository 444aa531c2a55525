// The dialog: everything that happened, append-only. Items form a tree by parent; the path to the head is the conversation.

import type { SeenFile } from './tool.ts';

export type ItemId = string;

/** Stands for the user message that is not written yet. */
export const nextItem = 'next';

/** Whether a model is to think, where its template has a switch for that. */
export type ThinkingMode = 'on' | 'off';

/** Token ids a model generated, kept because re-tokenising its text rarely gives the same ids back. */
export interface Generated {
  /** Fingerprint of the model whose vocabulary the ids belong to. */
  readonly model: string;
  readonly ids: readonly number[];
  /** The position of the template's switch, where it has one: the message stands behind another opening in the other. */
  readonly thinking?: ThinkingMode;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Set when the model's call could not be read; the arguments are then empty. */
  readonly problem?: string;
}

interface Base {
  readonly id: ItemId;
  readonly parent: ItemId | null;
}

export interface UserItem extends Base {
  readonly origin: 'user';
  readonly text: string;
  /** The day as YYYY-MM-DD, when the prompt did not tell it yet. */
  readonly day?: string;
}

/**
 * Text the user put beside the message: a file, a selection, or something restored. Part of the user's message. The head
 * stays as a stub when the body is cleared from the prompt.
 */
export interface AttachmentItem extends Base {
  readonly origin: 'attachment';
  readonly head: string;
  readonly body: string;
  /** The item it brings back into the prompt. */
  readonly of?: ItemId;
  /** Set where it was found for the message rather than given by the user. */
  readonly found?: FoundPlace;
}

/** The place of a retrieved passage. Lines count from 1, both ends included; for a folder they count its entries. */
export interface FoundPlace {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly why: string;
}

/** Text retrieved for the user's message, rendered once: text before and after the message, or in its place. */
export interface KnowledgeItem extends Base, KnowledgeWords {
  readonly origin: 'knowledge';
  /** Words that nodes with a template of their own have in place of these, by the name of the node. */
  readonly nodes?: Readonly<Record<string, KnowledgeWords>>;
}

/** Words around those of the user. */
export interface KnowledgeWords {
  readonly role: 'user' | 'system';
  readonly before: string;
  readonly after: string;
  /** The user's own words do not stand in the prompt. */
  readonly replaces: boolean;
}

/** An answer. `end` says why generation stopped; `interrupted`: with its window or process, and it stands as far as it was kept. */
export interface AssistantItem extends Base {
  readonly origin: 'assistant';
  readonly text: string;
  /** Thoughts from a channel of their own: shown to the user, and in the prompt by their generated ids only. */
  readonly thoughts?: string;
  readonly end: 'done' | 'length' | 'cancelled' | 'repeats' | 'interrupted';
  readonly generated?: Generated;
}

/** A generation that asked for tools: the text before the first call, and the calls. One chat message in the prompt. */
export interface CallItem extends Base {
  readonly origin: 'call';
  readonly text: string;
  readonly thoughts?: string;
  readonly calls: readonly ToolCall[];
  readonly generated?: Generated;
}

/** The answer of one tool. The head stays as a stub when the body is cleared from the prompt. */
export interface ResultItem extends Base {
  readonly origin: 'result';
  readonly call: string;
  readonly tool: string;
  readonly ok: boolean;
  readonly head: string;
  readonly body: string;
  readonly milliseconds?: number;
  /** Files that a call with an effect changed, as its tool names them. */
  readonly changed?: readonly string[] | 'anything';
  /** Files that the result shows, or their state after the call. */
  readonly seen?: readonly SeenFile[];
}

/** A sentence of ours to the model, placed at the end of the message before it: a tool result, or after an emergency the user's. */
export interface NoteItem extends Base {
  readonly origin: 'note';
  readonly text: string;
}

export type Item = UserItem | AttachmentItem | KnowledgeItem | AssistantItem | CallItem | ResultItem | NoteItem;

export interface Dialog {
  /** All items of all branches in the order they were appended. */
  readonly items: readonly Item[];
  readonly head: ItemId | null;
  /** The items from the root to the head. */
  readonly path: readonly Item[];
  /** Turns on the path. */
  readonly turns: number;
}

/** A turn on a path: the user's message at `start`, everything after it up to but not including `end`. */
export interface Turn {
  readonly start: number;
  readonly end: number;
}

export const emptyDialog: Dialog = { items: [], head: null, path: [], turns: 0 };

/** Appends an item below its parent and makes it the head. Throws when the parent is unknown. The id must be new. */
export function append(dialog: Dialog, item: Item): Dialog {
  const { path, turns } = item.parent === dialog.head ? dialog : moveHead(dialog, item.parent);
  const count = item.origin === 'user' ? turns + 1 : turns;
  return { items: dialog.items.concat(item), head: item.id, path: path.concat(item), turns: count };
}

/** Moves the head, which starts a branch with the next append. `null` goes back before the first item. */
export function moveHead(dialog: Dialog, head: ItemId | null): Dialog {
  return dialogOf(dialog.items, head);
}

function pathTo(items: readonly Item[], head: ItemId | null): readonly Item[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  if (byId.size !== items.length) throw new Error('a dialog item is there twice');
  const path: Item[] = [];
  for (let id = head; id !== null; ) {
    const item = byId.get(id);
    if (item === undefined) throw new Error(`dialog item ${id} is not known`);
    path.push(item);
    id = item.parent;
  }
  return path.reverse();
}

/** The ids of the messages from one on, in their order; none where it is not on the path. */
export function messagesFrom(path: readonly Item[], first: ItemId): readonly ItemId[] {
  const from = path.findIndex(({ id }) => id === first);
  return path.slice(from < 0 ? path.length : from).flatMap(({ id, origin }) => (origin === 'user' ? [id] : []));
}

/** The turns of a path between two indices, of which `from` must be the start of a turn or the end of the path. */
export function turnsOf(path: readonly Item[], from = 0, to = path.length): readonly Turn[] {
  const starts: number[] = [];
  for (let i = from; i < to; i++) if (path[i]?.origin === 'user') starts.push(i);
  return starts.map((start, i) => ({ start, end: starts[i + 1] ?? to }));
}

/** Rebuilds a dialog from stored items in their order. */
export function dialogOf(items: readonly Item[], head: ItemId | null): Dialog {
  const path = pathTo(items, head);
  return { items, head, path, turns: path.filter(({ origin }) => origin === 'user').length };
}
