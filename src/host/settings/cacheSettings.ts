// The part of the table of settings that is about the model's state: how it follows prompts, and what of it is stored.

export const cacheSettings = {
  'cache.reuse': {
    type: 'string',
    default: 'auto',
    enum: ['auto', 'exact', 'shift'],
    scope: 'window',
    description:
      "What of the model's state serves a prompt that lost older parts. auto: all that is left, moved up, and decoded again while you read, so that it is exact; exact: only what stands in front of the first loss; shift: as auto, but never decoded again.",
  },
  'cache.settleSeconds': {
    type: 'integer',
    default: 60,
    minimum: 0,
    maximum: 3600,
    scope: 'window',
    description: 'The moved part is decoded again only if that will take no longer than this.',
  },
  'cache.warm': {
    type: 'boolean',
    default: true,
    scope: 'window',
    description: 'Prefill what the next message shares when the view opens and after an answer.',
  },
  'cache.conversations': {
    type: 'integer',
    default: 1,
    minimum: 1,
    maximum: 16,
    scope: 'machine',
    description:
      'Conversations whose state stays in memory, as far as that suffices: going back to one of them costs nothing. Each takes as much as the first; those left out come back from disk, where they are stored.',
  },
  'cache.persist': {
    type: 'boolean',
    default: true,
    scope: 'machine',
    description:
      "Store the model's state of long conversations on disk, so that a reopened window goes on without decoding them again. The files hold the conversation in the model's form, in a folder that only you can read; off deletes them.",
  },
  'cache.persistMaxMegabytes': {
    type: 'integer',
    default: 2048,
    minimum: 16,
    maximum: 1048576,
    scope: 'machine',
    description: 'What these files may take together; those unused for longest are deleted first.',
  },
} as const;
