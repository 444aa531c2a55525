// Settings of the group "Edits". What is kept of files that a model changes.

export const editSettings = {
  'edits.snapshotMegabytes': {
    type: 'integer',
    default: 200,
    minimum: 1,
    maximum: 100000,
    scope: 'machine',
    description:
      'Most disk space for snapshots of files before a model changed them, in megabytes. The oldest ones are deleted first.',
  },
  'edits.snapshotDays': {
    type: 'integer',
    default: 30,
    minimum: 1,
    maximum: 3650,
    scope: 'machine',
    description: 'How many days snapshots are kept. `/changes` shows what they take.',
  },
} as const;
