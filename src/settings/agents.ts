// The agent that answers, from the settings: the global ones, and over them what the chosen agent says itself.

import { t } from '@vscode/l10n';
import { type Agent, defaultAgent } from '../core/agent/agent.ts';
import { compose, compositionProblem } from '../core/agent/compose.ts';
import { graphs } from '../core/agent/graph.ts';
import type { Switches } from '../core/agent/mechanisms.ts';
import type { Policy } from '../core/prompt/budget.ts';
import { defaultRetrieval, templateProblem } from '../core/prompt/knowledge.ts';
import { isRecord } from '../core/record.ts';
import { type AgentSettings, agentsSchema } from './agentsSchema.ts';
import { problemIn } from './schemaProblem.ts';

/** The shipped agent that may change files. */
export const editAgent = 'edit';

/** The agents there are without any setting: one whose graph suits the model, the same with changes, and each graph by its name. */
const shipped: Readonly<Record<string, AgentSettings>> = {
  default: {},
  edit: {},
  unified: { graph: 'unified' },
  guided: { graph: 'guided' },
  split: { graph: 'split' },
};

/** The agents that can be used; each other one is left out with words about it. */
export function soundAgents(
  value: unknown,
  complain: (message: string) => void,
): Readonly<Record<string, AgentSettings>> {
  if (!isRecord(value)) {
    complain(t('tidemark.agents must be an object with a member for each agent. None is used.'));
    return {};
  }
  const sound = Object.entries(value).filter(([name, said]) => {
    const problem = problemIn(agentsSchema, said) ?? ownProblem(said as AgentSettings);
    if (problem !== null) complain(t('tidemark.agents: the agent "{0}" is left out, because {1}.', name, problem));
    return problem === null;
  });
  return Object.fromEntries(sound) as Record<string, AgentSettings>;
}

function ownProblem({ graph, knowledge }: AgentSettings): string | null {
  const nodes = typeof graph === 'object' ? graph : [];
  const templates = [knowledge, ...nodes].flatMap((said) =>
    said === undefined || said === false ? [] : [said.template],
  );
  const wrong = templates.flatMap((template) => (template == null ? [] : (templateProblem(template) ?? [])));
  return (nodes.length === 0 ? null : compositionProblem(nodes)) ?? wrong[0] ?? null;
}

/** The seed's own form of a switch is a plain yes or no. */
function compactionOf(said: AgentSettings['compaction']): Switches['compaction'] | undefined {
  return typeof said === 'boolean' ? (said ? 'on' : 'off') : said;
}

export function chooseAgent(
  name: string,
  own: Readonly<Record<string, AgentSettings>>,
  global: { readonly policy: Policy; readonly switches: Switches },
  complain: (message: string) => void,
): Agent {
  const known = { ...shipped, ...own };
  const chosen = Object.hasOwn(known, name) ? known[name] : undefined;
  if (chosen === undefined) {
    const names = Object.keys(known).join(', ');
    complain(t('There is no agent "{0}": tidemark.agent may be {1}. "default" is used.', name, names));
  }
  const said = chosen ?? shipped.default ?? {};
  const { promptCache, tokenCounter, workspaceCache, compaction } = global.switches;
  const composed = typeof said.graph === 'object' ? compose(said.graph) : null;
  const knowledge = composed === null ? said.knowledge : (composed.retrieval ?? false);
  return {
    name: chosen === undefined ? defaultAgent.name : name,
    graph: composed?.graph ?? (typeof said.graph === 'string' ? graphs[said.graph] : null),
    policy: { ...global.policy, ...said.context },
    switches: {
      promptCache: said.promptCache ?? promptCache,
      tokenCounter: said.tokenCounter ?? tokenCounter,
      workspaceCache: said.workspaceCache ?? workspaceCache,
      compaction: composed?.summarises === false ? 'off' : (compactionOf(said.compaction) ?? compaction),
    },
    tools: said.tools ?? null,
    instructions: said.instructions ?? '',
    edits: name === editAgent,
    retrieval: knowledge === false ? null : { ...defaultRetrieval, ...knowledge },
    engine: said.engine ?? null,
    summarises: composed?.summarises === true,
    summariser: composed?.summariser ?? null,
  };
}
