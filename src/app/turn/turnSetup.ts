// What a turn is set up with: the agent of now, the session's frozen head, and a fresh one where the workspace changed.
import type { Agent } from '../../core/agent/agent.ts';
import { editInstructions } from '../../core/agent/editing.ts';
import type { Graph } from '../../core/agent/graph.ts';
import type { Tool } from '../../core/dialog/tool.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import type { CacheReuse } from '../../core/model/model.ts';
import { type SomeSampling, samplingFor } from '../../core/model/sampling.ts';
import { budgetFor } from '../../core/prompt/budget.ts';
import type { Bundle } from '../../core/prompt/bundle.ts';
import { systemText } from '../../core/prompt/systemText.ts';
import type { Stack } from '../../core/pruning/projection.ts';
import { cacheFor } from '../../core/turn/cache.ts';
import type { ModelSetup, TurnSetup } from '../../core/turn/turnPorts.ts';
import type { Session } from '../session/session.ts';

interface How {
  readonly reuse: CacheReuse;
  readonly graph: Graph;
  /** What the settings say. */
  readonly sampling: SomeSampling;
  /** Said in the head, where that is wanted. */
  readonly day: string;
}

export function turnSetup(
  session: Session,
  agent: Agent,
  info: ModelInfo,
  tools: readonly Tool[],
  latest: Bundle | null,
  { reuse, graph, sampling, day }: How,
): TurnSetup {
  const { policy, switches } = agent;
  const stack = (bundle: Bundle | null) => headFor(session.system, session.state.digest, agent, tools, bundle, day);
  const changed = latest !== null && session.state.bundle !== null && latest.key !== session.state.bundle.key;
  return {
    agent: agent.name,
    graph,
    stack: stack(session.state.bundle),
    ...(changed ? { fresh: stack(latest) } : {}),
    policy,
    switches,
    marks: session.state.marks,
    ...modelSetup(agent, info, { reuse, sampling }),
  };
}

/** What prompts are made for. */
export function modelSetup(
  { policy, switches }: Agent,
  info: ModelInfo,
  { reuse, sampling }: Pick<How, 'reuse' | 'sampling'>,
): ModelSetup {
  return {
    budget: budgetFor(info.contextSize, policy),
    cache: cacheFor(switches.promptCache ? reuse : 'none', info.erases === true),
    syntax: info.toolCalls.format === 'none' ? null : info.toolCalls.syntax,
    sampling: samplingFor(sampling, info.sampling ?? {}),
  };
}

/** The pinned head. The agent's words are those of now, like its tools: whoever changes them wants them in the next prompt. */
export function headFor(
  system: string,
  digest: Session['state']['digest'],
  { instructions, edits }: Agent,
  tools: readonly Tool[],
  bundle: Bundle | null,
  day = '',
): Stack {
  return {
    system: [systemText(system, tools.length > 0, day), edits ? editingText(tools) : '', instructions]
      .filter((text) => text !== '')
      .join('\n'),
    workspace: [...(bundle?.parts ?? []), ...(digest ?? [])],
    tools: tools.map(({ schema }) => schema),
  };
}

function editingText(tools: readonly Tool[]): string {
  return tools.some(({ effect }) => effect === 'write') ? editInstructions.calls : editInstructions.blocks;
}
