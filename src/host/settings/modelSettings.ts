// The part of the table of settings that is about fetching models. All of it belongs to the machine: no repository may open the network.

export const modelSettings = {
  'models.folder': {
    type: 'string',
    default: '',
    scope: 'machine',
    description: "Folder that downloaded models go to; empty takes one in Tidemark's own storage.",
  },
  'network.offline': {
    type: 'boolean',
    default: false,
    scope: 'machine',
    description:
      'Never use the network, not even when you ask for a model. When it is off, Tidemark uses it for the models you ask for and for nothing else.',
  },
  'network.huggingFace': {
    type: 'string',
    default: 'https://huggingface.co',
    scope: 'machine',
    description: 'Address that hf: models are fetched from: Hugging Face, or a mirror of it.',
  },
} as const;
