// Settings of the group "Model". The model: which file, where it runs, and how much of the machine it may take.

export const modelSettings = {
  'model.path': {
    type: 'string',
    default: '',
    scope: 'machine',
    description: 'Path of the GGUF model file. The command *Tidemark: Get or Choose a Model* sets it for you.',
  },
  'model.contextSize': {
    type: 'integer',
    default: 8192,
    minimum: 512,
    maximum: 1048576,
    scope: 'machine',
    description:
      'Context window in tokens: how much text the model can attend to at once. A larger window holds longer conversations and takes more memory. It never exceeds what the model was trained for.',
  },
  'model.gpu': {
    type: 'string',
    default: 'auto',
    enum: ['auto', 'off', 'cuda', 'vulkan', 'metal'],
    scope: 'machine',
    description:
      'Where the model runs. Change it if the model fails to load or runs slower than expected; the Chat view shows what is in use.',
    enumDescriptions: [
      'Use a GPU if one is usable, otherwise the CPU.',
      'CPU only.',
      'NVIDIA GPUs, with the CUDA pack (see `#tidemark.model.packsFolder#`).',
      'Most GPUs, through Vulkan.',
      'Apple GPUs.',
    ],
  },
  'model.gpuLayers': {
    type: 'integer',
    default: -1,
    minimum: -1,
    maximum: 1000,
    scope: 'machine',
    tags: ['advanced'],
    description:
      'Model layers to put on the GPU. -1 uses as many as fit into the free GPU memory. Lower it if other programs need that memory.',
  },
  'model.memoryMegabytes': {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 16777216,
    scope: 'machine',
    description:
      'Most main memory for the model and its caches, in megabytes. The context window shrinks to stay below it, and the Chat view says so. A separate model for summaries may take as much again. 0 sets no limit.',
  },
  'model.threads': {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 256,
    scope: 'machine',
    tags: ['advanced'],
    description:
      'CPU threads. 0 finds the best number while the model works and leaves cores that other programs use alone. More threads than free cores make the model many times slower.',
  },
  'model.onePerMachine': {
    type: 'boolean',
    default: true,
    scope: 'machine',
    description:
      'Load the model in one editor window at a time; another window asks before it loads one too. Turn it off if you have memory for one model in each window.',
  },
  'model.unloadAfterMinutes': {
    type: 'integer',
    default: 30,
    minimum: 0,
    maximum: 10080,
    scope: 'machine',
    description:
      'Minutes without activity after which the model is unloaded to free its memory. It is loaded again with the next message, and stored caches are used if `#tidemark.cache.persist#` is on. 0 keeps it loaded.',
  },
  'model.packsFolder': {
    type: 'string',
    default: '',
    scope: 'machine',
    tags: ['advanced'],
    description:
      'Folder with llama.cpp packs that you installed with npm, such as CUDA; see the guide on GPUs. Leave it empty to use the packs that ship with the extension.',
  },
} as const;
