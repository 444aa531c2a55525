// Settings of the group "Summaries". How older turns of a long conversation are replaced by a summary.

export const compactionSettings = {
  'compaction.enabled': {
    type: 'string',
    default: 'auto',
    enum: ['auto', 'on', 'off'],
    scope: 'window',
    description: 'Replace older turns with a summary instead of dropping them.',
    enumDescriptions: ['On for context windows of up to 32k tokens.', 'Always.', 'Never: older turns are dropped.'],
  },
  'context.compactAt': {
    type: 'number',
    default: 0.85,
    minimum: 0.3,
    maximum: 1,
    scope: 'window',
    tags: ['advanced'],
    description:
      'Older turns are summarized while the model is idle, once the conversation fills this share of its room.',
  },
  'compaction.tailShare': {
    type: 'number',
    default: 0.2,
    minimum: 0,
    maximum: 0.6,
    scope: 'window',
    tags: ['advanced'],
    description: 'Share of the conversation’s room that the latest turns keep when older ones are summarized.',
  },
  'compaction.model': {
    type: 'string',
    default: '',
    scope: 'machine',
    tags: ['advanced'],
    description:
      'Path of another GGUF model that writes the summaries. Leave it empty to use the chat model, which needs no second prompt.',
  },
  'compaction.tries': {
    type: 'integer',
    default: 3,
    minimum: 1,
    maximum: 10,
    scope: 'window',
    tags: ['advanced'],
    description:
      'Attempts to get a valid summary from the model, with growing pauses. After the last one the conversation stays as it is.',
  },
  'compaction.leaseSeconds': {
    type: 'integer',
    default: 300,
    minimum: 10,
    maximum: 3600,
    scope: 'window',
    tags: ['advanced'],
    description: 'Seconds without progress after which a compaction is abandoned and another window may try.',
  },
} as const;
