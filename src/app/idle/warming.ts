// Makes the slots of a conversation ready for its next message: each holds what any next message will share.
import { answering } from '../../core/agent/graph.ts';
import type { Act } from '../../core/agent/intent.ts';
import { nextItem } from '../../core/dialog/dialog.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import type { PrefillProgress } from '../../core/model/model.ts';
import { type Prompt, type Segment, segmentsOf } from '../../core/prompt/prompt.ts';
import type { Fitted } from '../../core/pruning/fitted.ts';
import { breakOf } from '../../core/report/breaks.ts';
import { askAct } from '../../core/turn/askAct.ts';
import { setupFor } from '../../core/turn/setupFor.ts';
import type { Attachment } from '../../core/turn/turnPorts.ts';
import type { WarmView } from '../../protocol/view.ts';
import type { Session } from '../session/session.ts';
import { slotModel } from '../slots/slotModel.ts';
import { crossingOf, pruningsOf } from '../turn/compactionRows.ts';
import { fitNext } from '../turn/nextPrompt.ts';
import { freezeBundle, setupNow, type TurnPlan } from '../turn/planTurn.ts';
import type { Turns } from '../turn/turns.ts';
import type { Idling } from '../turn/turnWork.ts';
import { coldView, warmView } from '../turn/warmth.ts';

/** A prompt, and how warm the slot is that holds it. */
interface Warmed {
  readonly fitted: Fitted;
  readonly warm: WarmView;
}

/**
 * Makes the trim the next message would meet and prefills each slot. Where the session does not wait any more as it
 * did, nothing of it is kept. Returns the answering node's prompt and how warm it is.
 */
export async function warmSlots(turns: Turns, session: Session, info: ModelInfo, idle: Idling): Promise<Warmed | null> {
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
export async function readAhead(
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
export async function askAhead(
  turns: Turns,
  session: Session,
  info: ModelInfo,
  draft: { readonly beside: readonly Attachment[]; readonly words: string },
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
    { prompt: passing(fitted.prompt), words: draft.words },
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
