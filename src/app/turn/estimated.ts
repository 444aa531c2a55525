// The prompt that the next message would extend, before a model is loaded: in estimated tokens, and with nothing more let go.
import { graphFor } from '../../core/abilities/abilities.ts';
import { answering } from '../../core/agent/graph.ts';
import { budgetFor } from '../../core/prompt/budget.ts';
import type { Fitted } from '../../core/pruning/fitted.ts';
import { project } from '../../core/pruning/projection.ts';
import { pruneStateOf, pruneStateOn } from '../../core/pruning/pruneState.ts';
import { pruneContextOf } from '../../core/pruning/strategy.ts';
import type { TokenCounting } from '../ports/tokens.ts';
import type { Session } from '../session/session.ts';
import { headFor } from './head.ts';
import { type AgentContext, bundleFor, digestFor } from './planTurn.ts';
import { looksAround, toolsNow, turnTools } from './turnTools.ts';

export async function estimated(
  session: Session,
  context: AgentContext,
  tokens: Pick<TokenCounting, 'estimate'>,
): Promise<Fitted> {
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
