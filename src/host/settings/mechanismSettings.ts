// Settings of the group "Advanced". Internal caches. There is rarely a reason to change them.

export const mechanismSettings = {
  'workspaceCache.enabled': {
    type: 'boolean',
    default: true,
    scope: 'window',
    tags: ['advanced'],
    description: 'Read workspace files again only after they change. Turn it off to read them for every message.',
  },
  'workspaceCache.debounceMilliseconds': {
    type: 'integer',
    default: 500,
    minimum: 0,
    maximum: 5000,
    scope: 'window',
    tags: ['advanced'],
    description: 'Milliseconds without a change before workspace files are read again.',
  },
  'workspaceCache.maxAgeSeconds': {
    type: 'integer',
    default: 300,
    minimum: 0,
    maximum: 86400,
    scope: 'window',
    tags: ['advanced'],
    description: 'Seconds after which workspace files are read again even without a change. 0 never does.',
  },
  'tokenCounter.enabled': {
    type: 'boolean',
    default: true,
    scope: 'window',
    tags: ['advanced'],
    description: 'Remember token counts. Turn it off to ask the model each time.',
  },
  'tokenCounter.cacheCapacity': {
    type: 'integer',
    default: 4096,
    minimum: 16,
    maximum: 1000000,
    scope: 'window',
    tags: ['advanced'],
    description: 'Number of token counts to remember.',
  },
  'tokenCounter.source': {
    type: 'string',
    default: 'auto',
    enum: ['auto', 'exact', 'estimate'],
    scope: 'window',
    tags: ['advanced'],
    description:
      'What counts the tokens of texts that are not in a prompt yet. Prompts themselves are always counted by the model.',
    enumDescriptions: [
      'The model; after three failures an estimate for a while.',
      'Always the model.',
      'A rule of thumb; the model is not asked.',
    ],
  },
} as const;
