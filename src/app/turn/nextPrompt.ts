// The prompt that the next message will extend.
import { graphFor } from '../../core/abilities/abilities.ts';
import { answering, type GraphNode } from '../../core/agent/graph.ts';
import { compacts } from '../../core/agent/mechanisms.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import { budgetFor } from '../../core/prompt/budget.ts';
import { fitAhead } from '../../core/pruning/fitPrompt.ts';
import type { Fitted } from '../../core/pruning/fitted.ts';
import { project, type Stack } from '../../core/pruning/projection.ts';
import { pruneStateOf, pruneStateOn } from '../../core/pruning/pruneState.ts';
import { pruneContextOf } from '../../core/pruning/strategy.ts';
import { headroomFor } from '../../core/turn/cache.ts';
import { setupFor } from '../../core/turn/setupFor.ts';
import type { Attachment } from '../../core/turn/turnPorts.ts';
import type { Session } from '../session/session.ts';
import { headFor } from './head.ts';
import { bundleFor, digestFor, setupNow, type TurnPlan } from './planTurn.ts';
import type { Turns } from './turns.ts';
import { looksAround, toolsNow, turnTools } from './turnTools.ts';
import { settlingOf } from './warmth.ts';

/** The prompt of the answering node. Nothing is let go of yet. */
export async function nextPrompt(turns: Turns, session: Session, info: ModelInfo): Promise<Fitted> {
  const plan = await turns.plan(session, info);
  return fitNext(turns, session, plan, answering(plan.setup.graph));
}

/** A head that was renewed meanwhile, and what will stand in front of the next message's words. */
interface Ahead {
  readonly stack: Stack;
  readonly beside: readonly Attachment[];
  /** The words themselves; '' where only what stands in front of them counts. */
  readonly words: string;
}

/** The prompt of one node, trimmed as the next message would trim it; the session keeps what it has. */
export async function fitNext(
  { context, pace }: Turns,
  session: Session,
  plan: TurnPlan,
  node: GraphNode,
  { stack = plan.setup.stack, beside = [], words = '' }: Partial<Ahead> = {},
): Promise<Fitted> {
  const { dialog, pruned } = session.state;
  const setup = setupFor({ ...setupNow(plan, session), stack }, node.slot);
  const { engine, snapshots } = plan.at(node.slot);
  const compactionId =
    beside.length === 0 && compacts(setup.switches, setup.budget.window) ? context.clock.newId() : null;
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
    words,
    ...ahead,
  };
  return fitAhead(request, engine.measure);
}

/** The same before a model is loaded: only to be shown, in estimated tokens, and with nothing more let go. */
export async function estimatedPrompt({ context, tokens }: Turns, session: Session): Promise<Fitted> {
  const settings = context.settings();
  const { agent } = settings;
  const { policy } = agent;
  const budget = budgetFor(settings.wantedWindow, policy);
  const graph = graphFor(agent, null);
  const bundle = session.state.bundle ?? (await bundleFor(context.project.context, budget, looksAround(graph, null)));
  const digest = session.state.digest ?? (await digestFor(session, context, budget));
  const now = toolsNow(session, context, settings, null);
  const frozen = session.state.tools ?? now.map(({ schema }) => schema);
  const tools = turnTools(session, frozen, now, settings, graph, null);
  const stack = headFor(session.system, digest, agent, tools, bundle);
  const { path } = session.state.dialog;
  const node = answering(graph);
  const pruned = pruneStateOn(path, pruneStateOf(session.state.pruned, node.slot));
  const prompt = project(stack, path, pruned, node);
  const measure = await tokens.estimate(prompt);
  const pruneContext = pruneContextOf({ path, policy, marks: session.state.marks, budget }, prompt, measure);
  return { prompt, measure, pruned, stack, node, budget, context: pruneContext, before: measure.total };
}
