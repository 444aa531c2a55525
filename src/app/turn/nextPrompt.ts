// The prompt that the next message will extend.
import { graphFor } from '../../core/abilities/abilities.ts';
import { answering } from '../../core/agent/graph.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import { budgetFor } from '../../core/prompt/budget.ts';
import type { Fitted } from '../../core/pruning/fitted.ts';
import { project } from '../../core/pruning/projection.ts';
import { pruneStateOf, pruneStateOn } from '../../core/pruning/pruneState.ts';
import { pruneContextOf } from '../../core/pruning/strategy.ts';
import type { Session } from '../session/session.ts';
import { fitNext } from './fitNext.ts';
import { headFor } from './head.ts';
import { bundleFor, digestFor } from './planTurn.ts';
import type { Turns } from './turns.ts';
import { looksAround, toolsNow, turnTools } from './turnTools.ts';

/** The prompt of the answering node. Nothing is let go of yet. */
export async function nextPrompt(turns: Turns, session: Session, info: ModelInfo): Promise<Fitted> {
  const plan = await turns.plan(session, info);
  return fitNext({ ...turns.context, pace: turns.pace }, session, plan, answering(plan.setup.graph));
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
