// Settings of the group "Engine". Where the model runs. A repository must not choose it: both are the machine's.
import { serverSchema } from './serverSchema.ts';

export const engineSettings = {
  engine: {
    type: 'string',
    default: 'local',
    scope: 'machine',
    description:
      'Where the model runs: `local` for this machine, or the name of one of `#tidemark.servers#`. With a server on another machine, your messages and the code that the model reads are sent there; the Chat view always shows to where.',
  },
  servers: {
    type: 'object',
    default: {},
    additionalProperties: serverSchema,
    scope: 'machine',
    tags: ['advanced'],
    description:
      'Your own servers by name, each with its address, such as `{"desk": {"url": "https://desk.example:8443"}}`. Store the key of one that asks for it with *Tidemark: Set the Key of a Server*.',
  },
} as const;
