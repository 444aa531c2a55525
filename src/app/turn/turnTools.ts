// The tools of a turn: what the window has, in the words that the conversation's head was frozen with, less what the user switched off.

import type { Agent } from '../../core/agent/agent.ts';
import { editToolNames } from '../../core/agent/editing.ts';
import { callsTools, type Graph } from '../../core/agent/graph.ts';
import { modelAgent, trainedTools } from '../../core/agent/modelAgent.ts';
import { planToolName } from '../../core/dialog/plan.ts';
import type { LookingTool, Tool, ToolResult, ToolSchema } from '../../core/dialog/tool.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import { budgetFor } from '../../core/prompt/budget.ts';
import type { TokenCounter } from '../../core/prompt/counter.ts';
import { fitFound } from '../../core/prompt/fitFound.ts';
import { passageText } from '../../core/prompt/found.ts';
import type { ChatSettings } from '../ports/chatSettings.ts';
import type { Finding } from '../ports/finding.ts';
import type { Project } from '../ports/project.ts';
import type { Session } from '../session/session.ts';
import { planTool } from './planTool.ts';
import { recallTools } from './recall.ts';

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

// The tool search_code over the index: the same ranking as for a message, and passages instead of bare lines.
const searchName = 'search_code';
/** The share of the high-water mark that results may take: 1,003 tokens of a window of 8,192. */
const share = 0.14;

const description = 'Search the workspace for an identifier, a phrase or a question and return the best passages.';
const longest = 500;

/** Who has the tools and finds, and who counts. */
interface SearchContext {
  readonly project: Pick<Project, 'tools' | 'finding'>;
  readonly counter: TokenCounter;
}

/** The tools, with searching done in the index. */
function indexed(
  session: string,
  { project, counter }: SearchContext,
  { agent: { policy, retrieval }, wantedWindow }: ChatSettings,
  info: ModelInfo | null,
): readonly Tool[] {
  const tools = project.tools(session);
  if (retrieval === null) return tools;
  const { high } = budgetFor(info?.contextSize ?? wantedWindow, policy);
  return tools.map((tool) =>
    tool.effect === 'read' && tool.schema.name === searchName
      ? searchTool(tool, project.finding, counter, Math.floor(high * share))
      : tool,
  );
}

/** Searches in the index. `lines`, which looks at the files themselves, answers where the index is not there or finds nothing. */
function searchTool(lines: LookingTool, finding: Finding, counter: TokenCounter, most: number): Tool {
  return {
    schema: { ...lines.schema, description },
    effect: 'read',
    run: async (args, signal) => {
      const query = typeof args.query === 'string' ? args.query.replace(/\s+/g, ' ').trim() : '';
      if (query === '' || query.length > longest) return lines.run(args, signal);
      const found = await finding.find({ text: query, folder: '', last: [], around: 0, meaning: true }, signal);
      const fitted = await fitFound(found, most, counter);
      if (signal.aborted || fitted.passages.length === 0) return lines.run(args, signal);
      return resultOf(query, fitted.passages.map(passageText), fitted.weak);
    },
  };
}

function resultOf(query: string, texts: readonly string[], weak: string): ToolResult {
  const shown = query.length > 80 ? `${query.slice(0, 79)}…` : query;
  const count = texts.length === 1 ? '1 passage' : `${texts.length} passages`;
  const doubt = weak === '' ? '' : ` (${weak})`;
  return { ok: true, head: `${count} for "${shown}"${doubt}:`.slice(0, 200), body: texts.join('\n\n') };
}
