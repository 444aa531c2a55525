// The prompt that the next message will extend, for one node of a plan.
import type { GraphNode } from '../../core/agent/graph.ts';
import { compacts } from '../../core/agent/mechanisms.ts';
import type { Pace } from '../../core/kv/pace.ts';
import { fitAhead } from '../../core/pruning/fitPrompt.ts';
import type { Fitted } from '../../core/pruning/fitted.ts';
import type { Stack } from '../../core/pruning/projection.ts';
import { pruneStateOf } from '../../core/pruning/pruneState.ts';
import { headroomFor } from '../../core/turn/cache.ts';
import { setupFor } from '../../core/turn/setupFor.ts';
import type { Attachment } from '../../core/turn/turnPorts.ts';
import type { Session } from '../session/session.ts';
import { type AgentContext, setupNow, type TurnPlan } from './planTurn.ts';
import { settlingOf } from './warmth.ts';

/** Services that make a prompt, and how fast prompts are read. */
export type PacedContext = AgentContext & { readonly pace: Pace };

/** A head that was renewed meanwhile, and what will stand in front of the next message's words. */
interface Ahead {
  readonly stack: Stack;
  readonly beside: readonly Attachment[];
}

/** The prompt of one node, trimmed as the next message would trim it; the session keeps what it has. */
export async function fitNext(
  { clock, pace }: PacedContext,
  session: Session,
  plan: TurnPlan,
  node: GraphNode,
  { stack = plan.setup.stack, beside = [] }: Partial<Ahead> = {},
): Promise<Fitted> {
  const { dialog, pruned } = session.state;
  const setup = setupFor({ ...setupNow(plan, session), stack }, node.slot);
  const { engine, snapshots } = plan.at(node.slot);
  const compactionId = beside.length === 0 && compacts(setup.switches, setup.budget.window) ? clock.newId() : null;
  const { cache, budget } = setup;
  const { settleMilliseconds } = plan.settings;
  const again = snapshots.slots.of(session, node.slot)?.approximate ?? 0;
  const ahead = {
    erases: cache.erases,
    // A compaction is asked of the model long before high water; by rules it comes as late as it can.
    headroom: compactionId === null && beside.length === 0 ? headroomFor(cache, session.state.grown, budget) : 0,
    ...(cache.reuse === 'auto' ? { settling: settlingOf(again, pace, settleMilliseconds) } : {}),
  };
  const request = {
    ...setup,
    path: dialog.path,
    pruned: pruneStateOf(pruned, node.slot),
    node,
    compactionId,
    beside,
    ...ahead,
  };
  return fitAhead(request, engine.measure);
}
