// The part of the table of settings that is about what is remembered between prompts: workspace texts, token counts, the model's state.

export const mechanismSettings = {
  'workspaceCache.enabled': {
    type: 'boolean',
    default: true,
    scope: 'window',
    description: 'Keep the workspace texts until a file changes; off reads them anew for every message.',
  },
  'workspaceCache.debounceMilliseconds': {
    type: 'integer',
    default: 500,
    minimum: 0,
    maximum: 5000,
    scope: 'window',
    description: 'How long files must have been left alone before the workspace texts are read again.',
  },
  'workspaceCache.maxAgeSeconds': {
    type: 'integer',
    default: 300,
    minimum: 0,
    maximum: 86400,
    scope: 'window',
    description: 'After this time the workspace texts are read again even if no change was seen; 0: never.',
  },
  'tokenCounter.enabled': {
    type: 'boolean',
    default: true,
    scope: 'window',
    description: 'Remember the token counts of texts; off asks the model each time.',
  },
  'tokenCounter.cacheCapacity': {
    type: 'integer',
    default: 4096,
    minimum: 16,
    maximum: 1000000,
    scope: 'window',
    description: 'How many token counts are remembered.',
  },
  'tokenCounter.source': {
    type: 'string',
    default: 'auto',
    enum: ['auto', 'exact', 'estimate'],
    scope: 'window',
    description:
      'What counts the tokens of texts that are not in a prompt yet. auto: the model, which is left alone for 30 s and longer after three failures; exact: the model, always; estimate: a rule of thumb, and the model is not asked. Prompts are always counted by the model.',
  },
  'promptCache.enabled': {
    type: 'boolean',
    default: true,
    scope: 'window',
    description:
      "Keep the model's state of the last prompt, so that only new tokens are decoded; off decodes every prompt whole.",
  },
} as const;
