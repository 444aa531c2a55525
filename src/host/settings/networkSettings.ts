// Settings of the group "Privacy and Network". What Tidemark may fetch, and where downloads go.

export const networkSettings = {
  'network.offline': {
    type: 'boolean',
    default: false,
    scope: 'machine',
    description:
      'Never use the network, not even to download a model you ask for or for a server in `#tidemark.servers#`. When it is off, Tidemark uses the network for model downloads, and for the server in `#tidemark.engine#` only.',
  },
  'network.huggingFace': {
    type: 'string',
    default: 'https://huggingface.co',
    scope: 'machine',
    tags: ['advanced'],
    description: 'Server that model downloads come from: Hugging Face or a mirror of it.',
  },
  'models.folder': {
    type: 'string',
    default: '',
    scope: 'machine',
    description: 'Folder for downloaded models. Leave it empty to use Tidemark’s own storage.',
  },
} as const;
