// The part of the table of settings that says which model is loaded, and what of the machine it takes.

export const loadSettings = {
  'model.path': {
    type: 'string',
    default: '',
    scope: 'machine',
    description: 'Path of the GGUF model file to load.',
  },
  'model.contextSize': {
    type: 'integer',
    default: 8192,
    minimum: 512,
    maximum: 1048576,
    scope: 'machine',
    description: 'Context window in tokens; never more than the model was trained for.',
  },
  'model.gpu': {
    type: 'string',
    default: 'auto',
    enum: ['auto', 'off', 'cuda', 'vulkan', 'metal'],
    scope: 'machine',
    description: 'GPU back end; the Chat view says which one is in use.',
  },
  'model.gpuLayers': {
    type: 'integer',
    default: -1,
    minimum: -1,
    maximum: 1000,
    scope: 'machine',
    description: 'Model layers to put on the GPU; -1 lets llama.cpp decide from the free memory.',
  },
  'model.packsFolder': {
    type: 'string',
    default: '',
    scope: 'machine',
    description:
      'A folder in which further packs of llama.cpp were installed with npm, such as CUDA; the README has the command. Empty takes those that came with the extension.',
  },
  'model.threads': {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 256,
    scope: 'machine',
    description:
      'CPU threads; 0 finds the best number while the model works, and leaves the cores that other programs use to them. More threads than free cores makes llama.cpp many times slower.',
  },
  'model.memoryMegabytes': {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 16777216,
    scope: 'machine',
    description:
      'Main memory the model may take with its caches. The window shrinks to stay within it; the Chat view says so before it loads. A model for checkpoints (compaction.model) may take as much beside it. 0 sets no limit.',
  },
} as const;
