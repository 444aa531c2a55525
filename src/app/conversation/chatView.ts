// The state in which a view shows a conversation: events are reduced to it, and each change is published as a delta.
import { branchPlaces } from '../../core/dialog/branches.ts';
import { type Disposable, Emitter } from '../../core/emitter.ts';
import { type PrefillMark, remainingOf } from '../../core/kv/eta.ts';
import type { PrefillProgress } from '../../core/model/model.ts';
import type { TurnEvent } from '../../core/turn/turnPorts.ts';
import { lacksModel, loadQuestion } from '../../protocol/loadQuestion.ts';
import { reduceView } from '../../protocol/reduceView.ts';
import { emptyView, type ViewDelta, type ViewState } from '../../protocol/view.ts';
import { compactionWords, noSpaceToUndo, standingCompaction, summaryMarkdown } from '../commands/compactCommand.ts';
import type { ShownView } from '../ports/shownView.ts';
import type { Conversation, ConversationEvent, ConversationNow } from '../session/conversation.ts';
import { Transcript } from '../session/transcript.ts';
import { approvalView } from './approvals.ts';

type Of<T extends ConversationEvent['type']> = Extract<ConversationEvent, { readonly type: T }>;
type Shows = { readonly [T in ConversationEvent['type']]: (event: Of<T>) => void };

/** The view has it from what goes on in the conversation. */
const nothing = () => undefined;

export class ChatView implements ShownView {
  private state: ViewState = emptyView;
  private readonly deltas = new Emitter<ViewDelta>();
  /** The notices of the latest prefill. */
  private readonly prefilled: PrefillMark[] = [];
  private said = this.newTranscript();
  private readonly conversation: Conversation;

  constructor(conversation: Conversation) {
    this.conversation = conversation;
    conversation.subscribe((event) => {
      (this.shows[event.type] as (one: ConversationEvent) => void)(event);
      this.showNow();
    });
  }

  get snapshot(): ViewState {
    return this.state;
  }

  /** The transcript of the session that is shown. */
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

  private newTranscript(): Transcript {
    const transcript = new Transcript((delta) => {
      if (this.said === transcript) this.publish(delta);
    });
    return transcript;
  }

  /** Publishes what goes on in the conversation, as far as the view shows something else. */
  private showNow(): void {
    const changed = Object.entries(this.conversation.now).filter(
      ([key, value]) => this.state[key as keyof ConversationNow] !== value,
    );
    if (changed.length > 0) this.set(Object.fromEntries(changed));
  }

  private readonly shows: Shows = {
    opened: (event) => this.opened(event),
    asked: ({ text }) => this.transcript.ask(text),
    continued: () => this.continued(),
    withdrawn: () => this.transcript.withdraw(),
    rewound: ({ to }) => this.cutAt((entry) => entry.kind === 'user' && entry.item === to, false),
    running: () => this.endPrefill(),
    waits: ({ on }) => this.set({ waitsForOther: on }),
    queued: nothing,
    turn: ({ event }) => this.inTurn(event),
    ran: ({ call, result }) => this.transcript.ran(call, result),
    called: ({ stack }) => {
      this.endPrefill();
      this.transcript.counted(stack.decisions);
    },
    ended: () => this.transcript.settle(),
    told: ({ title, text }) => this.transcript.info(title, text, false),
    failed: ({ fault, canContinue }) => this.transcript.failed(fault, canContinue),
    modelAsked: () => {
      const question = loadQuestion(this.state.entries);
      if (question !== null) this.cutAt((entry) => entry === question, true);
      while (this.state.entries.some(lacksModel)) this.cutAt(lacksModel, true);
    },
    // The results of a conversation that was opened again are counted now.
    stack: ({ stack }) => {
      const { session } = this.conversation;
      this.transcript.extended(stack.decisions, session.state.dialog.path);
      const row = standingCompaction(session);
      if (row !== null) this.transcript.fits(row.id, noSpaceToUndo(row, stack) === null);
    },
    warm: nothing,
    warming: nothing,
    ahead: nothing,
    resting: nothing,
    cold: () => this.set({ slots: [] }),
    compacting: nothing,
    compacted: ({ row: { id, checkpoint: summary, proposals, ...row } }) => {
      if (summary !== null)
        this.transcript.compacted(
          id,
          `${compactionWords({ id, checkpoint: summary, proposals, ...row })}\n\n${summaryMarkdown(summary)}`,
        );
      if (proposals.length > 0) this.transcript.propose(id, proposals);
    },
    takenBack: () => {
      for (const { id, undone } of this.conversation.session.state.compactions) if (undone) this.transcript.undone(id);
    },
    slots: ({ slots }) => this.set({ slots }),
  };

  /** Shows a session from its beginning. What the one before says from now on is not shown. */
  private opened({ session: { id, state, leftOut } }: Of<'opened'>): void {
    this.said = this.newTranscript();
    this.publish({ type: 'begin', session: id, entries: this.said.begin(state, leftOut) });
  }

  /** The fault that cut it off is over. */
  private continued(): void {
    const { entries } = this.state;
    const from = entries.findLastIndex(({ kind }) => kind === 'answer');
    this.cutAt((entry) => entry.kind === 'fault' && entry.canContinue && entries.indexOf(entry) > from, true);
    this.transcript.goOn();
  }

  private cutAt(isIt: (entry: ViewState['entries'][number]) => boolean, alone: boolean): void {
    const entry = this.state.entries.find(isIt);
    if (entry !== undefined) this.publish({ type: 'cut', from: entry.id, alone });
  }

  private inTurn(event: Exclude<TurnEvent, { readonly type: 'called' }>): void {
    switch (event.type) {
      case 'appended':
        this.transcript.appended(event.item, branchPlaces(this.conversation.session.state.dialog.items));
        return;
      case 'text':
        this.endPrefill();
        this.transcript.streamed(event);
        return;
      case 'intended':
        this.transcript.intended(event.intent);
        return;
      case 'prefilling':
        this.showPrefill(event.progress);
        return;
      case 'asking':
        this.set({ asks: approvalView(event.request) });
        return;
      case 'decided':
        this.set({ asks: null });
        return;
      case 'output':
        this.transcript.output(event.call, event.text);
        return;
      default:
        event satisfies never;
    }
  }

  private endPrefill(): void {
    if (this.state.prefill !== null) this.set({ prefill: null });
  }

  /** Prompt tokens decoded so far by the request that runs. */
  showPrefill({ of, ...mark }: PrefillProgress): void {
    const last = this.prefilled.at(-1);
    if (last !== undefined && mark.decoded <= last.decoded) this.prefilled.length = 0;
    this.prefilled.push(mark);
    if (this.conversation.now.running)
      this.set({ prefill: { done: mark.done, of, remaining: remainingOf(this.prefilled, of) } });
  }
}
