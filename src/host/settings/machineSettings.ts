// The part of the table of settings that is about sharing the machine with other windows and programs.

export const machineSettings = {
  'model.onePerMachine': {
    type: 'boolean',
    default: true,
    scope: 'machine',
    description:
      'Load a model in one window at a time: another window asks before it loads one as well. Off loads one in each window that needs it.',
  },
  'model.unloadAfterMinutes': {
    type: 'integer',
    default: 30,
    minimum: 0,
    maximum: 10080,
    scope: 'machine',
    description:
      'Unload the model after so many minutes without a message, a command or work of its own, so that it takes no memory. It comes back with the next message; what its slots hold is stored first, where cache.persist allows. 0 keeps it loaded.',
  },
} as const;
