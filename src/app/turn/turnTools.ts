// The tools of a turn: what the window has, in the words that the conversation's head was frozen with, less what the user switched off.
import type { Agent } from '../../core/agent/agent.ts';
import { editToolNames } from '../../core/agent/editing.ts';
import { callsTools, type Graph } from '../../core/agent/graph.ts';
import { modelAgent, trainedTools } from '../../core/agent/modelAgent.ts';
import { planToolName } from '../../core/dialog/plan.ts';
import type { LookingTool, Tool, ToolSchema } from '../../core/dialog/tool.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import type { ChatSettings } from '../ports/chatSettings.ts';
import type { Session } from '../session/session.ts';
import { planTool } from './planTool.ts';
import { recallTools } from './recall.ts';
import { indexed, type SearchContext } from './searchTool.ts';

/** Returns the tools of now, with one for plans where files can be changed; `info` is null while no model is loaded. */
export function toolsNow(
  { id }: Session,
  context: SearchContext,
  settings: ChatSettings,
  info: ModelInfo | null,
): readonly Tool[] {
  const tools =
    modelAgent(info?.name)?.looksUp === false ? context.project.tools(id) : indexed(id, context, settings, info);
  return tools.some(({ effect }) => effect === 'write') ? [...tools, planTool] : tools;
}

/**
 * Sorted by name; none where the graph calls none. What the head was frozen with stays: a tool that has gone since says so when it is
 * called, and one that has come waits for the next conversation, or until the user refreshes the head.
 */
export function turnTools(
  session: Session,
  frozen: readonly ToolSchema[],
  now: readonly Tool[],
  { agent, toolsOff }: { readonly agent: Agent; readonly toolsOff: readonly string[] },
  graph: Graph,
  info: ModelInfo | null,
): readonly Tool[] {
  if (!looksAround(graph, info)) return [];
  const own = modelAgent(info?.name);
  const all =
    own === null
      ? [...frozen.map((schema) => frozenTool(schema, now)), ...recallTools(session)]
      : trainedTools(own, now);
  return all
    .filter(({ schema: { name } }) => !ofEditing.includes(name) || now.some((one) => one.schema.name === name))
    .filter(({ effect, schema: { name } }) => agent.edits || (effect === 'read' && !ofEditing.includes(name)))
    .filter(({ schema: { name } }) => !toolsOff.includes(name) && agent.tools?.includes(name) !== false)
    .toSorted((a, b) => (a.schema.name < b.schema.name ? -1 : 1));
}

/** Whether the model can look for more than it is given. */
export function looksAround(graph: Graph, info: ModelInfo | null): boolean {
  return info?.toolCalls.format !== 'none' && callsTools(graph);
}

const ofEditing = [...editToolNames, planToolName, 'run_command', 'read_output'];

function frozenTool(schema: ToolSchema, now: readonly Tool[]): Tool {
  const live = now.find((tool) => tool.schema.name === schema.name);
  if (live !== undefined) return { ...live, schema };
  const head = `${schema.name} is not there any more. Answer from what is in the conversation.`;
  return { schema, effect: 'read', run: async () => ({ ok: false, head, body: '' }) };
}

/** Tools that look and say how long they took, for the views: the core has no clock. */
export function timedTools(tools: readonly Tool[], now: () => Date): readonly Tool[] {
  return tools.map((tool) => {
    if (tool.effect !== 'read') return tool;
    const run: LookingTool['run'] = async (...call) => {
      const began = now().getTime();
      const result = await tool.run(...call);
      return { ...result, milliseconds: Math.max(0, now().getTime() - began) };
    };
    return { ...tool, run };
  });
}
