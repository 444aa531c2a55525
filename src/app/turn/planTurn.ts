// Plans a turn: what is decided before the model is asked, as one value. A message, the idle work behind it, its forecast and whatever shows
// the next prompt use the same plan, as long as nothing that it was made from has changed.

import { graphFor } from '../../core/abilities/abilities.ts';
import type { Agent } from '../../core/agent/agent.ts';
import type { Graph } from '../../core/agent/graph.ts';
import { modelAgent } from '../../core/agent/modelAgent.ts';
import type { ConversationState } from '../../core/conversation/conversation.ts';
import { dayOf } from '../../core/dialog/day.ts';
import type { ThinkingMode } from '../../core/dialog/dialog.ts';
import type { Tool } from '../../core/dialog/tool.ts';
import { type ModelInfo, modelLabel } from '../../core/engine/modelInfo.ts';
import { digestOf } from '../../core/memory/digest.ts';
import type { MemoryStore } from '../../core/memory/memory.ts';
import { samplingFor } from '../../core/model/sampling.ts';
import { type Budget, budgetFor } from '../../core/prompt/budget.ts';
import type { Bundle, BundlePart } from '../../core/prompt/bundle.ts';
import type { TokenCounter } from '../../core/prompt/counter.ts';
import { cacheFor } from '../../core/turn/cache.ts';
import type { ModelSetup, TurnSetup } from '../../core/turn/turnPorts.ts';
import { advisedSampling, thinkingNow, thoughtTokensFor } from '../model/thinkingNow.ts';
import type { ChatSettings } from '../ports/chatSettings.ts';
import type { Clock } from '../ports/clock.ts';
import type { Project, WorkspaceContext } from '../ports/project.ts';
import type { Session } from '../session/session.ts';
import type { AgentEngines, WindowEngine } from '../slots/windowEngines.ts';
import { headFor } from './head.ts';
import { isCompacted } from './recall.ts';
import { looksAround, toolsNow, turnTools } from './turnTools.ts';

/** An engine, and the model that is loaded in it. */
export interface Loaded extends WindowEngine {
  readonly info: ModelInfo;
}

export interface TurnPlan {
  readonly settings: ChatSettings;
  /** All but the marks, which the user sets at any time. */
  readonly setup: Omit<TurnSetup, 'marks'>;
  /** The engine and model of a node, by its slot, and of the node that answers. */
  readonly at: (slot: number) => Loaded;
  readonly main: Loaded;
  /** The smallest of the nodes' budgets: the head, and what is found for a message, must fit there. */
  readonly least: Budget;
  readonly tools: readonly Tool[];
  /** The head that the conversation keeps from now on. */
  readonly frozen: Pick<ConversationState, 'bundle' | 'digest' | 'tools'>;
  /** The newest workspace texts; null where none may be in the prompt. */
  readonly latest: Bundle | null;
  /** Everything that the plan was made from: one whose parts are the same is the same plan. */
  readonly parts: readonly unknown[];
}

/** Services that the turns and the idle work of a conversation use. */
export interface AgentContext {
  readonly engines: AgentEngines;
  /** The stored memory and work board; null where nothing is stored. */
  readonly memory: Remembered | null;
  /** With the agent of this conversation. */
  readonly settings: () => ChatSettings;
  readonly project: Project;
  /** Counts as the model does that answers. */
  readonly counter: TokenCounter;
  readonly clock: Clock;
}

/** With the marks of now. */
export function setupNow({ setup }: Pick<TurnPlan, 'setup'>, { state }: Session): TurnSetup {
  return { ...setup, marks: state.marks };
}

/** The server that reads the prompt, or one of them; null where this machine alone does. */
export function serverReading({ setup, at }: Pick<TurnPlan, 'setup' | 'at'>): string | null {
  const servers = setup.graph.nodes.flatMap(({ slot }) => at(slot).info.server?.host ?? []);
  return servers[0] ?? null;
}

/**
 * Loads the models of all nodes. Gives `last` where it was made from the same parts.
 * @throws {FaultError} where a model cannot be loaded
 */
export async function planTurn(
  session: Session,
  context: AgentContext,
  loaded: ModelInfo,
  last: TurnPlan | null = null,
): Promise<TurnPlan> {
  const { engines, project, clock } = context;
  const settings = context.settings();
  const { agent } = settings;
  const answering = engines.answering(agent);
  // Settings may have changed since the model was asked for.
  const info = answering.life.loaded === loaded ? loaded : await answering.life.ensure();
  const main = { ...answering, info };
  const nature = engines.abilities.of(info);
  const graph = graphFor(agent, nature);
  const thinking = thinkingNow(settings, session.state.choices, info, nature);
  const others = await othersOf(engines, agent, graph, main);
  const at = (slot: number) => others.get(slot) ?? main;
  const least = budgetFor(Math.min(...[main, ...others.values()].map((one) => one.info.contextSize)), agent.policy);
  const { info: caller } = at(graph.nodes[0].slot);
  const now = toolsNow(session, context, settings, caller);
  const latest = await bundleFor(project.context, least, looksAround(graph, caller));
  const { state } = session;
  const digest = state.digest ?? (await digestFor(session, context, least));
  // A frozen bundle goes, too, where no workspace text may be in the prompt.
  const bundle = latest === null ? null : (state.bundle ?? latest);
  const frozen = { bundle, digest, tools: state.tools ?? now.map(({ schema }) => schema) };
  const day = modelAgent(info.name)?.dayIn === 'head' ? dayOf(clock.now()) : '';
  const infos = graph.nodes.map(({ slot }) => at(slot).info);
  const named = now.map(({ schema }) => schema.name);
  const head = [session.system, bundle, latest?.key, digest, frozen.tools, isCompacted(state), day, thinking];
  const parts = [settings, graph, answering.life, info, ...infos, ...named, ...head];
  if (last?.parts.length === parts.length && last.parts.every((part, i) => Object.is(part, parts[i]))) return last;
  const tools = turnTools(session, frozen.tools, now, settings, graph, caller);
  const stack = (texts: Bundle | null) => ({
    ...headFor(session.system, digest, agent, tools, texts, day),
    ...(thinking === null ? {} : { thinking }),
  });
  const setup = {
    agent: agent.name,
    graph,
    stack: stack(bundle),
    ...(latest !== null && latest.key !== bundle?.key ? { fresh: stack(latest) } : {}),
    policy: agent.policy,
    switches: agent.switches,
    ...modelSetup(settings, info, thinking),
    ...modelsOf(settings, main, others, thinking),
  };
  return { settings, setup, at, main, least, tools, frozen, latest, parts };
}

/** The models of nodes that another one than the answering node's runs, by the nodes' slots. */
async function othersOf(
  engines: AgentEngines,
  agent: Agent,
  { nodes }: Graph,
  main: Loaded,
): Promise<ReadonlyMap<number, Loaded>> {
  const others = new Map<number, Loaded>();
  for (const node of nodes) {
    const at = engines.of(agent, node);
    if (at.life !== main.life) others.set(node.slot, { ...at, info: await at.life.ensure() });
  }
  return others;
}

/** Names for the report of a turn that asks several models. */
function modelsOf(
  settings: ChatSettings,
  main: Loaded,
  others: ReadonlyMap<number, Loaded>,
  thinking: ThinkingMode | null,
) {
  if (others.size === 0) return {};
  const named = ({ info }: Loaded) => ({ ...modelSetup(settings, info, thinking), model: modelLabel(info) });
  return { model: modelLabel(main.info), others: new Map([...others].map(([slot, one]) => [slot, named(one)])) };
}

function modelSetup(settings: ChatSettings, info: ModelInfo, thinking: ThinkingMode | null): ModelSetup {
  const { policy, switches } = settings.agent;
  const { reuse, sampling } = settings;
  const thoughtTokens = thoughtTokensFor(settings, info, thinking);
  return {
    budget: budgetFor(info.contextSize, policy, thoughtTokens),
    cache: cacheFor(switches.promptCache ? reuse : 'none', info.erases === true),
    syntax: info.toolCalls.format === 'none' ? null : info.toolCalls.syntax,
    ...(info.thinking === undefined ? {} : { thoughts: info.thinking.marks }),
    ...(thoughtTokens === undefined ? {} : { thoughtTokens }),
    sampling: samplingFor(sampling, advisedSampling(info, thinking)),
  };
}

/** The workspace texts that the head has from now on. */
export function freezeBundle(session: Session, bundle: Bundle | null): void {
  const { digest, tools } = session.state;
  session.apply({ type: 'headFrozen', bundle, digest, tools });
}

/** The workspace texts; null where there is no space for any. */
export async function bundleFor(
  texts: WorkspaceContext,
  { workspaceCap }: Budget,
  looksAround: boolean,
): Promise<Bundle | null> {
  return workspaceCap === 0 ? null : texts.bundle(workspaceCap, looksAround);
}

/** Returns the memory and the work board as parts of the head; none where the settings switch them off. */
export async function digestFor(
  { workspace }: Session,
  { memory, settings, counter }: AgentContext,
  { high }: Budget,
): Promise<readonly BundlePart[]> {
  return settings().memory ? remembered(memory, workspace, high, counter) : [];
}

// The memory and the work board as they stand in the head of a conversation.

/** A turn reads what is remembered and never writes it. */
export type Remembered = Pick<MemoryStore, 'memories' | 'work' | 'decisions'>;

/** The largest share of the high-water mark that the memory and the work board take together. */
const share = 0.05;

/** Nothing without a store. */
async function remembered(
  store: Remembered | null,
  workspace: string,
  high: number,
  counter: TokenCounter,
): Promise<readonly BundlePart[]> {
  if (store === null) return [];
  try {
    const kept = {
      memories: store.memories(workspace),
      work: store.work(workspace),
      decisions: store.decisions(workspace),
    };
    return (await digestOf(kept, Math.floor(high * share), counter)).parts;
  } catch {
    // A failing store is reported when it is written to; the conversation goes on without its notes until the head is refreshed.
    return [];
  }
}
