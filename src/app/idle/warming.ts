// Makes the slots of a conversation ready for its next message: each holds what any next message will share.
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import type { Fitted } from '../../core/pruning/fitted.ts';
import { breakOf } from '../../core/report/breaks.ts';
import { setupFor } from '../../core/turn/setupFor.ts';
import type { WarmView } from '../../protocol/view.ts';
import type { Session } from '../session/session.ts';
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
    const fitted = await fitNext(turns, session, plan, node, stack);
    if (!idle.still() || session.state.dialog !== dialog) return null;
    pruningsOf(session, () => turns.context.clock.now()).ended(node.slot, fitted.pruned, crossingOf(fitted));
    freezeBundle(session, fitted.stack === setup.fresh ? latest : session.state.bundle);
    const warm = await prefill(turns, session, plan, fitted, idle);
    if (warm === null) return null;
    warmed = { fitted, warm };
  }
  return warmed;
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
