// On which engines agents may run: on those that the settings name, and only where the user's own settings say so. A repository must not choose
// where code is sent.
import { t } from '@vscode/l10n';
import type { AgentSettings } from './agentsSchema.ts';

type Agents = Readonly<Record<string, AgentSettings>>;

/** What the user's own settings say, whatever the workspace says over them. */
export interface OwnAgents {
  /** Of `tidemark.agents`, as it is. */
  readonly agents: unknown;
  /** Whether the agent that answers was chosen by the workspace. */
  readonly isForeignChoice: boolean;
}

/** The agents, without engines that there are not, or that the workspace names. `names`: the engines there are. */
export function withAllowedEngines(
  agents: Agents,
  own: OwnAgents,
  chosen: string,
  names: readonly string[],
  complain: (message: string) => void,
): Agents {
  return Object.fromEntries(
    Object.entries(agents).map(([name, said]) => {
      const named = enginesIn(said);
      if (named.length === 0) return [name, said];
      const isForeign = !isOwn(name, said, own.agents) || (own.isForeignChoice && name === chosen);
      if (isForeign)
        complain(
          t(
            'tidemark.agents: the agent "{0}" names an engine, which only your own settings may do, not those of a workspace. It runs on the one of tidemark.engine.',
            name,
          ),
        );
      const unknown = isForeign ? undefined : named.find((engine) => !names.includes(engine));
      if (unknown !== undefined)
        complain(
          t(
            'tidemark.agents: the agent "{0}" names the engine "{1}", but there are {2}. It runs on the one of tidemark.engine.',
            name,
            unknown,
            names.join(', '),
          ),
        );
      return [name, isForeign || unknown !== undefined ? withoutEngines(said) : said];
    }),
  );
}

/** Names of the engines that it names. */
export function enginesIn({ engine, graph }: AgentSettings): readonly string[] {
  const nodes = typeof graph === 'object' ? graph : [];
  return [engine, ...nodes.map((node) => node.engine)].filter((name) => name !== undefined);
}

/** How many of its nodes run on an engine; a summary counts where another one answers. */
export function nodesOn(name: string, { engine, graph = 'unified' }: AgentSettings): number {
  if (typeof graph === 'string') return engine !== name ? 0 : graph === 'split' ? 2 : 1;
  const asking = graph.filter(({ do: kind }) => kind !== 'retrieve' && kind !== 'summarise');
  const answers = asking.at(-1)?.engine ?? engine;
  const summarises = graph.some((node) => node.do === 'summarise' && node.engine === name) && answers !== name;
  return asking.filter((node) => (node.engine ?? engine) === name).length + (summarises ? 1 : 0);
}

function isOwn(name: string, said: AgentSettings, own: unknown): boolean {
  const mine = typeof own === 'object' && own !== null ? (own as Readonly<Record<string, unknown>>)[name] : undefined;
  return JSON.stringify(sorted(mine)) === JSON.stringify(sorted(said));
}

/** The order of members says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, of]) => [name, sorted(of)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function withoutEngines({ engine: _, ...said }: AgentSettings): AgentSettings {
  if (typeof said.graph !== 'object') return said;
  return { ...said, graph: said.graph.map(({ engine: _own, ...node }) => node) };
}
