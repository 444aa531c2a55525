// The tools for commands as the model sees them.
import type { ToolSchema } from '../core/dialog/tool.ts';

export const schemas: { readonly run: ToolSchema; readonly read: ToolSchema } = {
  run: {
    name: 'run_command',
    description: 'Run a shell command in the folder, such as its tests. No network inside the fence.',
    parameters: {
      type: 'object',
      properties: {
        command: {
          type: 'string',
          description: "One command line, or the name of one of the project's own, such as test",
        },
        folder: { type: 'string', description: 'Where it begins, if not at the top' },
        reason: { type: 'string', description: 'Why, in a few words' },
      },
      required: ['command', 'reason'],
    },
  },
  read: {
    name: 'read_output',
    description: 'Read more of the output of a command.',
    parameters: {
      type: 'object',
      properties: {
        run: { type: 'integer', description: 'The number of the run' },
        line: { type: 'integer', description: 'The first line, from 1' },
      },
      required: ['run', 'line'],
    },
  },
};
