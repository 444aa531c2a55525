// A conversation without a view: which session it is, what runs in it, and events that say what happens. Whatever shows it folds them.
import type { CompactionRow } from '../../core/compaction/compactionRow.ts';
import type { ItemId } from '../../core/dialog/dialog.ts';
import { type Disposable, Emitter } from '../../core/emitter.ts';
import type { Fault } from '../../core/faults/fault.ts';
import type { CallReport, Report, StackReport } from '../../core/report/report.ts';
import type { TurnEvent } from '../../core/turn/turnPorts.ts';
import type { SlotView } from '../../protocol/slotView.ts';
import type { TurnView, WarmView } from '../../protocol/view.ts';
import type { Session } from './session.ts';

export type ConversationEvent =
  /** It is another session from now on, shown from its beginning. */
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
  | { readonly type: 'called'; readonly call: CallReport; readonly stack: StackReport }
  | { readonly type: 'ended'; readonly report: Report }
  /** An answer to a command, or what a command could not do. */
  | { readonly type: 'told'; readonly title: string; readonly text: string }
  | { readonly type: 'failed'; readonly fault: Fault; readonly canContinue: boolean }
  /** The model is there, or is asked for anew. */
  | { readonly type: 'modelAsked' }
  /** What the next message extends, while nothing runs. */
  | { readonly type: 'stack'; readonly stack: StackReport }
  | { readonly type: 'warm'; readonly warm: WarmView | null }
  | { readonly type: 'warming'; readonly progress: { readonly done: number; readonly of: number } | null }
  | { readonly type: 'resting'; readonly on: boolean }
  | { readonly type: 'folding'; readonly on: boolean }
  | { readonly type: 'compacted'; readonly row: CompactionRow }
  | { readonly type: 'slots'; readonly slots: readonly SlotView[] };

export class Conversation {
  private readonly events = new Emitter<ConversationEvent>();
  private current: Session;
  private isRunning = false;
  private isFolding = false;
  private latest: { readonly calls: readonly CallReport[]; readonly stack: StackReport | null } = {
    calls: [],
    stack: null,
  };

  constructor(session: Session) {
    this.current = session;
  }

  get session(): Session {
    return this.current;
  }

  /** A turn runs, or waits for its place. */
  get running(): boolean {
    return this.isRunning;
  }

  /** Turns are being compacted. */
  get folding(): boolean {
    return this.isFolding;
  }

  /** The model calls of the running or last turn. */
  get calls(): readonly CallReport[] {
    return this.latest.calls;
  }

  /** The prompt that was made last; null before one was. */
  get stack(): StackReport | null {
    return this.latest.stack;
  }

  subscribe(listener: (event: ConversationEvent) => void): Disposable {
    return this.events.subscribe(listener);
  }

  /** Goes on with a session, or shows the same one anew. */
  open(session: Session, turns: readonly TurnView[]): void {
    this.current = session;
    this.isRunning = false;
    this.isFolding = false;
    this.latest = { calls: [], stack: null };
    this.events.emit({ type: 'opened', session, turns });
  }

  /** Something happened in a session; in one that was left meanwhile it concerns nobody. */
  emit(session: Session, event: ConversationEvent): void {
    if (session !== this.current) return;
    if (event.type === 'running') this.isRunning = event.on;
    if (event.type === 'folding') this.isFolding = event.on;
    if (event.type === 'running' && event.on) this.latest = { ...this.latest, calls: [] };
    if (event.type === 'stack') this.latest = { ...this.latest, stack: event.stack };
    if (event.type === 'called') this.latest = { calls: [...this.latest.calls, event.call], stack: event.stack };
    this.events.emit(event);
  }

  /** Shows attempts to compact that were made since there were `known`: those by rules come with no event of their own. */
  foldedByRules(session: Session, known: number): void {
    for (const row of session.state.folds.slice(known))
      if (row.outcome === 'fallback') this.emit(session, { type: 'compacted', row });
  }
}
