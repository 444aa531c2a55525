// The projection: dialog + pinned head + what was let go -> the ordered messages of one node's prompt. Pure, no token counts.

import type { GraphNode } from '../agent/graph.ts';
import { endWithState, stateMessages } from '../compaction/stateText.ts';
import { summaryPlace } from '../compaction/summaryPlace.ts';
import { datedText } from '../dialog/day.ts';
import {
  type AttachmentItem,
  type Item,
  type ItemId,
  type KnowledgeItem,
  nextItem,
  type ThinkingMode,
} from '../dialog/dialog.ts';
import type { ToolSchema } from '../dialog/tool.ts';
import type { BundlePart } from '../prompt/bundle.ts';
import { attachedTexts, isGiven, isInFront } from '../prompt/found.ts';
import type { Layer, Message, Prompt, Segment } from '../prompt/prompt.ts';
import { systemSegments } from '../prompt/systemText.ts';
import { clearedCall } from './clearedCall.ts';
import { currentStart, foundForOneTurn, type PruneState, shownItems, spentFound } from './pruneState.ts';

/** The pinned head of the context stack, byte-stable within a session. */
export interface Stack {
  readonly system: string;
  /** Frozen at the session's start; a fresher one enters when turns are dropped, or when the user asks for it. */
  readonly workspace: readonly BundlePart[];
  /** Sorted by name. */
  readonly tools: readonly ToolSchema[];
  /** Left out where the model has no switch for it. */
  readonly thinking?: ThinkingMode;
}

/** The parts of a graph node that decide what stands in its prompt. */
export type NodeView = Pick<GraphNode, 'calls' | 'earlierRecords' | 'instruction'> & Partial<Pick<GraphNode, 'name'>>;

export function project(stack: Stack, path: readonly Item[], pruned: PruneState, node: NodeView): Prompt {
  const current = currentStart(path);
  const isIn = (item: Item, at: number) => !isWithheld(item, at < current, node);
  const summaryAt = summaryPlace(path, pruned, isIn);
  const given = new Set(path.flatMap((item) => (item.origin === 'attachment' && isGiven(item) ? [item.id] : [])));
  const messages: Message[] = [{ role: 'system', segments: headSegments(stack, node) }];
  if (summaryAt === null) messages.push(...stateMessages(pruned.compaction));
  for (const [i, item] of shownItems(path, pruned)) {
    if (!isIn(item, i)) continue;
    const own = item.id === summaryAt;
    if (own && item.origin === 'user') messages.push(...stateMessages(pruned.compaction));
    place(messages, item, {
      earlier: i < current,
      pruned,
      knowledge: knowledgeOf(item, path[i + 1], pruned.cleared, node.name),
      given,
    });
    if (own && item.origin !== 'user') endWithState(messages, pruned.compaction);
  }
  if (summaryAt === nextItem && path[current]?.id !== nextItem) messages.push(...stateMessages(pruned.compaction));
  const tools = node.calls === 'none' ? [] : stack.tools;
  if (stack.thinking === undefined) return { messages, tools };
  // A node that may only choose has no place for thoughts.
  return { messages, tools, thinking: node.calls === 'choice' ? 'off' : stack.thinking };
}

function headSegments(stack: Stack, node: NodeView): readonly Segment[] {
  const parts = stack.workspace.filter(({ text }) => text !== '');
  return [
    ...systemSegments(stack.system, node.instruction),
    ...parts.map(
      ({ name, text }): Segment => ({ layer: 'workspace', item: null, part: 'text', text: `\n\n${text}`, name }),
    ),
  ];
}

/** Whether an item is kept from a node: calls, results and directives of earlier turns from one that only decides. */
export function isWithheld(item: Item, earlier: boolean, node: Pick<NodeView, 'earlierRecords'>): boolean {
  const record = item.origin === 'call' || item.origin === 'result' || item.origin === 'note';
  return record && earlier && node.earlierRecords === 'withheld';
}

interface Around {
  readonly earlier: boolean;
  readonly pruned: PruneState;
  readonly knowledge: KnowledgeItem | null;
  readonly given: ReadonlySet<ItemId>;
}

function place(messages: Message[], item: Item, { earlier, pruned, knowledge, given }: Around): void {
  const segment: MakeSegment = (layer, part, text) => ({
    layer: earlier ? 'history' : layer,
    item: item.id,
    part,
    text,
  });
  const extend = (role: 'user' | 'any', segments: readonly Segment[], where: 'front' | 'behind') => {
    const at = messages.findLastIndex((message) => role === 'any' || message.role === role);
    const last = messages[at];
    if (last === undefined) return;
    // In front stands what the user gave, which is known first; then what was found, the most useful nearest to the words.
    const front = last.segments.findIndex((one) => one.item === null || !given.has(one.item));
    const place = where === 'front' ? Math.max(0, front) : last.segments.length;
    messages[at] = { ...last, segments: last.segments.toSpliced(place, 0, ...segments) };
  };
  switch (item.origin) {
    case 'user':
      messages.push(...userMessages(segment('turn', 'text', datedText(item)), knowledge));
      return;
    case 'knowledge':
      return;
    case 'attachment':
      extend('user', attachedSegments(item, pruned, segment), isInFront(item) ? 'front' : 'behind');
      return;
    case 'assistant':
    case 'call': {
      const text = segment(item.origin === 'call' ? 'steps' : 'turn', 'text', item.text);
      const isCleared = pruned.cleared.has(item.id);
      const calls = item.origin === 'call' ? { calls: isCleared ? item.calls.map(clearedCall) : item.calls } : {};
      // Cleared text differs from the tokens that the model generated.
      const generated = item.generated === undefined || isCleared ? {} : { generated: item.generated };
      messages.push({ role: 'assistant', segments: [{ ...text, ...calls, ...generated }] });
      return;
    }
    case 'result': {
      const body = pruned.capped.get(item.id)?.text ?? item.body;
      const stub = segment('steps', 'stub', item.head);
      const whole = pruned.cleared.has(item.id) || body === '' ? [] : [segment('steps', 'body', `\n${body}`)];
      messages.push({ role: 'tool', call: { id: item.call, tool: item.tool }, segments: [stub, ...whole] });
      return;
    }
    case 'note':
      if (!pruned.cleared.has(item.id)) extend('any', [segment('directive', 'text', `\n\n${item.text}`)], 'behind');
      return;
    default:
      item satisfies never;
  }
}

type MakeSegment = (layer: Layer, part: Segment['part'], text: string) => Segment;

function attachedSegments(
  item: AttachmentItem,
  { cleared, capped }: PruneState,
  segment: MakeSegment,
): readonly Segment[] {
  const by = cleared.get(item.id)?.by;
  if (by === spentFound || by === foundForOneTurn) return [];
  const [stub, ...rest] = attachedTexts({ ...item, body: capped.get(item.id)?.text ?? item.body });
  const whole = cleared.has(item.id) ? [] : rest.map((text) => segment('turn', 'body', text));
  return [segment('turn', 'stub', stub), ...whole];
}

// A user's message as messages of the prompt, with what was retrieved for it.

/** The user's message with what was retrieved before it, after it or in its place, in the message itself or as system messages. */
function userMessages(text: Segment, knowledge: KnowledgeItem | null): readonly Message[] {
  if (knowledge === null) return [{ role: 'user', segments: [text] }];
  const { before, after, role, replaces } = knowledge;
  const told = (words: string): readonly Segment[] =>
    words === '' ? [] : [{ ...text, item: knowledge.id, text: words }];
  const own = replaces ? [] : [text];
  if (role === 'user') return [{ role, segments: [...told(before), ...own, ...told(after)] }];
  const system = (words: string): readonly Message[] => (words === '' ? [] : [{ role, segments: told(words) }]);
  const user: readonly Message[] = own.length === 0 ? [] : [{ role: 'user', segments: own }];
  return [...system(before.trim()), ...user, ...system(after.trim())];
}

/** The knowledge retrieved for a user's message, which is stored right behind it, in the words for a node; null where it was cleared. */
function knowledgeOf(
  message: Item,
  next: Item | undefined,
  cleared: ReadonlyMap<ItemId, unknown>,
  node = 'answer',
): KnowledgeItem | null {
  if (message.origin !== 'user' || next?.origin !== 'knowledge' || cleared.has(next.id)) return null;
  return { ...next, ...next.nodes?.[node] };
}
