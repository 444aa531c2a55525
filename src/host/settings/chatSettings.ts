// Settings of the group "Chat". The conversation: who answers, with which tools and how.
import { agentsSchema } from './agentsSchema.ts';

export const chatSettings = {
  agent: {
    type: 'string',
    default: 'default',
    scope: 'window',
    description:
      'Agent that answers: `default`, or the name of one of `#tidemark.agents#`. The mode button below the message box sets it. `unified`, `guided` and `split` choose a graph for every model.',
  },
  agents: {
    type: 'object',
    default: {},
    additionalProperties: agentsSchema,
    scope: 'window',
    tags: ['advanced'],
    description: 'Your own agents by name, each with its graph, instructions, tools, engine and context settings.',
  },
  'tools.off': {
    type: 'array',
    default: [],
    items: {
      type: 'string',
      enum: ['find_symbol', 'get_diagnostics', 'list_files', 'read_file', 'recall', 'search_code'],
    },
    scope: 'window',
    description:
      'Tools that the model does not get. Each one left out makes the prompt shorter. The Context view switches them too.',
  },
  'memory.enabled': {
    type: 'boolean',
    default: true,
    scope: 'window',
    description: 'Include your notes (`/remember`) and the work board (`/work`) in the prompt of new conversations.',
  },
  'generation.reserve': {
    type: 'integer',
    default: 1024,
    minimum: 64,
    maximum: 65536,
    scope: 'window',
    description:
      'Tokens reserved for the reply, which is also the longest reply. At most a quarter of the context window is used. Raise it if replies are cut off.',
  },
  'generation.temperature': {
    type: 'number',
    default: -1,
    minimum: -1,
    maximum: 2,
    scope: 'window',
    description:
      'Sampling temperature. 0 always takes the most likely token; higher values vary more. -1 uses what the model’s file or publisher recommends, or 0.2.',
  },
  'generation.topK': {
    type: 'integer',
    default: -1,
    minimum: -1,
    maximum: 1000000,
    scope: 'window',
    tags: ['advanced'],
    description:
      'Sample from this many of the most likely tokens; 0 from all. -1 uses what the model recommends, or 40.',
  },
  'generation.topP': {
    type: 'number',
    default: -1,
    minimum: -1,
    maximum: 1,
    scope: 'window',
    tags: ['advanced'],
    description:
      'Sample from the most likely tokens that together have this probability. -1 uses what the model recommends, or 0.95.',
  },
  'generation.minP': {
    type: 'number',
    default: -1,
    minimum: -1,
    maximum: 1,
    scope: 'window',
    tags: ['advanced'],
    description:
      'Sample only from tokens with at least this share of the most likely token’s probability. -1 uses what the model recommends, or 0.05.',
  },
  'generation.repeatPenalty': {
    type: 'number',
    default: -1,
    minimum: -1,
    maximum: 2,
    scope: 'window',
    tags: ['advanced'],
    description:
      'Penalty on tokens that the reply already contains; 1 is off. Raise it slightly if the model repeats itself. Values below 1 use what the model recommends, or 1.',
  },
} as const;
