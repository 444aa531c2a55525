// The prompt that the next message would extend, before a model is loaded: in estimated tokens, and with nothing more let go.
import { graphFor } from '../../core/abilities/abilities.ts';
import { answering } from '../../core/agent/graph.ts';
import { budgetFor } from '../../core/prompt/budget.ts';
import type { Fitted } from '../../core/pruning/fitted.ts';
import { project } from '../../core/pruning/projection.ts';
import { pruneStateOf, pruneStateOn } from '../../core/pruning/pruneState.ts';
import { pruneContextOf } from '../../core/pruning/strategy.ts';
import type { Session } from '../session/session.ts';
import { headFor } from './head.ts';
import { bundleFor, digestFor } from './planTurn.ts';
import type { Remembered } from './remembered.ts';
import { toolsNow, turnTools } from './turnTools.ts';
import type { TurnsPorts } from './turnWork.ts';

export async function estimated(session: Session, memory: Remembered | null, ports: TurnsPorts): Promise<Fitted> {
  const settings = ports.settings();
  const { agent } = settings;
  const { policy } = agent;
  const budget = budgetFor(ports.wantedWindow(), policy);
  const bundle = session.state.bundle ?? (await bundleFor(ports, budget));
  const digest = session.state.digest ?? (await digestFor(session, memory, ports, budget));
  const graph = graphFor(agent, null);
  const now = toolsNow(session, ports, agent, null);
  const frozen = session.state.tools ?? now.map(({ schema }) => schema);
  const tools = turnTools(session, frozen, now, settings, graph, null);
  const stack = headFor(session.system, digest, agent, tools, bundle);
  const { path } = session.state.dialog;
  const node = answering(graph);
  const held = pruneStateOn(path, pruneStateOf(session.state.held, node.slot));
  const prompt = project(stack, path, held, node);
  const measure = await ports.estimate(prompt);
  const room = pruneContextOf({ path, policy, marks: session.state.marks, budget }, prompt, measure);
  return { prompt, measure, held, stack, node, budget, room, before: measure.total };
}
