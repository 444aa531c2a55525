// The part of the table of settings that is about finding: what is brought for a message before the model is asked.

export const findingSettings = {
  'finding.enabled': {
    type: 'boolean',
    default: true,
    scope: 'window',
    description:
      'Keep an index of the folder on this machine, and bring the passages that a message is about. Off deletes the index.',
  },
  'finding.model': {
    type: 'string',
    default: '',
    scope: 'machine',
    description:
      'Path of a GGUF embedding model that finds passages by meaning too; the command Find by Meaning gets one. It runs on this machine while nothing else does; empty finds by words alone.',
  },
} as const;
