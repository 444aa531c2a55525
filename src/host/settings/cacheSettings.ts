// Settings of the group "Performance". How much of earlier work is reused, in memory and on disk.

export const cacheSettings = {
  'cache.warm': {
    type: 'boolean',
    default: true,
    scope: 'window',
    description:
      'Prepare the next prompt while you read, so that only your message has to be decoded. Turn it off to save power.',
  },
  'cache.conversations': {
    type: 'integer',
    default: 1,
    minimum: 1,
    maximum: 16,
    scope: 'machine',
    description:
      'Conversations whose cache stays in memory, so that going back to one of them costs nothing. Each needs as much memory as the first.',
  },
  'cache.persist': {
    type: 'boolean',
    default: true,
    scope: 'machine',
    description:
      'Store the caches of long conversations on disk, so that a reopened window continues without decoding them again. The files contain the conversation in the model’s form, in a folder that only you can read. Turning it off deletes them.',
  },
  'cache.persistMaxMegabytes': {
    type: 'integer',
    default: 2048,
    minimum: 16,
    maximum: 1048576,
    scope: 'machine',
    description: 'Most disk space for these files, in megabytes. The least recently used ones are deleted first.',
  },
  'cache.reuse': {
    type: 'string',
    default: 'auto',
    enum: ['auto', 'exact', 'shift'],
    scope: 'window',
    tags: ['advanced'],
    description: 'What is reused of the cache after older parts of the prompt were removed.',
    enumDescriptions: [
      'All that is left: shifted at once, and decoded again while you read, so that it is exact.',
      'Only what stands before the first removed part.',
      'All that is left, shifted and never decoded again. Fastest, and approximate.',
    ],
  },
  'cache.recomputeSeconds': {
    type: 'integer',
    default: 60,
    minimum: 0,
    maximum: 3600,
    scope: 'window',
    tags: ['advanced'],
    description: 'Shifted parts are decoded again only if that takes no longer than this, in seconds.',
  },
  'promptCache.enabled': {
    type: 'boolean',
    default: true,
    scope: 'window',
    tags: ['advanced'],
    description: 'Reuse the cache of the previous prompt. Turn it off only to measure what it saves.',
  },
} as const;
