// What a view shows of a conversation: a state that is reduced from deltas, and published with each of them.
import type { CompactionRow } from '../../core/compaction/compactionRow.ts';
import { type Disposable, Emitter } from '../../core/emitter.ts';
import type { PrefillProgress } from '../../core/model/model.ts';
import { emptyView, reduceView, type TurnView, type ViewDelta, type ViewState } from '../../protocol/view.ts';
import { compactionWords, summaryMarkdown } from '../commands/compactCommand.ts';
import type { Session } from '../session/session.ts';
import { Transcript } from '../session/transcript.ts';

export class ChatView {
  private state: ViewState = emptyView;
  private readonly deltas = new Emitter<ViewDelta>();
  private said = this.newTranscript();

  get snapshot(): ViewState {
    return this.state;
  }

  /** Of the conversation that is shown. */
  get transcript(): Transcript {
    return this.said;
  }

  /** Calls back with every change. */
  subscribe(listener: (delta: ViewDelta) => void): Disposable {
    return this.deltas.subscribe(listener);
  }

  publish(delta: ViewDelta): void {
    this.state = reduceView(this.state, delta);
    this.deltas.emit(delta);
  }

  set(values: Extract<ViewDelta, { type: 'set' }>['values']): void {
    this.publish({ type: 'set', values });
  }

  /** Shows a conversation from its beginning. What the one before says from now on is not shown. */
  begin({ id, state }: Session, turns: readonly TurnView[]): void {
    this.said = this.newTranscript();
    this.publish({ type: 'begin', session: id, entries: this.said.begin(state) });
    this.set({ turns });
  }

  private newTranscript(): Transcript {
    const transcript = new Transcript((delta) => {
      if (this.said === transcript) this.publish(delta);
    });
    return transcript;
  }

  /** The model's state changed; a slot that is not there is not warm. */
  showModel(engine: ViewState['engine']): void {
    this.set(engine.state === 'ready' ? { engine } : { engine, warm: null, warming: null, resting: false, slots: [] });
  }

  /** Prompt tokens decoded so far by the request that runs. */
  showPrefill({ done, of, decoded, milliseconds }: PrefillProgress): void {
    const remaining = decoded === 0 ? null : ((of - done) * milliseconds) / decoded;
    if (this.state.running) this.set({ prefill: { done, of, remaining } });
  }

  folded(row: CompactionRow): void {
    const { id, checkpoint, proposals } = row;
    if (checkpoint !== null) this.transcript.folded(id, compactionWords(row), summaryMarkdown(checkpoint));
    if (proposals.length > 0) this.transcript.propose(id, proposals);
  }

  /** What trims compacted by rules. */
  foldedByRules(rows: readonly CompactionRow[]): void {
    for (const row of rows) if (row.outcome === 'fallback') this.folded(row);
  }

  undone(rows: readonly CompactionRow[]): void {
    for (const { id, undone } of rows) if (undone) this.transcript.undone(id);
  }
}
