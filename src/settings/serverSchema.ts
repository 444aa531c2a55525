// The JSON schema of a server of the user's, for the settings editor's help and for the check before use.
import type { ServerParams } from '../protocol/engine.ts';

/** Members that are not set are left to what the server answers. */
export interface ServerSettings extends Partial<Pick<ServerParams, 'kind' | 'model' | 'caFile' | 'insecure'>> {
  readonly url: string;
  readonly slot?: number;
}

export const serverSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: {
      type: 'string',
      description:
        'Address of the server, including any path prefix added by a proxy. Must be https, unless the server is this machine.',
    },
    kind: {
      type: 'string',
      enum: ['auto', 'llama-server', 'vllm', 'openai'],
      description:
        'What the server is: llama-server, vllm, or anything with chat completions (openai), such as LM Studio, Ollama or a gateway. auto finds out.',
    },
    model: { type: 'string', description: 'Name of the model, where the server has several.' },
    slot: {
      type: 'integer',
      minimum: 0,
      description:
        'First slot that is yours, on a server that others use too. Without it, slots that nobody has used yet are taken.',
    },
    caFile: { type: 'string', description: 'File with the certificate of an authority of your own (PEM).' },
    insecure: {
      type: 'boolean',
      description: 'Allows http to another machine: anybody on the way can read what is sent.',
    },
  },
} as const;
