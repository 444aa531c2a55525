// Settings of the group "Context". What goes into the prompt, and what is left out when the context window is full.

export const contextSettings = {
  'workspace.files': {
    type: 'array',
    default: ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md', 'README.md', '.tidemark/*.md'],
    items: { type: 'string' },
    scope: 'window',
    description: 'Workspace files that are part of every prompt, in this order. A folder can be followed by `/*.md`.',
  },
  'workspace.overview': {
    type: 'boolean',
    default: true,
    scope: 'window',
    description: 'Include a map of the workspace in every prompt: its main functions, classes and types.',
  },
  'workspace.mapTokens': {
    type: 'integer',
    default: 300,
    minimum: 0,
    maximum: 4000,
    scope: 'window',
    tags: ['advanced'],
    description: 'Most tokens for that map. 0 lists about 20 names instead.',
  },
  'context.workspaceMaxShare': {
    type: 'number',
    default: 0.2,
    minimum: 0,
    maximum: 0.5,
    scope: 'window',
    tags: ['advanced'],
    description: 'Largest share of the limit that workspace files and the map may take. 0 includes none.',
  },
  'finding.enabled': {
    type: 'boolean',
    default: true,
    scope: 'window',
    description:
      'Keep an index of the folder on this machine and bring the passages that a message is about. Turning it off deletes the index.',
  },
  'finding.model': {
    type: 'string',
    default: '',
    scope: 'machine',
    description:
      'Path of a GGUF embedding model that also finds passages by meaning. The command *Tidemark: Find by Meaning* downloads one. Leave it empty to find passages by words alone.',
  },
  'context.knowledge': {
    type: 'string',
    default: 'sticky',
    enum: ['sticky', 'last'],
    scope: 'window',
    tags: ['advanced'],
    description: 'How long passages found for a message stay in the prompt.',
    enumDescriptions: [
      'Until the prompt reaches its limit. Later messages need less decoding.',
      'For one turn. Leaves more room.',
    ],
  },
  'context.toolResultMaxShare': {
    type: 'number',
    default: 0.3,
    minimum: 0.05,
    maximum: 0.9,
    scope: 'window',
    description:
      'Largest share of the limit that one tool result or attachment may take; the middle of a longer one is left out.',
  },
  'context.maxToolRounds': {
    type: 'integer',
    default: 6,
    minimum: 0,
    maximum: 50,
    scope: 'window',
    description: 'Rounds of tool calls in one turn before the model has to answer. 0 answers without tools.',
  },
  'context.messageCap': {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 10000,
    scope: 'window',
    tags: ['advanced'],
    description: 'Most chat messages in one prompt; the oldest turns are trimmed beyond that. 0 sets no cap.',
  },
  'context.trimTarget': {
    type: 'number',
    default: 0.75,
    minimum: 0.1,
    maximum: 1,
    scope: 'window',
    tags: ['advanced'],
    description:
      'When a prompt exceeds the limit, it is trimmed to this share of the limit. Lower values trim more at once and less often; 1 trims as little as possible with each message.',
  },
  'context.pruneAt': {
    type: 'number',
    default: 0.5,
    minimum: 0,
    maximum: 1,
    scope: 'window',
    tags: ['advanced'],
    description:
      'Above this share of the limit, a new turn prunes older tool results to their first line. 0 prunes with every turn, even where that means decoding more.',
  },
  'context.keepRecentToolResults': {
    type: 'integer',
    default: 2,
    minimum: 0,
    maximum: 100,
    scope: 'window',
    tags: ['advanced'],
    description: 'Number of recent tool results that are kept whole when older ones are pruned.',
  },
  'context.trimMustPay': {
    type: 'boolean',
    default: true,
    scope: 'window',
    tags: ['advanced'],
    description:
      'Trim only when that frees at least as many tokens as it makes the model decode again. Turn it off to trim by the limit alone.',
  },
  'context.trimEarly': {
    type: 'boolean',
    default: true,
    scope: 'window',
    tags: ['advanced'],
    description: 'Trim while you read, before the next message would have to wait for it.',
  },
} as const;
