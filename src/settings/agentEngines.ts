// On which engines agents may run: on those that the settings name, and only as the user's own settings say. A repository must not choose where
// code is sent.
import { t } from '@vscode/l10n';
import type { AgentSettings } from './agentsSchema.ts';
import { localEngine } from './servers.ts';

type Agents = Readonly<Record<string, AgentSettings>>;

/**
 * `all`: the agents as the workspace has them, `own`: as the user's own settings alone do. One that names an engine, here or there, is the user's
 * own; what the workspace says of it counts for nothing. Left out is what only the workspace has, and what names an engine that there is not. `names`: the
 * engines there are.
 */
export function withOwnEngines(
  all: Agents,
  own: Agents,
  names: readonly string[],
  complain: (message: string) => void,
): Agents {
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, said]) => {
      const mine = Object.hasOwn(own, name) ? own[name] : undefined;
      const named = [said, mine].some((one) => one !== undefined && enginesIn(one).length > 0);
      if (!named) return [[name, said]];
      if (mine === undefined) {
        complain(
          t(
            'tidemark.agents: the agent "{0}" is left out, because it names an engine, which only your own settings may do.',
            name,
          ),
        );
        return [];
      }
      const unknown = enginesIn(mine).find((engine) => !names.includes(engine));
      if (unknown !== undefined) {
        const known = names.join(', ');
        complain(
          t(
            'tidemark.agents: the agent "{0}" is left out, because there is no engine "{1}": there are {2}.',
            name,
            unknown,
            known,
          ),
        );
        return [];
      }
      if (!isSame(mine, said))
        complain(
          t(
            'tidemark.agents: what this workspace says of the agent "{0}" is not used, because that agent names an engine.',
            name,
          ),
        );
      return [[name, mine]];
    }),
  );
}

/** Whether a workspace may choose the agent: not where a part of it runs on a server that is not the one for all. */
export function mayBeChosen(said: AgentSettings | undefined, main: string): boolean {
  return said === undefined || enginesIn(said).every((engine) => engine === localEngine || engine === main);
}

/** Names of the engines that it names. */
export function enginesIn({ engine, graph }: AgentSettings): readonly string[] {
  const nodes = typeof graph === 'object' ? graph : [];
  return [engine, ...nodes.map((node) => node.engine)].filter((name) => name !== undefined);
}

/** How many of its nodes run on an engine; a summary counts where another one answers. `main`: the engine of what names none. */
export function nodesOn(name: string, { engine, graph = 'unified' }: AgentSettings, main: string): number {
  const isHere = (named: string | undefined) => (named ?? engine ?? main) === name;
  if (typeof graph === 'string') return isHere(undefined) ? (graph === 'split' ? 2 : 1) : 0;
  const asking = graph.filter(({ do: kind }) => kind !== 'retrieve' && kind !== 'summarise');
  const answersHere = isHere(asking.at(-1)?.engine);
  const writer = graph.find((node) => node.do === 'summarise')?.engine;
  const summarisesHere = writer === name && !answersHere;
  return asking.filter((node) => isHere(node.engine)).length + (summarisesHere ? 1 : 0);
}

/** The order of members says nothing. */
function isSame(a: AgentSettings, b: AgentSettings): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, of]) => [name, sorted(of)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
