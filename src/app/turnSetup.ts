// What a turn is set up with: the agent of now, the session's frozen head, and a fresh one where the workspace changed.
import type { Agent } from '../core/agent.ts';
import { budgetFor } from '../core/budget.ts';
import type { Bundle } from '../core/bundle.ts';
import { cacheFor } from '../core/cache.ts';
import type { CacheReuse } from '../core/model.ts';
import type { Stack } from '../core/projection.ts';
import type { Tool } from '../core/tool.ts';
import type { TurnSetup } from '../core/turnPorts.ts';
import type { ModelInfo } from '../protocol/engine.ts';
import type { Session } from './session.ts';

export function turnSetup(
  session: Session,
  agent: Agent,
  info: ModelInfo,
  tools: readonly Tool[],
  latest: Bundle | null,
  reuse: CacheReuse,
): TurnSetup {
  const { policy, switches, graph } = agent;
  const stack = (bundle: Bundle | null) => headFor(session, agent, tools, bundle);
  const changed = latest !== null && session.bundle !== null && latest.key !== session.bundle.key;
  return {
    agent: agent.name,
    graph,
    stack: stack(session.bundle),
    ...(changed ? { fresh: stack(latest) } : {}),
    budget: budgetFor(info.contextSize, policy),
    policy,
    switches,
    marks: session.marks,
    cache: cacheFor(switches.promptCache ? reuse : 'none', info.erases === true),
    syntax: info.toolCalls.format === 'none' ? null : info.toolCalls.syntax,
  };
}

/** The pinned head. The agent's words are those of now, like its tools: whoever changes them wants them in the next prompt. */
export function headFor(
  { system, digest }: Pick<Session, 'system' | 'digest'>,
  { instructions }: Agent,
  tools: readonly Tool[],
  bundle: Bundle | null,
): Stack {
  return {
    system: instructions === '' ? system : `${system}\n${instructions}`,
    workspace: [...(bundle?.parts ?? []), ...(digest ?? [])],
    tools: tools.map(({ schema }) => schema),
  };
}

/** The agent's tools, sorted by name; none for a model that cannot call. Null is a model that is not loaded yet. */
export function toolsFor(agent: Agent, info: ModelInfo | null, all: readonly Tool[]): readonly Tool[] {
  if (info?.toolCalls.format === 'none') return [];
  const wanted = agent.tools === null ? all : all.filter(({ schema }) => agent.tools?.includes(schema.name));
  return wanted.toSorted((a, b) => (a.schema.name < b.schema.name ? -1 : 1));
}
