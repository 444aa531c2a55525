// The agent that a model brings along. A model trained for Tidemark is asked as it was trained, so a new tool or a changed description in
// this version does not reach its prompt.
import type { Tool, ToolSchema } from '../dialog/tool.ts';
import { type Graph, unified } from './graph.ts';

export interface ModelAgent {
  readonly graph: Graph;
  /** Sorted by name. Those of them that the workspace has are in its prompt, in these words, and no others. */
  readonly tools: readonly ToolSchema[];
  /** Whether passages, a map of the folder and a search over the index go with a message. */
  readonly looksUp: boolean;
  /** The place in the prompt that names the day. */
  readonly dayIn: 'head' | 'message';
}

const tool = (
  name: string,
  description: string,
  properties: ToolSchema['parameters']['properties'],
  ...required: string[]
) => ({ name, description, parameters: { type: 'object', properties, required } }) satisfies ToolSchema;

const path = (description: string) => ({ type: 'string', description }) as const;

/** The tiny model of the first run, as its training data has it. */
export const pocketAgent: ModelAgent = {
  graph: unified,
  looksUp: false,
  dayIn: 'head',
  tools: [
    tool(
      'find_symbol',
      'Find where a function, class, type or variable is declared.',
      { name: { type: 'string', description: 'Name of the symbol' } },
      'name',
    ),
    tool('get_diagnostics', 'Get the errors and warnings the editor reports, for one file or all.', {
      path: path('Path of the file'),
    }),
    tool(
      'list_files',
      'List the files and folders in a folder of the workspace.',
      { path: path('Path of the folder') },
      'path',
    ),
    tool(
      'read_file',
      'Read a file of the workspace, or a range of its lines.',
      {
        path: path('Path of the file'),
        startLine: { type: 'integer', description: 'First line' },
        endLine: { type: 'integer', description: 'Last line' },
      },
      'path',
    ),
    tool(
      'search_code',
      'Search the workspace code for an identifier or phrase and return the best matching lines.',
      { query: { type: 'string', description: 'Identifier or phrase to search for' } },
      'query',
    ),
  ],
};

/** Returns null for a model that brings no agent: the agent of the settings is used. */
export function modelAgent(name: string | undefined): ModelAgent | null {
  return isPocketName(name) ? pocketAgent : null;
}

/** Whether it is the demo model of the first run. */
export function isPocketName(name: string | undefined): boolean {
  return name === 'pocket';
}

/** The day as part of a message, or nothing where the head says it. */
export function dayInMessage(own: ModelAgent | null, day: string): { readonly day?: string } {
  return own?.dayIn === 'head' ? {} : { day };
}

/** The available tools that the model was trained with, described as they were in training. */
export function trainedTools({ tools }: ModelAgent, now: readonly Tool[]): readonly Tool[] {
  return tools.flatMap((schema) =>
    now.filter((one) => one.schema.name === schema.name).map((one) => ({ ...one, schema })),
  );
}
