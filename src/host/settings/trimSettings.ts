// The part of the table of settings that is about when a prompt is trimmed, and how far.

export const trimSettings = {
  'context.lowWater': {
    type: 'number',
    default: 0.75,
    minimum: 0.1,
    maximum: 1,
    scope: 'window',
    description:
      'When a prompt passes the high-water mark it is trimmed to this share of it, or less. 1 lets go of no more than it has to, at each message.',
  },
  'context.trimMustPay': {
    type: 'boolean',
    default: true,
    scope: 'window',
    description:
      'Whether a trim that makes the model read tokens again frees at least as many, so that trims stay rare. Off: older tool results are cleared, and turns let go of, by the marks alone.',
  },
  'context.trimEarly': {
    type: 'boolean',
    default: true,
    scope: 'window',
    description:
      'Whether a trim that the next message would meet in its midst is made while you read, before it is due.',
  },
} as const;
