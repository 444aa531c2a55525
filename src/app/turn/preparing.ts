// What a request is set up with: the agent of now, the models that its nodes run on, loaded, and the head that the conversation was frozen with.

import { graphFor } from '../../core/abilities/abilities.ts';
import type { Agent } from '../../core/agent/agent.ts';
import type { Graph } from '../../core/agent/graph.ts';
import { modelAgent } from '../../core/agent/modelAgent.ts';
import { dayOf } from '../../core/dialog/day.ts';
import type { Tool } from '../../core/dialog/tool.ts';
import { type ModelInfo, modelLabel } from '../../core/engine/modelInfo.ts';
import { type Budget, budgetFor } from '../../core/prompt/budget.ts';
import type { Bundle, BundlePart } from '../../core/prompt/bundle.ts';
import type { TurnSetup } from '../../core/turn/turnPorts.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import type { Session } from '../session/session.ts';
import type { AgentEngines, WindowEngine } from '../slots/windowEngines.ts';
import { type Remembered, remembered } from './remembered.ts';
import { modelSetup, turnSetup } from './turnSetup.ts';
import { toolsNow, turnTools } from './turnTools.ts';

/** What a request is set up with, the tools that its prompt names, and the newest workspace texts that were known then. */
export interface Prepared {
  readonly setup: TurnSetup;
  /** Where a node runs, by its slot, and the node that answers. */
  readonly at: (slot: number) => Loaded;
  readonly main: Loaded;
  /** The smallest of the nodes' budgets: what stands in all their prompts, and what is found for a message, must fit there. */
  readonly least: Budget;
  readonly tools: readonly Tool[];
  readonly latest: Bundle | null;
  readonly agent: Agent;
}

/** An engine, and the model that is loaded in it. */
export interface Loaded extends WindowEngine {
  readonly info: ModelInfo;
}

/** The server that reads the prompt, or one of them; null where this machine alone does. */
export function serverReading({ setup, at }: Pick<Prepared, 'setup' | 'at'>): string | null {
  const servers = setup.graph.nodes.flatMap(({ slot }) => at(slot).info.server?.host ?? []);
  return servers[0] ?? null;
}

export class Preparing {
  private readonly engines: AgentEngines;
  private readonly ports: ConversationPorts;
  private readonly shelves: Remembered | null;

  constructor(engines: AgentEngines, ports: ConversationPorts, shelves: Remembered | null) {
    this.engines = engines;
    this.ports = ports;
    this.shelves = shelves;
  }

  /** All models that the agent's nodes run on are loaded then. Rejects with a FaultError. */
  async prepare(session: Session, loaded: ModelInfo): Promise<Prepared> {
    const { agent, reuse, sampling } = this.ports.settings();
    const main = await this.mainOf(agent, loaded);
    const { info } = main;
    const graph = graphFor(agent, this.ports.abilities.of(info));
    const others = await this.othersOf(agent, graph, main);
    const at = (slot: number) => others.get(slot) ?? main;
    const { info: caller } = at(graph.nodes[0].slot);
    const windows = [main, ...others.values()].map((one) => one.info.contextSize);
    const least = budgetFor(Math.min(...windows), agent.policy);
    const latest = await this.bundle(least);
    const digest = session.state.digest ?? (await this.digest(session, least));
    // Where nothing may be injected, what was frozen goes too.
    const bundle = latest === null ? null : (session.state.bundle ?? latest);
    const now = toolsNow(session, this.ports, agent, caller);
    const frozen = session.state.tools ?? now.map(({ schema }) => schema);
    session.apply({ type: 'headFrozen', bundle, digest, tools: frozen });
    const tools = turnTools(session, now, this.ports.settings(), graph, caller);
    const day = modelAgent(info.name)?.dayIn === 'head' ? dayOf(this.ports.now()) : '';
    const own = turnSetup(session, agent, info, tools, latest, { reuse, graph, sampling, day });
    const of = (other: Loaded) => ({
      ...modelSetup(agent, other.info, { reuse, sampling }),
      model: modelLabel(other.info),
    });
    const models = new Map([...others].map(([slot, other]) => [slot, of(other)]));
    const setup = others.size === 0 ? own : { ...own, model: modelLabel(info), others: models };
    return { setup, latest, tools, agent, at, main, least };
  }

  /** Settings may have changed since the model was asked for. */
  private async mainOf(agent: Agent, loaded: ModelInfo): Promise<Loaded> {
    const at = this.engines.answering(agent);
    const info = at.life.loaded === loaded ? loaded : await at.life.ensure();
    return { ...at, info };
  }

  /** Those that run nodes in place of the one that answers, by the nodes' slots. */
  private async othersOf(agent: Agent, { nodes }: Graph, main: Loaded): Promise<ReadonlyMap<number, Loaded>> {
    const others = new Map<number, Loaded>();
    for (const node of nodes) {
      const at = this.engines.of(agent, node);
      if (at.life !== main.life) others.set(node.slot, { ...at, info: await at.life.ensure() });
    }
    return others;
  }

  /** The workspace texts; null where there is no room for any. */
  async bundle({ workspaceCap }: Budget): Promise<Bundle | null> {
    return workspaceCap === 0 ? null : this.ports.workspaceContext.bundle(workspaceCap);
  }

  /** What is remembered, and the work board. */
  async digest({ workspace }: Session, { high }: Budget): Promise<readonly BundlePart[]> {
    const { settings, counter } = this.ports;
    return settings().memory ? remembered(this.shelves, workspace, high, counter) : [];
  }
}
