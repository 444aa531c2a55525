// The part of the table of settings that is about compactions: when, by whom, and how often it is tried.

export const compactionSettings = {
  'compaction.enabled': {
    type: 'string',
    default: 'auto',
    enum: ['auto', 'on', 'off'],
    scope: 'window',
    description:
      'Fold older turns into a checkpoint instead of dropping them; auto is on for windows of up to 32k tokens.',
  },
  'compaction.tailShare': {
    type: 'number',
    default: 0.2,
    minimum: 0,
    maximum: 0.6,
    scope: 'window',
    description: 'The latest turns within this share of the same room stay as they are when others are folded.',
  },
  'compaction.model': {
    type: 'string',
    default: '',
    scope: 'machine',
    description:
      'Path of a GGUF model that writes the checkpoints; empty lets the loaded model do it, which costs no second prompt.',
  },
  'compaction.leaseSeconds': {
    type: 'integer',
    default: 300,
    minimum: 10,
    maximum: 3600,
    scope: 'window',
    description: 'A fold without any progress for so long is given up, and another window may fold.',
  },
  'compaction.tries': {
    type: 'integer',
    default: 3,
    minimum: 1,
    maximum: 10,
    scope: 'window',
    description:
      'How often a summary is asked for in one compaction, each time with what was wrong with the last one, after 1 s, 2 s, 4 s and so on. The history stays as it is after the last one.',
  },
} as const;
