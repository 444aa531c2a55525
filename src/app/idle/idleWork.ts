// Idle work, done while the user reads: compaction, the trim that the next message would meet, and warming. It gives way at once.

import { answering } from '../../core/agent/graph.ts';
import type { Act, Intent } from '../../core/agent/intent.ts';
import type { CompactionRow } from '../../core/compaction/compactionRow.ts';
import { nextItem } from '../../core/dialog/dialog.ts';
import type { Signal } from '../../core/dialog/tool.ts';
import type { Disposable } from '../../core/emitter.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import type { PrefillProgress } from '../../core/model/model.ts';
import { type Prompt, type Segment, segmentsOf } from '../../core/prompt/prompt.ts';
import type { Fitted } from '../../core/pruning/fitted.ts';
import { breakOf } from '../../core/report/breaks.ts';
import { stackReport } from '../../core/report/report.ts';
import { askAct } from '../../core/turn/askAct.ts';
import { setupFor } from '../../core/turn/setupFor.ts';
import type { Attachment } from '../../core/turn/turnPorts.ts';
import type { WarmView } from '../../protocol/view.ts';
import type { Compactions } from '../compaction/compactions.ts';
import type { ModelLife } from '../model/modelLife.ts';
import type { Conversation, ConversationEvent } from '../session/conversation.ts';
import type { Session } from '../session/session.ts';
import type { EditorWindow } from '../slots/editorWindow.ts';
import type { Saver } from '../slots/saver.ts';
import type { Scheduler, Yielding } from '../slots/scheduler.ts';
import { slotModel } from '../slots/slotModel.ts';
import type { AgentEngines } from '../slots/windowEngines.ts';
import { crossingOf, pruningsOf } from '../turn/compactionRows.ts';
import { estimatedPrompt, fitNext, nextPrompt } from '../turn/nextPrompt.ts';
import { freezeBundle, setupNow, type TurnPlan } from '../turn/planTurn.ts';
import type { Turns } from '../turn/turns.ts';
import type { Idling } from '../turn/turnWork.ts';
import { asksAct } from '../turn/userMessage.ts';
import { coldView, takenView, warmView } from '../turn/warmth.ts';

/** Callbacks that idle work needs besides the conversation. */
export interface IdlePorts {
  /** Makes ready for the next message. */
  readonly open: () => Promise<void>;
  /** The prompt that the next message extends is another: what depends on it is found out anew. */
  readonly prepared: () => Promise<void>;
}

type AheadWork = (session: Session, info: ModelInfo, signal: AbortSignal, still: () => boolean) => Promise<void>;
type Work = (signal: AbortSignal, still: () => boolean) => Promise<void>;

/** Turns without an idle compaction after one was undone. */
const afterUndo = 4;

type State =
  | { readonly is: 'resting' }
  /** `yields`: nobody asked for it, so that another chat's request has it interrupted. */
  | { readonly is: 'working'; readonly stop: AbortController; readonly yields: boolean }
  /** The chat is gone. */
  | { readonly is: 'ended' };

export class IdleWork implements Yielding {
  private readonly conversation: Conversation;
  private readonly own: IdlePorts;
  private readonly turns: Turns;
  private readonly compactions: Compactions;
  private readonly saver: Saver;
  readonly scheduler: Scheduler;
  private readonly engines: AgentEngines;
  private readonly hearing: Disposable;
  private state: State = { is: 'resting' };

  constructor(
    conversation: Conversation,
    own: IdlePorts,
    turns: Turns,
    compactions: Compactions,
    { scheduler, saver, slotsChanged }: Pick<EditorWindow, 'scheduler' | 'saver' | 'slotsChanged'>,
  ) {
    this.engines = turns.context.engines;
    this.saver = saver;
    this.scheduler = scheduler;
    scheduler.join(this);
    this.hearing = slotsChanged.subscribe(() => void this.showSlots());
    this.conversation = conversation;
    this.own = own;
    this.turns = turns;
    this.compactions = compactions;
  }

  /** Gives way to a request, within one chunk of decoding. */
  interrupt(): void {
    if (this.state.is === 'working') {
      this.state.stop.abort();
      this.state = { is: 'resting' };
    }
    for (const { snapshots } of this.engines.all) snapshots.wake();
    this.showWarming(null);
    if (this.conversation.now.compacting) this.emit({ type: 'compacting', on: false });
  }

  private emit(event: ConversationEvent): void {
    this.conversation.emit(this.conversation.session, event);
  }

  private showWarming(progress: { readonly done: number; readonly of: number } | null): void {
    if (progress !== null || this.conversation.now.warming !== null) this.emit({ type: 'warming', progress });
  }

  private showWarm(warm: WarmView | null): void {
    this.emit({ type: 'warm', warm });
  }

  private get yields(): boolean {
    return this.state.is === 'working' && this.state.yields;
  }

  yield(): boolean {
    const { yields } = this;
    if (yields) this.interrupt();
    return yields;
  }

  /** Makes ready for the next message again, unless another conversation took the slot meanwhile; one without a slot so far gets its first. */
  async resume(): Promise<void> {
    const { session } = this.conversation;
    const leased = this.engines.snapshots.slots.all.some((lease) => lease.session.id === session.id);
    if (leased || this.conversation.now.warm === null) await this.own.open();
  }

  /** Whether another chat asks the model. Then this one goes on when that is done. */
  waits(): boolean {
    return this.scheduler.waits(this);
  }

  /** The chat is gone: nothing is made ready for it any more. */
  end(): void {
    this.interrupt();
    this.state = { is: 'ended' };
    this.scheduler.leave(this);
    this.hearing.dispose();
  }

  /**
   * Compacts where it is time to, makes the trim the next message would meet, shows the stack it will extend, and prefills it. On
   * battery saver it only shows.
   */
  async settle(session: Session, info: ModelInfo): Promise<void> {
    await this.whileIdle(session, async (signal, still) => {
      const plan = await this.turns.plan(session, info);
      const resting = await this.saver.isOn();
      if (!still()) return;
      if (resting) await this.show(session, plan.main.info, still);
      else await this.prepare(session, plan, signal, still);
      if (!resting && still()) await this.test(session, plan.main, signal, still);
    });
  }

  /** Decodes what a draft brings in front of its words, where the slots are ready and no other idle work is under way. */
  async readAhead(bring: (signal: Signal) => Promise<readonly Attachment[]>): Promise<void> {
    await this.ahead(async (session, info, signal, still) => {
      const show = (tokens: number) => {
        if (still()) this.emit({ type: 'ahead', tokens });
      };
      show(0);
      const beside = await bring(signal);
      if (!still() || beside.length === 0) return;
      show((await readAhead(this.turns, session, info, beside, { still, signal, progress: show })) ?? 0);
    });
  }

  /** Asks the model what a draft wants, behind its words; null where it is not asked. `beside` stands in front of them. */
  async askAhead(words: string, beside: readonly Attachment[], intent: Intent): Promise<Act | null> {
    const { loaded } = this.engines.life;
    const plan = loaded === null ? null : await this.turns.plan(this.conversation.session, loaded);
    if (plan === null || !asksAct(plan)) return null;
    let act: Act | null = null;
    await this.ahead(async (session, info, signal, still) => {
      act = await askAhead(this.turns, session, info, { beside, words, intent }, { still, signal });
    });
    return act;
  }

  private async ahead(work: AheadWork): Promise<void> {
    const { session, now } = this.conversation;
    const info = this.engines.life.loaded;
    const isReady = now.warm !== null && now.warm.warmed === now.warm.of && !now.running && !now.compacting;
    // Reading for an earlier draft gives way; other idle work goes first, and has the draft looked at again.
    if (info === null || !isReady || (this.yields && now.ahead === null)) return;
    await this.whileIdle(session, async (signal, still) => {
      if (!(await this.saver.isOn()) && still()) await work(session, info, signal, still);
    });
  }

  private async whileIdle(session: Session, work: Work): Promise<void> {
    // A command for a session that was left must not interrupt the work for this one.
    const { conversation } = this;
    if (session !== conversation.session || this.state.is === 'ended' || !this.scheduler.begins(this)) return;
    const signal = this.begin(true);
    const still = () => !conversation.now.running && session === conversation.session && !signal.aborted;
    try {
      await work(signal, still);
      if (still()) for (const { snapshots } of this.engines.all) snapshots.rest();
    } catch {
      // Idle work that fails costs nothing but warmth: the next request meets the same fault and says it.
      if (session === conversation.session && !signal.aborted) this.showWarm(null);
    } finally {
      // A later one of this conversation may be at work.
      if (!signal.aborted) {
        this.state = { is: 'resting' };
        this.scheduler.rested(this);
      }
    }
  }

  private async prepare(session: Session, plan: TurnPlan, signal: AbortSignal, still: () => boolean): Promise<void> {
    if (this.conversation.now.resting) this.emit({ type: 'resting', on: false });
    const row = await this.visibly(session, signal, (asked) =>
      this.compactions.idle({ session, plan, signal, asked, byUser: false }),
    );
    if (row !== null && row.checkpoint !== null) this.conversation.emit(session, { type: 'compacted', row });
    if (still()) await this.makeWarm(session, plan.main.info, this.idling(still, signal));
  }

  /** Sees what the model can do, once. Its answers may choose another graph, whose prompt is then made ready. */
  private async test(
    session: Session,
    { info, engine, life }: TurnPlan['main'],
    signal: AbortSignal,
    still: () => boolean,
  ): Promise<void> {
    const { abilities } = this.engines;
    if (!abilities.wants(info)) return;
    // A model that cannot be tested is used all the same.
    const nature = await abilities.test(info, engine, signal).catch(() => null);
    if (nature === null) return;
    life.show();
    if (still()) await this.makeWarm(session, info, this.idling(still, signal));
  }

  /** Shows the stack that the next message extends, as it is: measuring the prompt decodes nothing. */
  private async show(session: Session, info: ModelInfo, still: () => boolean): Promise<void> {
    const fitted = await nextPrompt(this.turns, session, info);
    if (!still()) return;
    this.emit({ type: 'stack', stack: stackReport(fitted) });
    this.emit({ type: 'resting', on: true });
    await this.showSlots();
    await this.own.prepared();
  }

  /** Compacts at the user's request. Null when it was interrupted. */
  async compactNow(session: Session, info: ModelInfo): Promise<CompactionRow | null> {
    return this.alone(async (signal) => {
      const plan = await this.turns.plan(session, info);
      const row = await this.visibly(session, signal, (asked) =>
        this.compactions.now({ session, plan, signal, asked, byUser: true }),
      );
      if (row !== null && row.checkpoint !== null) this.conversation.emit(session, { type: 'compacted', row });
      return row;
    });
  }

  /** The user took a compaction back: it does not come again at once. */
  keepUncompacted(session: Session): void {
    this.compactions.pause(session, afterUndo);
    this.conversation.emit(session, { type: 'takenBack' });
  }

  /** Does work that the user asked for while no other chat asks the model. Returns null where a message came before the work began. */
  async alone<T>(job: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    const signal = this.begin(false);
    const back = await this.scheduler.take(this, signal).catch(() => null);
    return back === null ? null : job(signal).finally(back);
  }

  /** Shows the stack while the model loads, in estimated tokens. */
  async estimate(session: Session, life: Pick<ModelLife, 'loaded'>): Promise<void> {
    if (life.loaded !== null) return;
    try {
      const fitted = await estimatedPrompt(this.turns, session);
      if (life.loaded === null) this.conversation.emit(session, { type: 'stack', stack: stackReport(fitted) });
    } catch {
      // Only the picture before the exact one.
    }
  }

  /** Which conversation is in which slot. */
  private async showSlots(): Promise<void> {
    const { session } = this.conversation;
    const of = this.engines.all.map(({ snapshots }) => snapshots.view(session));
    const [own = [], ...others] = await Promise.all(of);
    const { warm } = this.conversation.now;
    this.emit({ type: 'slots', slots: [...own, ...others.flat()] });
    const taken = warm !== null && warm.warmed > 0 && own.length > 0 && !own.some(({ open }) => open);
    if (taken) this.showWarm(takenView(warm));
  }

  /** Shows how far the prefill is, as long as it is this conversation's. */
  private idling(still: () => boolean, signal: AbortSignal): Idling {
    const progress = ({ done, of }: PrefillProgress) => {
      if (still()) this.showWarming({ done, of });
    };
    return { still, signal, progress };
  }

  private begin(yields: boolean): AbortSignal {
    this.interrupt();
    const stop = new AbortController();
    if (this.state.is !== 'ended') this.state = { is: 'working', stop, yields };
    return stop.signal;
  }

  /** The view says that turns are compacted from when a summariser is asked to the end, whichever it is. */
  private async visibly(
    session: Session,
    signal: AbortSignal,
    work: (asked: () => void) => Promise<CompactionRow | null>,
  ): Promise<CompactionRow | null> {
    // Interrupted work has nothing to show any more; another compaction may show itself meanwhile.
    const show = (compacting: boolean) => {
      if (!signal.aborted && this.conversation.now.compacting !== compacting)
        this.conversation.emit(session, { type: 'compacting', on: compacting });
    };
    try {
      return await work(() => show(true));
    } finally {
      show(false);
    }
  }

  private async makeWarm(session: Session, info: ModelInfo, idle: Idling): Promise<void> {
    const known = session.state.compactions.length;
    const settled = await warmSlots(this.turns, session, info, idle);
    const { conversation } = this;
    conversation.compactedByRules(session, known);
    if (session !== conversation.session || settled === null) return;
    const { fitted, warm } = settled;
    if (!conversation.now.running) this.emit({ type: 'stack', stack: stackReport(fitted) });
    this.showWarm(warm);
    await this.showSlots();
    await this.own.prepared();
  }
}

// Makes the slots of a conversation ready for its next message: each holds what any next message will share.

/** A prompt, and how warm the slot is that holds it. */
interface Warmed {
  readonly fitted: Fitted;
  readonly warm: WarmView;
}

/**
 * Makes the trim the next message would meet and prefills each slot. Where the session does not wait any more as it
 * did, nothing of it is kept. Returns the answering node's prompt and how warm it is.
 */
async function warmSlots(turns: Turns, session: Session, info: ModelInfo, idle: Idling): Promise<Warmed | null> {
  const plan = await turns.plan(session, info);
  const { setup, latest } = plan;
  let warmed: Warmed | null = null;
  for (const node of setup.graph.nodes) {
    const { dialog } = session.state;
    // A head that was renewed for one node is every node's.
    const { stack } = warmed?.fitted ?? setup;
    const fitted = await fitNext(turns, session, plan, node, { stack });
    if (!idle.still() || session.state.dialog !== dialog) return null;
    pruningsOf(session, () => turns.context.clock.now()).ended(node.slot, fitted.pruned, crossingOf(fitted));
    freezeBundle(session, fitted.stack === setup.fresh ? latest : session.state.bundle);
    const warm = await prefill(turns, session, plan, fitted, idle);
    if (warm === null) return null;
    warmed = { fitted, warm };
  }
  return warmed;
}

/**
 * Prefills what a draft brings in front of its words, behind what the slots hold already. Gives its tokens that stand there then; null where
 * they cannot be read, or the next message would have to let go of something for them.
 */
async function readAhead(
  turns: Turns,
  session: Session,
  info: ModelInfo,
  beside: readonly Attachment[],
  { still, signal, progress }: Omit<Idling, 'progress'> & { readonly progress: (tokens: number) => void },
): Promise<number | null> {
  const plan = await turns.plan(session, info);
  const { warm: isWanted, settleMilliseconds } = plan.settings;
  let read: number | null = null;
  for (const node of plan.setup.graph.nodes) {
    const { cache } = setupFor(setupNow(plan, session), node.slot);
    const fitted = await fitNext(turns, session, plan, node, { beside });
    const isWhole = fitted.before === fitted.measure.total && fitted.stack === plan.setup.stack;
    const { engine, snapshots } = plan.at(node.slot);
    const lease = snapshots.slots.of(session, node.slot);
    if (!isWanted || !isWhole || !cache.erases || lease === null || !still()) return null;
    const { slot, approximate } = lease;
    // A wrong guess is decoded anew rather than moved: nothing of the message may become approximate by it.
    const reuse = approximate === 0 ? 'exact' : cache.reuse;
    const prompt = passing(fitted.prompt);
    const start = startOf(fitted);
    const tell = ({ done }: PrefillProgress) => progress(Math.max(0, done - start));
    const done = await engine.prefill({ slot, prompt, reuse, settleMilliseconds }, tell, signal);
    session.tally.warmed(done.prefill.decoded);
    turns.prefilled(session, plan.at(node.slot), node.slot, done.prefill);
    if (done.sent === false) return null;
    read = Math.max(0, done.warmed - start);
  }
  return read;
}

/** Asks what a draft wants, behind its words in the slot; null where the model is not asked, or the next message would have to let go of something for it. */
async function askAhead(
  turns: Turns,
  session: Session,
  info: ModelInfo,
  draft: { readonly beside: readonly Attachment[]; readonly words: string; readonly intent: Intent },
  { still, signal }: Pick<Idling, 'still' | 'signal'>,
): Promise<Act | null> {
  const plan = await turns.plan(session, info);
  if (!plan.settings.warm) return null;
  const node = answering(plan.setup.graph);
  const fitted = await fitNext(turns, session, plan, node, draft);
  if (fitted.before !== fitted.measure.total || fitted.stack !== plan.setup.stack || !still()) return null;
  const { engine, snapshots } = plan.at(node.slot);
  const model = slotModel(engine, snapshots, session, node.slot, { temperature: 0, seed: 0 });
  const { act, generations } = await askAct(
    model,
    { prompt: passing(fitted.prompt), words: draft.words, intent: draft.intent },
    'exact',
    signal,
  );
  for (const { prefill: cost } of generations) {
    session.tally.warmed(cost.decoded);
    turns.prefilled(session, plan.at(node.slot), node.slot, cost);
  }
  return act;
}

/** The texts of a draft as parts of no message: where it changes, nothing of the conversation broke. */
function passing(prompt: Prompt): Prompt {
  const isDraft = ({ item }: Segment) => item?.startsWith(nextItem) === true;
  const messages = prompt.messages.map((message) => ({
    ...message,
    segments: message.segments.map((one) => (isDraft(one) ? { ...one, item: null } : one)),
  }));
  return { ...prompt, messages };
}

/** Tokens in front of what the next message brings. */
function startOf({ prompt, measure }: Fitted): number {
  const at = segmentsOf(prompt).findIndex(({ item }) => item?.startsWith(nextItem) === true);
  return measure.starts[at] ?? measure.total;
}

/** Settles a slot and decodes what any next message will share. Null where the session was left before it had its slot. */
async function prefill(
  turns: Turns,
  session: Session,
  plan: TurnPlan,
  fitted: Fitted,
  { still, signal, progress }: Idling,
): Promise<WarmView | null> {
  const { warm, settleMilliseconds } = plan.settings;
  const { prompt, measure, node } = fitted;
  const { engine, snapshots } = plan.at(node.slot);
  const { reuse } = setupFor(setupNow(plan, session), node.slot).cache;
  if (!warm || reuse === 'none') return coldView(measure.starts.at(-1) ?? 0, reuse);
  const { slot, loaded } = await snapshots.bring(session, node.slot, prompt, reuse);
  if (loaded?.loaded === true) turns.resumePace(loaded.pace);
  if (!still()) return null;
  const warmth = await engine.prefill({ slot, prompt, reuse, settleMilliseconds }, progress, signal);
  session.tally.warmed(warmth.prefill.decoded);
  if (warmth.warmed === warmth.of && still()) void snapshots.keepHead(session, node.slot, warmth.of);
  turns.prefilled(session, plan.at(node.slot), node.slot, warmth.prefill);
  const begun = session.state.dialog.turns > 0;
  const broke = breakOf(fitted, { prefill: warmth.prefill, stop: 'end' }, { reuse, begun });
  return warmView(warmth, reuse, turns.pace, loaded, broke);
}
