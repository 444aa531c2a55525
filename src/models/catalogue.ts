// The models that Tidemark knows by name: what they are, where they lie, and the figures an estimate needs before anything is fetched.
import { Ajv } from 'ajv';
import type { SomeSampling } from '../core/model/sampling.ts';
import catalogueJson from './catalogue.json' with { type: 'json' };

export interface Quantisation {
  /** As GGUF files are named: `Q4_K_M`. */
  readonly name: string;
  /** `hf:owner/repository:QUANTISATION` or `hf:owner/repository/file.gguf`. */
  readonly uri: string;
  /** About. */
  readonly bytes: number;
  /** `unverified` where nobody has compared it. */
  readonly sha256: string;
}

export interface CatalogueModel {
  readonly name: string;
  readonly family: string;
  readonly licence: string;
  /** Trained for code above all. */
  readonly code: boolean;
  /** `owner/name` at Hugging Face. */
  readonly repository: string;
  /** In billions; `active`: those a token goes through. */
  readonly parameters: number;
  readonly active: number;
  readonly layers: number;
  readonly kvHeads: number;
  /** Numbers of a head in the cache's keys and values. */
  readonly keySize: number;
  readonly valueSize: number;
  readonly embedding: number;
  readonly vocabulary: number;
  /** Tokens. */
  readonly trainContext: number;
  /** Year and month; left out where no source was read. */
  readonly released?: string;
  /** What else to know; '' for nothing. */
  readonly note: string;
  readonly quantisations: readonly Quantisation[];
  /** How its publisher advises to draw tokens; left out where no source was read. */
  readonly sampling?: PublishedSampling;
}

export interface PublishedSampling extends SomeSampling {
  /** Where it stands, and when that was read, as YYYY-MM-DD. */
  readonly source: string;
  readonly read: string;
}

/** Gives vectors, and no words: nothing that is asked of a chat model holds for it. */
export interface EmbeddingModel {
  readonly name: string;
  readonly licence: string;
  /** `owner/name` at Hugging Face. */
  readonly repository: string;
  /** In billions. */
  readonly parameters: number;
  /** Numbers of a vector. */
  readonly dimensions: number;
  /** Tokens. */
  readonly trainContext: number;
  /** What else to know; '' for nothing. */
  readonly note: string;
  readonly quantisations: readonly Quantisation[];
}

export interface Catalogue {
  /** The day it was written, as YYYY-MM-DD. */
  readonly date: string;
  /** Models that answer. */
  readonly models: readonly CatalogueModel[];
  /** Models that find by meaning beside them; the first is the one that is offered. */
  readonly embeddings: readonly [EmbeddingModel, ...EmbeddingModel[]];
}

const words = { type: 'string', minLength: 1 } as const;
const whole = { type: 'integer', minimum: 1 } as const;
const some = { type: 'number', exclusiveMinimum: 0 } as const;

const quantisationProperties = {
  name: { type: 'string', pattern: '^[A-Z0-9_]+$' },
  uri: { type: 'string', pattern: '^hf:[\\w-][\\w.-]*/[\\w-][\\w.-]*[:/][\\w./-]+$' },
  bytes: whole,
  sha256: { type: 'string', pattern: '^(unverified|[0-9a-f]{64})$' },
} as const satisfies Record<keyof Quantisation, object>;

const repository = { type: 'string', pattern: '^[\\w-][\\w.-]*/[\\w-][\\w.-]*$' } as const;
const quantisations = { type: 'array', minItems: 1, items: exactly(quantisationProperties) } as const;

const modelProperties = {
  name: words,
  family: words,
  licence: words,
  code: { type: 'boolean' },
  repository,
  parameters: some,
  active: some,
  layers: whole,
  kvHeads: whole,
  keySize: whole,
  valueSize: whole,
  embedding: whole,
  vocabulary: whole,
  trainContext: whole,
  note: { type: 'string' },
  quantisations,
} as const satisfies Record<Exclude<keyof CatalogueModel, 'sampling' | 'released'>, object>;

const share = { type: 'number', minimum: 0, maximum: 1 } as const;
const day = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' } as const;
const released = { type: 'string', pattern: '^\\d{4}-\\d\\d$' } as const;
const samplingProperties = {
  temperature: { type: 'number', minimum: 0, maximum: 2 },
  topK: { type: 'integer', minimum: 0 },
  topP: share,
  minP: share,
  repeatPenalty: { type: 'number', minimum: 1, maximum: 2 },
  source: words,
  read: day,
} as const satisfies Record<keyof PublishedSampling, object>;
const sampling = {
  type: 'object',
  required: ['source', 'read'],
  additionalProperties: false,
  properties: samplingProperties,
};

const embeddingProperties = {
  name: words,
  licence: words,
  repository,
  parameters: some,
  dimensions: whole,
  trainContext: whole,
  note: { type: 'string' },
  quantisations,
} as const satisfies Record<keyof EmbeddingModel, object>;

const catalogueSchema = exactly({
  note: words,
  date: day,
  models: { type: 'array', minItems: 1, items: exactly(modelProperties, { sampling, released }) },
  embeddings: { type: 'array', minItems: 1, items: exactly(embeddingProperties) },
});

/** Throws an Error in words for what is no catalogue. */
export function readCatalogue(value: unknown = catalogueJson): Catalogue {
  const ajv = new Ajv();
  if (!ajv.validate<Catalogue>(catalogueSchema, value)) throw new Error(`The catalogue is wrong: ${ajv.errorsText()}`);
  return value;
}

/** The embedding model that is offered beside the chat model. Its schema is a test's matter: the editor's start need not check it. */
export function offeredEmbedding(): { readonly name: string; readonly bytes: number } {
  const [first] = catalogueJson.embeddings;
  return { name: first?.name ?? '', bytes: first?.quantisations[0]?.bytes ?? 0 };
}

/** All of these, perhaps the optional ones, and nothing else. */
function exactly(properties: Readonly<Record<string, object>>, optional: Readonly<Record<string, object>> = {}) {
  const required = Object.keys(properties);
  return { type: 'object', required, additionalProperties: false, properties: { ...properties, ...optional } };
}
