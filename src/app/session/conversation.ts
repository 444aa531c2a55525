// A conversation without a view: which session it is, what runs in it, and events that say what happens. Whatever shows it reduces them.
import type { CompactionRow } from '../../core/compaction/compactionRow.ts';
import type { ItemId, ToolCall } from '../../core/dialog/dialog.ts';
import type { ToolResult } from '../../core/dialog/tool.ts';
import { type Disposable, Emitter } from '../../core/emitter.ts';
import type { Fault } from '../../core/faults/fault.ts';
import type { CallReport, Report, StackReport } from '../../core/report/report.ts';
import type { TurnEvent } from '../../core/turn/turnPorts.ts';
import type { SlotView } from '../../protocol/slotView.ts';
import type { TurnView, WarmView } from '../../protocol/view.ts';
import type { Session } from './session.ts';
import { turnView } from './turnView.ts';

export type ConversationEvent =
  /** Another session is open from now on, shown from its beginning. */
  | { readonly type: 'opened'; readonly session: Session; readonly turns: readonly TurnView[] }
  /** A question stands there before its turn begins; it is taken back where that never does. */
  | { readonly type: 'asked'; readonly text: string }
  /** The last answer goes on. */
  | { readonly type: 'continued' }
  /** The turn never began: its question is taken away, and a continued answer is shown as it was. */
  | { readonly type: 'withdrawn' }
  /** The words of a message are asked anew: it goes with all behind it. */
  | { readonly type: 'rewound'; readonly to: ItemId }
  | { readonly type: 'running'; readonly on: boolean }
  | { readonly type: 'waits'; readonly on: boolean }
  | { readonly type: 'queued'; readonly queue: readonly { readonly id: number; readonly text: string }[] }
  | { readonly type: 'turn'; readonly event: Exclude<TurnEvent, { readonly type: 'called' }> }
  /** A command that the user runs from an answer; without a result yet where it begins. */
  | { readonly type: 'ran'; readonly call: ToolCall; readonly result: ToolResult | null }
  | { readonly type: 'called'; readonly call: CallReport; readonly stack: StackReport }
  | { readonly type: 'ended'; readonly report: Report }
  /** An answer to a command, or what a command could not do. */
  | { readonly type: 'told'; readonly title: string; readonly text: string }
  | { readonly type: 'failed'; readonly fault: Fault; readonly canContinue: boolean }
  /** The model is there, or is asked for anew. */
  | { readonly type: 'modelAsked' }
  /** The stack that the next message extends, while nothing runs. */
  | { readonly type: 'stack'; readonly stack: StackReport }
  | { readonly type: 'warm'; readonly warm: WarmView | null }
  | { readonly type: 'warming'; readonly progress: { readonly done: number; readonly of: number } | null }
  /** So many tokens that the draft brings in front of its words stand in the slot. */
  | { readonly type: 'ahead'; readonly tokens: number }
  | { readonly type: 'resting'; readonly on: boolean }
  /** The model is gone, and what its slot held with it. */
  | { readonly type: 'cold' }
  | { readonly type: 'compacting'; readonly on: boolean }
  | { readonly type: 'compacted'; readonly row: CompactionRow }
  /** A compaction was taken back. */
  | { readonly type: 'takenBack' }
  | { readonly type: 'slots'; readonly slots: readonly SlotView[] };

/** The state of a conversation besides what is said in it. */
export interface ConversationNow {
  /** A turn runs, or waits for its place. */
  readonly running: boolean;
  /** Turns are being compacted. */
  readonly compacting: boolean;
  /** The model calls of the running or last turn. */
  readonly calls: readonly CallReport[];
  /** The prompt that was made last; null before one was. */
  readonly stack: StackReport | null;
  /** How warm the slot was found last; null before, and where that is not known any more. */
  readonly warm: WarmView | null;
  /** How far idle work has prefilled; null while it does not. */
  readonly warming: { readonly done: number; readonly of: number } | null;
  /** Tokens that were read for the draft; null while nothing is read for it. */
  readonly ahead: number | null;
  /** The battery is saved: nothing is made ready. */
  readonly resting: boolean;
  readonly turns: readonly TurnView[];
  /** Messages and commands that wait, in their order. */
  readonly queue: readonly { readonly id: number; readonly text: string }[];
}

const nothingYet: ConversationNow = {
  ...{ running: false, compacting: false, calls: [], stack: null },
  ...{ warm: null, warming: null, ahead: null, resting: false, turns: [], queue: [] },
};

const cold = { warm: null, warming: null, ahead: null, resting: false };

/** The part of the next prompt that the slot holds, however the prefill ends. */
function prefilledSoFar({ done, of }: { readonly done: number; readonly of: number }): WarmView {
  const nothing = { decoded: 0, milliseconds: 0, approximate: 0, savedMilliseconds: 0 };
  return { ...nothing, warmed: done, of, reason: 'the rest is being prefilled' };
}

function nowAfter(now: ConversationNow, event: ConversationEvent): ConversationNow {
  switch (event.type) {
    case 'opened':
      return { ...nothingYet, turns: event.turns };
    case 'running':
      return { ...now, running: event.on, calls: event.on ? [] : now.calls, ahead: null };
    case 'compacting':
      return { ...now, compacting: event.on };
    case 'stack':
      return { ...now, stack: event.stack };
    case 'called':
      return { ...now, calls: [...now.calls, event.call], stack: event.stack };
    case 'ended':
      return { ...now, turns: [...now.turns, turnView(event.report)] };
    case 'queued':
      return { ...now, queue: event.queue };
    case 'warm':
      return { ...now, warm: event.warm, warming: null, ahead: null };
    case 'warming':
      return event.progress === null
        ? { ...now, warming: null }
        : { ...now, warming: event.progress, warm: prefilledSoFar(event.progress) };
    case 'ahead':
      return { ...now, ahead: event.tokens };
    case 'resting':
      return { ...now, resting: event.on, ahead: null, warm: event.on ? null : now.warm };
    case 'cold':
      return { ...now, ...cold };
    default:
      return now;
  }
}

export class Conversation {
  private readonly events = new Emitter<ConversationEvent>();
  private current: Session;
  private latest = nothingYet;

  constructor(session: Session) {
    this.current = session;
  }

  get session(): Session {
    return this.current;
  }

  get now(): ConversationNow {
    return this.latest;
  }

  subscribe(listener: (event: ConversationEvent) => void): Disposable {
    return this.events.subscribe(listener);
  }

  /** Goes on with a session, or shows the same one anew. */
  open(session: Session, turns: readonly TurnView[]): void {
    this.current = session;
    this.emit(session, { type: 'opened', session, turns });
  }

  /** Something happened in a session; in one that was left meanwhile it concerns nobody. */
  emit(session: Session, event: ConversationEvent): void {
    if (session !== this.current) return;
    this.latest = nowAfter(this.latest, event);
    this.events.emit(event);
  }

  /** Shows attempts to compact that were made since there were `known`: those by rules come with no event of their own. */
  compactedByRules(session: Session, known: number): void {
    for (const row of session.state.compactions.slice(known))
      if (row.outcome === 'fallback') this.emit(session, { type: 'compacted', row });
  }
}
