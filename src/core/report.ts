// The report: one per turn, plain JSON in tokens. It is made from the very prompt that was sent and its exact measure.
import type { Budget } from './budget.ts';
import type { Item, ItemId } from './dialog.ts';
import type { Fault } from './faults.ts';
import { type Fitted, nextItem } from './fitPrompt.ts';
import type { Generation, Prefill } from './model.ts';
import { type Layer, layers, segmentsOf } from './prompt.ts';
import { obsolete } from './strategies/clearEarlier.ts';

export const states = ['kept', 'stubbed', 'capped', 'pending', 'folded', 'trimmed', 'withheld'] as const;
export type State = (typeof states)[number];

/** What became of one item, or of a run of items: path indices `from` to `to`, exclusive. */
export interface Decision {
  readonly from: number;
  readonly to: number;
  readonly item: ItemId | null;
  readonly label: string;
  readonly layer: Layer;
  readonly state: State;
  readonly before: number;
  readonly after: number;
  readonly by: string;
  readonly why: string;
}

/** Where the slot's prefix broke: the segment that no longer matched, as layer and item. */
export interface Break {
  readonly layer: Layer;
  readonly item: ItemId | null;
  readonly token: number;
}

export interface CallReport {
  readonly promptTokens: number;
  readonly prefill: Prefill;
  readonly breakAt: Break | null;
  readonly generatedTokens: number;
  readonly firstTokenMilliseconds: number;
  readonly generateMilliseconds: number;
}

/** The context stack as one prompt holds it. The layers' sum is the prompt's exact length. */
export interface StackReport {
  readonly budget: Budget;
  readonly total: number;
  readonly layers: readonly { readonly layer: Layer; readonly tokens: number }[];
  readonly tools: readonly { readonly name: string; readonly tokens: number }[];
  readonly decisions: readonly Decision[];
}

/** A turn: the stack of its last prompt, and every model call it took. */
export interface Report extends StackReport {
  readonly turn: number;
  readonly end: 'done' | 'length' | 'cancelled' | 'failed';
  readonly fault: Fault | null;
  readonly calls: readonly CallReport[];
}

export function stackReport(fitted: Fitted): StackReport {
  const { prompt, measure, budget } = fitted;
  const tools = prompt.tools.map(({ name }, i) => ({ name, tokens: measure.tools[i] ?? 0 }));
  return { budget, total: measure.total, layers: layerRows(fitted), tools, decisions: decide(fitted) };
}

/** Of a turn that failed before any prompt was made. */
export function emptyStack(budget: Budget): StackReport {
  return { budget, total: 0, layers: [], tools: [], decisions: [] };
}

export function callReport(fitted: Fitted, generation: Generation): CallReport {
  return {
    promptTokens: fitted.measure.total,
    prefill: generation.prefill,
    // A cancelled prefill stopped before it could reach the rest of the prefix: nothing broke.
    breakAt: generation.stop === 'cancelled' ? null : breakOf(fitted, generation.prefill),
    generatedTokens: generation.generated.ids.length,
    firstTokenMilliseconds: generation.firstTokenMilliseconds,
    generateMilliseconds: generation.generateMilliseconds,
  };
}

function breakOf(fitted: Fitted, prefill: Prefill): Break | null {
  const { reused, slotTokens } = prefill;
  // The last prompt token is always decoded again: its logits are needed. That alone is no break.
  if (slotTokens <= reused + 1 || reused + 1 >= fitted.measure.total) return null;
  const { starts } = fitted.measure;
  const at = Math.max(
    0,
    starts.findLastIndex((start) => start <= reused),
  );
  const segment = segmentsOf(fitted.prompt)[at];
  return { layer: segment?.layer ?? 'glue', item: segment?.item ?? null, token: reused };
}

/** Tokens by layer. The rows add up to the measured total. */
export function layerRows(fitted: Fitted): Report['layers'] {
  const rows = new Map<Layer, number>(layers.map((layer) => [layer, 0]));
  const add = (layer: Layer, tokens: number) => rows.set(layer, (rows.get(layer) ?? 0) + tokens);
  segmentsOf(fitted.prompt).forEach((segment, i) => {
    add(segment.layer, fitted.measure.segments[i] ?? 0);
  });
  add(
    'tools',
    fitted.measure.tools.reduce((a, b) => a + b, 0),
  );
  add('glue', fitted.measure.glue);
  return [...rows].map(([layer, tokens]) => ({ layer, tokens }));
}

/** One decision per item still in view and one for the trimmed run: together they cover the path exactly once. */
export function decide(fitted: Fitted): readonly Decision[] {
  const { held, room } = fitted;
  const layerOf = new Map(segmentsOf(fitted.prompt).map((segment) => [segment.item, segment.layer]));
  const waiting = new Map(obsolete(room, held).map(({ item, tokens }) => [item.id, tokens]));
  const path = room.path.filter(({ id }) => id !== nextItem);
  const kept = path.slice(held.trimmedTo).map((item, i): Decision => {
    const at = held.trimmedTo + i;
    const after = room.size(item.id, 'text') + room.size(item.id, 'stub') + room.size(item.id, 'body');
    const base = {
      from: at,
      to: at + 1,
      item: item.id,
      label: labelOf(item),
      layer: layerOf.get(item.id) ?? 'history',
    };
    return { ...base, after, ...stateOf(item, after, fitted, waiting.has(item.id)) };
  });
  return held.trimmedTo === 0 ? kept : [trimmedRun(held.trimmedTo, held.trimmedTokens), ...kept];
}

function trimmedRun(to: number, before: number): Decision {
  const why = 'the prompt passed high water; the oldest turns went, down to low water';
  const label = `${to} earlier items`;
  return { from: 0, to, item: null, label, layer: 'history', state: 'trimmed', before, after: 0, by: 'dropTurns', why };
}

function stateOf(item: Item, after: number, fitted: Fitted, waits: boolean) {
  const cleared = fitted.held.cleared.get(item.id);
  const capped = fitted.held.capped.get(item.id);
  if (cleared !== undefined) {
    const state: State = 'stubbed';
    return {
      state,
      before: after + (capped?.before ?? cleared.tokens),
      by: cleared.by,
      why: 'older tool output was cleared; its first line stays',
    };
  }
  if (capped !== undefined) {
    const state: State = 'capped';
    const before = fitted.room.size(item.id, 'stub') + capped.before;
    return { state, before, by: 'capResults', why: 'one result was over its share of the window' };
  }
  const state: State = waits ? 'pending' : 'kept';
  const why = waits ? 'goes at the next crossing, so that the prefix stays as it is' : '';
  return { state, before: after, by: waits ? 'clearEarlier' : 'append', why };
}

/** A short name of an item for a list. */
export function labelOf(item: Item): string {
  switch (item.origin) {
    case 'user':
      return `You: ${clip(item.text)}`;
    case 'assistant':
      return `Answer: ${clip(item.text)}`;
    case 'call':
      return `Call: ${item.calls.map((call) => call.name).join(', ')}`;
    case 'result':
      return `Result: ${clip(item.head)}`;
    case 'note':
      return `Directive: ${clip(item.text)}`;
    default:
      return item satisfies never;
  }
}

function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 60 ? line : `${line.slice(0, 59)}…`;
}

/** How many items each state has; a run counts its items. */
export function countStates(decisions: readonly Decision[]): Readonly<Record<State, number>> {
  const counts: Record<State, number> = {
    kept: 0,
    stubbed: 0,
    capped: 0,
    pending: 0,
    folded: 0,
    trimmed: 0,
    withheld: 0,
  };
  for (const decision of decisions) counts[decision.state] += decision.to - decision.from;
  return counts;
}
