// The agent that answers, from the settings: the global ones, and over them what the chosen agent says itself.
import { type Agent, defaultAgent } from '../core/agent.ts';
import type { Policy } from '../core/budget.ts';
import { graphs } from '../core/graph.ts';
import { defaultRetrieval } from '../core/knowledge.ts';
import type { Switches } from '../core/mechanisms.ts';
import type { AgentSettings } from './agentsSchema.ts';

/** The agents there are without any setting. `split` is for models that call tools badly. */
const shipped: Readonly<Record<string, AgentSettings>> = {
  default: { graph: 'unified' },
  split: { graph: 'split' },
};

export function chooseAgent(
  name: string,
  own: Readonly<Record<string, AgentSettings>>,
  global: { readonly policy: Policy; readonly switches: Switches },
  complain: (message: string) => void,
): Agent {
  const known = { ...shipped, ...own };
  const chosen = Object.hasOwn(known, name) ? known[name] : undefined;
  if (chosen === undefined) {
    complain(`There is no agent "${name}": tidemark.agent may be ${Object.keys(known).join(', ')}. "default" is used.`);
  }
  const said = chosen ?? shipped.default ?? {};
  const { promptCache, tokenCounter, workspaceCache } = global.switches;
  return {
    name: chosen === undefined ? defaultAgent.name : name,
    graph: graphs[said.graph ?? 'unified'],
    policy: { ...global.policy, ...said.context },
    switches: {
      promptCache: said.promptCache ?? promptCache,
      tokenCounter: said.tokenCounter ?? tokenCounter,
      workspaceCache: said.workspaceCache ?? workspaceCache,
    },
    tools: said.tools ?? null,
    instructions: said.instructions ?? '',
    retrieval: said.knowledge === undefined ? null : { ...defaultRetrieval, ...said.knowledge },
  };
}
